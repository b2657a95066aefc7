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

  it('pages by offset and by cursor to the same list, clamped at 100', async () => {
    const all = await get<GammaMarket[]>('/markets?limit=500');
    const paged = [
      ...(await get<GammaMarket[]>('/markets?limit=40')),
      ...(await get<GammaMarket[]>('/markets?limit=40&offset=40')),
    ];
    expect(ids(paged)).toEqual(ids(all));
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = cursor === '' ? '' : `&next_cursor=${cursor}`;
      const page = await get<{ markets: GammaMarket[]; next_cursor?: string }>(`/markets/keyset?limit=25${query}`);
      seen.push(...ids(page.markets));
      cursor = page.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(ids(all));
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
    expect(await get('/markets?closed=true')).toEqual([]);
    const [event] = await get<GammaEvent[]>(`/events?id=${first.events[0]?.id}&include_markets=false`);
    expect(event).not.toHaveProperty('markets');
  });
});
