import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from './exchange-fixture.ts';

interface GammaMarket {
  readonly id: string;
  readonly slug: string;
  readonly conditionId: string;
  readonly clobTokenIds: string;
  readonly outcomes: string;
  readonly endDate: string;
  readonly feeSchedule: { readonly rate: number };
  readonly orderPriceMinTickSize: number;
  readonly marketMakerAddress: string;
  readonly events: readonly { readonly id: string }[];
}

interface GammaEvent {
  readonly id: string;
  readonly negRisk: boolean;
  readonly negRiskAugmented: boolean;
  readonly markets?: readonly GammaMarket[];
}

let fixture: Fixture;

beforeAll(async () => {
  fixture = await openFixture();
});

afterAll(() => fixture.exchange.close());

const get = async <T>(path: string) => (await (await fetch(`${fixture.exchange.url}/gamma${path}`)).json()) as T;
const ids = (markets: readonly { readonly id: string }[]) => markets.map(({ id }) => id);

describe('the catalogue', () => {
  it('offers events of every kind, with several fee rates and ticks, ending weeks to months ahead', async () => {
    const events = await get<GammaEvent[]>('/events?limit=100');
    const markets = events.flatMap((event) => event.markets ?? []);
    expect(events.length).toBeGreaterThanOrEqual(12);
    expect(markets.length).toBeGreaterThanOrEqual(60);
    expect(events.some(({ negRisk }) => !negRisk)).toBe(true);
    expect(events.filter(({ negRisk }) => negRisk).length).toBeGreaterThan(5);
    expect(events.filter(({ negRiskAugmented }) => negRiskAugmented)).toHaveLength(1);
    expect(new Set(markets.map(({ feeSchedule }) => feeSchedule.rate))).toEqual(new Set([0, 0.04, 0.05, 0.07]));
    expect(new Set(markets.map((market) => market.orderPriceMinTickSize))).toEqual(new Set([0.01, 0.0025, 0.001]));
    expect(new Set(markets.map(({ marketMakerAddress }) => marketMakerAddress))).toEqual(new Set(['']));
    for (const { endDate } of markets) expect(Date.parse(endDate) - Date.now()).toBeGreaterThan(20 * 86_400_000);
  });

  it('says what the contract knows of members, and what is edited of a market later', async () => {
    const events = await get<(GammaEvent & { title: string; cumulativeMarkets?: boolean })[]>('/events?limit=100');
    const places = (title: string) => {
      const { markets = [] } = events.find((event) => event.title === title) ?? {};
      return markets.map((market) =>
        Number.parseInt((market as { questionID?: string }).questionID?.slice(-2) ?? '', 16),
      );
    };
    expect(places('Aurora Cup winner')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(places('Host of the next Corran Games')).toEqual([0, 1, 3]);
    expect(places('Northern Sprint champion')).toEqual([0, 1, 2, 3, 4]);
    expect(events.filter(({ cumulativeMarkets }) => cumulativeMarkets).map(({ title }) => title)).toEqual([
      'Rain at Ostergap next month',
    ]);
    const [market] = await get<(GammaMarket & { description: string })[]>('/markets?limit=1');
    const edit = async (change: object) => {
      const body = JSON.stringify({ condition_id: market?.conditionId, ...change });
      return (await fetch(`${fixture.exchange.url}/_control/market`, { method: 'POST', body })).status;
    };
    expect(
      await edit({ rules: 'Ties count as well.', end_date: '2027-06-01T00:00:00Z', neg_risk_augmented: true }),
    ).toBe(200);
    const [edited] = await get<(GammaMarket & { description: string })[]>('/markets?limit=1');
    expect(edited).toMatchObject({
      id: market?.id,
      description: 'Ties count as well.',
      endDate: '2027-06-01T00:00:00.000Z',
    });
    expect(await get(`/events?id=${edited?.events[0]?.id}&include_markets=false`)).toMatchObject([
      { negRiskAugmented: true },
    ]);
    const long = '<script>alert("rules")</script> & so on. '.repeat(2_500);
    expect(long.length).toBeGreaterThan(100_000);
    expect(await edit({ rules: long, accepting: false })).toBe(200);
    const [longest] = await get<GammaMarket[]>('/markets?limit=1');
    expect(longest).toMatchObject({ description: long, acceptingOrders: false, closed: false });
    expect(await edit({ accepting: true })).toBe(200);
    expect(await edit({ uma_statuses: ['proposed', 'disputed'] })).toBe(200);
    expect(await get('/markets?limit=1')).toMatchObject([
      { umaResolutionStatus: 'disputed', umaResolutionStatuses: '["proposed","disputed"]', acceptingOrders: true },
    ]);
    expect(await edit({ uma_statuses: [] })).toBe(200);
    expect(await edit({ end_date: 'soon' })).toBe(422);
    await edit({ listed: false });
    expect(await get(`/markets?id=${market?.id}`)).toEqual([]);
    await edit({ listed: true, neg_risk_augmented: false });
  });

  it('says what is not so while it lies, and the other service does not', async () => {
    const [market] = await get<(GammaMarket & { orderMinSize: number; negRisk: boolean })[]>('/markets?limit=1');
    const lie = (source: string, reported: object) =>
      fetch(`${fixture.exchange.url}/_control/lie`, {
        method: 'POST',
        body: JSON.stringify({ condition_id: market?.conditionId, source, ...reported }),
      });
    const atClob = async () => (await fetch(`${fixture.exchange.url}/clob-markets/${market?.conditionId}`)).json();
    const so = await atClob();
    await lie('gamma', { fee_rate: '0.01', min_size: 7, tick_size: '0.1', neg_risk: !market?.negRisk, swapped: true });
    expect(await get('/markets?limit=1')).toMatchObject([
      {
        feeSchedule: { rate: 0.01 },
        orderMinSize: 7,
        orderPriceMinTickSize: 0.1,
        negRisk: !market?.negRisk,
        clobTokenIds: JSON.stringify((JSON.parse(market?.clobTokenIds ?? '') as string[]).toReversed()),
      },
    ]);
    expect(await atClob()).toEqual(so);
    expect((await lie('gamma', {})).status).toBe(200);
    expect(await get('/markets?limit=1')).toEqual([market]);
    await lie('clob', { fee_rate: '0.01', min_size: 7 });
    expect(await atClob()).toMatchObject({ fd: { r: 0.01 }, mos: 7 });
    expect(await get('/markets?limit=1')).toEqual([market]);
    expect((await lie('clob', {})).status).toBe(200);
    expect((await lie('unlisted', {})).status).toBe(422);
  });

  it('publishes what is added to the rules of a market, by market, by event and page by page', async () => {
    const [first, second] = await get<GammaMarket[]>('/markets?limit=2');
    const publish = (market: GammaMarket | undefined, clarification: string) =>
      fetch(`${fixture.exchange.url}/_control/market`, {
        method: 'POST',
        body: JSON.stringify({ condition_id: market?.conditionId, clarification }),
      });
    expect(await get('/market-clarifications')).toEqual([]);
    await publish(first, 'Extra time counts.');
    await publish(second, 'A tie is shared.');
    expect((await publish(first, '')).status).toBe(422);
    const notes = await get<object[]>('/market-clarifications?limit=100');
    expect(notes).toMatchObject([
      { id: 1, marketId: Number(first?.id), content: 'Extra time counts.', state: 'success' },
      { id: 2, marketId: Number(second?.id), content: 'A tie is shared.', state: 'success' },
    ]);
    expect(await get('/market-clarifications?limit=1&offset=1')).toEqual(notes.slice(1));
    expect(await get(`/market-clarifications?market_id=${second?.id}&market_id=1`)).toEqual(notes.slice(1));
    expect(await get(`/market-clarifications?event_id=${first?.events[0]?.id}`)).toEqual(notes);
    expect((await fetch(`${fixture.exchange.url}/gamma/market-clarifications?market_id=soon`)).status).toBe(422);
  });

  it('pages by offset and by cursor to the same list, clamped at 100', async () => {
    const longest = await get<GammaMarket[]>('/markets?limit=500');
    expect(longest).toHaveLength(100);
    const paged = [
      ...(await get<GammaMarket[]>('/markets?limit=40')),
      ...(await get<GammaMarket[]>('/markets?limit=40&offset=40')),
      ...(await get<GammaMarket[]>('/markets?limit=100&offset=80')),
    ];
    expect(ids(paged).slice(0, 100)).toEqual(ids(longest));
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = cursor === '' ? '' : `&next_cursor=${cursor}`;
      const page = await get<{ markets: GammaMarket[]; next_cursor?: string }>(`/markets/keyset?limit=25${query}`);
      seen.push(...ids(page.markets));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(ids(paged));
  });

  it('finds markets by id, slug, token and several condition ids', async () => {
    const [first, second] = await get<GammaMarket[]>('/markets?limit=2');
    if (first === undefined || second === undefined) throw new Error('the catalogue lists markets');
    const [yes] = JSON.parse(first.clobTokenIds) as string[];
    expect(JSON.parse(first.outcomes)).toEqual(['Yes', 'No']);
    for (const query of [`id=${first.id}`, `slug=${first.slug}`, `clob_token_ids=${yes}`]) {
      expect(ids(await get(`/markets?${query}`))).toEqual([first.id]);
    }
    const both = `condition_ids=${first.conditionId}&condition_ids=${second.conditionId}`;
    expect(ids(await get(`/markets?${both}`))).toEqual([first.id, second.id]);
    expect(await get<GammaMarket[]>('/markets?closed=true')).toMatchObject([{ groupItemTitle: 'Ludo Farrant' }]);
    const [event] = await get<GammaEvent[]>(`/events?id=${first.events[0]?.id}&include_markets=false`);
    expect(event).not.toHaveProperty('markets');
  });

  it('shows a member that has been decided among the others of its event, with its result', async () => {
    const events = await get<GammaEvent[]>('/events?slug=northern-sprint-champion');
    expect(events).toMatchObject([{ closed: false, negRisk: true }]);
    expect(events[0]?.markets).toHaveLength(5);
    expect(events[0]?.markets?.[2]).toMatchObject({
      closed: true,
      acceptingOrders: false,
      outcomePrices: '["0","1"]',
      umaResolutionStatus: 'resolved',
    });
  });

  it('has rules, a source and an order of display, and a series for events that recur', async () => {
    const events = await get<GammaEvent[]>('/events?limit=100');
    const weeks = events.filter((event) => JSON.stringify(event).includes('highmark-highest-temperature'));
    expect(weeks).toHaveLength(2);
    expect(weeks[0]).toMatchObject({
      series: [
        {
          id: expect.stringMatching(/^\d+$/),
          slug: 'highmark-highest-temperature',
          title: 'highmark highest temperature',
        },
      ],
      markets: [
        '11 degrees or less',
        'between 12 and 14 degrees',
        'between 15 and 17 degrees',
        '18 degrees or more',
      ].map((groupItemTitle, place) => ({
        groupItemTitle,
        groupItemThreshold: String(place),
        description: expect.stringContaining('Temperatures are whole degrees'),
        resolutionSource: 'https://results.example/weather',
      })),
    });
  });

  it('has the structure of Protocol V2 in the ids of its events', async () => {
    const positionsOf = async (slug: string) => {
      const [event] = await get<{ markets: { conditionId: string; positionIds: string[] }[] }[]>(
        `/events?slug=${slug}`,
      );
      return (event?.markets ?? []).map(({ conditionId, positionIds }) => {
        const [first, second] = positionIds.map((text) => BigInt(text).toString(16).padStart(64, '0'));
        expect(conditionId).toBe(`0x${first?.slice(0, 62)}00`);
        expect(second).toBe(`${first?.slice(0, 62)}01`);
        return [first?.slice(0, 2), first?.slice(34, 38), first?.slice(58, 62)].map((hex) =>
          Number.parseInt(hex ?? '', 16),
        );
      });
    };
    const module = (number: number, arity: number, conditions: number[]) =>
      conditions.map((one) => [number, arity, one]);
    expect(await positionsOf('builder-of-the-larkspur-bridge')).toEqual(module(2, 3, [0, 1, 2, 3]));
    expect(await positionsOf('tessel-share-price-at-the-end-of-the-year')).toEqual(
      module(4, 4, [0, 1, 2, 3, 0x80_01, 0x80_02]),
    );
  });

  it('answers wrongly on request: without an event, with half of one, with one twice, with nonsense', async () => {
    const trouble = async (change: object) => {
      const answer = await fetch(`${fixture.exchange.url}/_control/catalogue`, {
        method: 'POST',
        body: JSON.stringify(change),
      });
      expect(answer.status).toBe(200);
    };
    const [first, second, third] = await get<GammaEvent[]>('/events?limit=3');
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('the catalogue lists events');
    await trouble({ vanished: [first.id], cut: { [second.id]: 2 }, doubled: [third.id], garbage: 1 });
    await expect(get('/events')).rejects.toThrow(SyntaxError);
    const events = await get<GammaEvent[]>('/events?limit=2');
    expect(ids(events)).toEqual([second.id, third.id]);
    expect(events[0]?.markets).toHaveLength(2);
    expect(events[1]?.markets).toHaveLength(2 * (third.markets?.length ?? 0));
    expect(await get(`/markets?id=${first.markets?.[0]?.id}`)).toEqual([]);
    expect((await fetch(`${fixture.exchange.url}/gamma/events/${first.id}`)).status).toBe(404);
    await trouble({ vanished: [], cut: {}, doubled: [] });
    expect(await get<GammaEvent[]>('/events?limit=3')).toEqual([first, second, third]);
  });
});
