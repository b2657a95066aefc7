import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPaper, type Venue } from '../paper.fixture.ts';
import { GammaStandIn, type Raw } from './gamma-stand-in.fixture.ts';
import { readListing } from './read-listing.ts';

const hex = (n: number) => `0x${n.toString(16).padStart(62, '0')}a1`;

function market(n: number, change: Raw = {}): Raw {
  return {
    ...{
      id: String(n),
      conditionId: hex(n),
      questionID: hex(n + 1_000_000),
      slug: `market-${n}`,
      question: `Question ${n}?`,
    },
    ...{ outcomes: '["Yes","No"]', clobTokenIds: `["${n}1","${n}2"]`, outcomePrices: '["0.5","0.5"]', version: 'v1' },
    ...{ active: true, closed: false, acceptingOrders: true, enableOrderBook: true, negRisk: false },
    ...{ orderMinSize: 5, orderPriceMinTickSize: 0.01, feesEnabled: false, endDate: '2027-01-01T00:00:00Z' },
    ...change,
  };
}

function event(n: number, markets: Raw[], change: Raw = {}): Raw {
  return { id: String(n), slug: `event-${n}`, title: `Event ${n}`, closed: false, active: true, markets, ...change };
}

let standIn: GammaStandIn;
let paper: Venue | undefined;

async function open(events: Raw[], troubles: GammaStandIn['troubles'] = []): Promise<Venue> {
  standIn = new GammaStandIn(events);
  standIn.troubles.push(...troubles);
  paper = await openPaper(await standIn.open());
  return paper;
}

beforeEach(() => {
  paper = undefined;
});

afterEach(async () => {
  await paper?.close();
  await standIn.close();
});

async function listedIds(venue: Venue, kind: 'events' | 'markets'): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: Record<string, unknown> = await venue.get(
      `/gamma/${kind}/keyset?closed=false&limit=100&after_cursor=${cursor}`,
    );
    ids.push(...(page[kind] as { id: string }[]).map(({ id }) => id));
    cursor = page.next_cursor as string | undefined;
  }
  return ids;
}

interface State {
  readonly markets: number;
  readonly left_out: { reason: string; count: number }[];
  readonly catalogue_complete: boolean;
}

describe('the catalogue of a venue as it is', () => {
  it('is listed whole over pages that fail, are throttled, are cut off or make no sense', async () => {
    const events = Array.from({ length: 300 }, (_, n) => event(n, [market(2 * n), market(2 * n + 1)]));
    const end =
      (status: number, text = '') =>
      (response: ServerResponse) => {
        response.statusCode = status;
        response.end(text);
      };
    const troubles = [
      end(429),
      end(500),
      end(502, '<html>'),
      end(200, '{"events":[{"id":"4'),
      end(200, '{"events":null}'),
    ];
    const venue = await open(events, [...troubles, (response) => void response.destroy(), ...troubles]);
    expect(await listedIds(venue, 'events')).toEqual(events.map(({ id }) => id));
    expect(await listedIds(venue, 'markets')).toEqual(Array.from({ length: 600 }, (_, n) => String(n)));
    await expect
      .poll(() => venue.get<State>('/_control/paper'))
      .toMatchObject({ markets: 600, left_out: [], catalogue_complete: true });
  });

  it('loses nothing for fields that are null, numbers as text and titles of 300 characters, and counts what cannot be traded by its reason', async () => {
    const long = 'x'.repeat(300);
    const markets = [
      market(1, {
        question: long,
        groupItemTitle: null,
        description: null,
        negRisk: null,
        secondsDelay: null,
        feeSchedule: null,
      }),
      market(2, { orderMinSize: '5', orderPriceMinTickSize: '0.001', secondsDelay: '3' }),
      market(3, { feesEnabled: true, feeSchedule: { rate: '0.04', exponent: '1' } }),
      market(4, { feesEnabled: true, feeSchedule: null }),
      market(5, { outcomes: '["A","B","C"]', clobTokenIds: '["51","52","53"]' }),
      market(6, { orderPriceMinTickSize: null }),
      market(7, { orderMinSize: null }),
      market(8, { conditionId: null }),
      market(9, { version: 'v9' }),
      market(10, { enableOrderBook: false }),
      market(11, { clobTokenIds: 'not json', endDate: 'soon' }),
    ];
    const venue = await open([event(1, markets, { title: long, slug: null, series: null, endDate: null })]);
    const { events } = await venue.get<{ events: Raw[] }>('/gamma/events/keyset?closed=false&limit=100');
    expect(events).toEqual([event(1, markets, { title: long, slug: null, series: null, endDate: null })]);
    const { left_out } = await venue.get<State>('/_control/paper');
    expect(Object.fromEntries(left_out.map(({ reason, count }) => [reason, count]))).toEqual({
      'its fee is not known': 1,
      'it does not have two outcomes and two tokens': 2,
      'its tick size is not known': 1,
      'its minimum size is not known': 1,
      'its condition id is missing': 1,
      'its protocol version is not known': 1,
      'it has no order book': 1,
    });
    expect(await venue.get(`/tick-size?token_id=21`)).toEqual({ minimum_tick_size: 0.001 });
    expect(
      (await venue.get<{ markets: Raw[] }>(`/gamma/markets/keyset?condition_ids=${hex(2)}`)).markets,
    ).toMatchObject([{ secondsDelay: '3', events: [{ id: '1', title: long }] }]);
  });
});

describe('a page of the catalogue', () => {
  it('goes on by id where that is the order, whatever was listed in between, and finds by every name', async () => {
    const ids = [5, 30, 7, 12, 400, 3];
    const venue = await open([
      event(
        1,
        ids.map((id) => market(id)),
      ),
    ]);
    await listedIds(venue, 'markets');
    const pages = async (query: string) => {
      const seen: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: { markets: Raw[]; next_cursor?: string } = await venue.get(
          `/gamma/markets/keyset?limit=2&order=id&${query}&after_cursor=${cursor}`,
        );
        seen.push(...page.markets.map(({ id }) => String(id)));
        cursor = page.next_cursor;
      }
      return seen;
    };
    expect(await pages('ascending=true')).toEqual(['3', '5', '7', '12', '30', '400']);
    expect(await pages('ascending=false')).toEqual(['400', '30', '12', '7', '5', '3']);
    for (const name of ['id=12', 'slug=market-12', `condition_ids=${hex(12)}`, 'clob_token_ids=122'])
      expect(await pages(name)).toEqual(['12']);
    expect(await venue.get('/gamma/markets?offset=4&limit=2')).toMatchObject([{ id: '400' }, { id: '3' }]);
  });
});

describe('what a market of the venue pays', () => {
  const pays = (change: Raw) => {
    const read = readListing(market(1, { closed: true, umaResolutionStatus: 'resolved', ...change }));
    return typeof read === 'string' ? read : read.payouts;
  };

  it.each([
    [{ outcomePrices: '["1","0"]' }, [1, 0]],
    [{ outcomePrices: '["0","1"]', umaResolutionStatus: null }, [0, 1]],
    [{ outcomePrices: '["0.5","0.5"]' }, [1, 1]],
    [{ outcomePrices: '["0.3","0.7"]' }, [300_000, 700_000]],
  ])('is read from %o', (change, payouts) => {
    expect(pays(change)).toEqual(payouts);
  });

  it.each([
    [{ outcomePrices: '["0.5","0.5"]', umaResolutionStatus: null }],
    [{ outcomePrices: '["1","0"]', umaResolutionStatus: 'proposed' }],
    [{ outcomePrices: '["1","0"]', closed: false }],
    [{ outcomePrices: '["0.3","0.3"]' }],
    [{ outcomePrices: null }],
  ])('is not known from %o', (change) => {
    expect(pays(change)).toBeUndefined();
  });
});
