import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { openFixture, StreamClient } from '../adapters/polymarket/exchange-fixture.ts';
import type { EventListing } from '../catalogue/listing.ts';
import { takerFee } from '../matching/fee.ts';
import type { Market } from '../matching-engine/market.ts';
import { type OpenExchange, openExchange } from '../start-exchange.ts';
import { type DrawnCase, drawCases } from './cases.ts';
import { DECOYS } from './decoys.ts';
import { PLANTED_KINDS } from './planted-case.ts';

const COUNTS = { events: 120, mispriced: 48, decoys: 48 };
const START_MS = 1_780_000_000_000;

interface Truth {
  readonly event_id: string;
  readonly event_ids: readonly string[];
  readonly kind: string;
  readonly market_ids: readonly string[];
  readonly outcomes: readonly string[];
  readonly direction: string;
  readonly payout_usd: string;
  readonly is_decoy: boolean;
  readonly trap: string | null;
  readonly is_void_prone: boolean;
  readonly edge_usd: string;
  readonly size: string;
  readonly profit_usd: string;
  readonly windows: readonly { from_ms: number; until_ms: number | null; edge_usd: string; profit_usd: string }[];
}

const open: OpenExchange[] = [];

afterEach(async () => {
  for (const exchange of open.splice(0)) await exchange.close();
});

/** Its clock stands still until it is advanced. */
async function openPlanted(seed: number): Promise<OpenExchange> {
  const timers = { now: () => START_MS, setTimeout: () => 0, clearTimeout: () => {} };
  const exchange = await openExchange({ seed, planted: COUNTS, timers });
  open.push(exchange);
  return exchange;
}

async function truthOf({ app }: OpenExchange): Promise<Truth[]> {
  return (await app.inject('/_control/planted')).json<Truth[]>();
}

async function plant({ app }: OpenExchange, body: object): Promise<number> {
  return (await app.inject({ method: 'POST', url: '/_control/plant', payload: JSON.stringify(body) })).statusCode;
}

/** Micro-dollars that a share costs with its fee; null where it is not on offer. */
function priceOf({ book, listing, hasBooks }: Market, outcome: string): number | null {
  const isFirst = outcome === listing.outcomes[0];
  const best = hasBooks ? book.best(isFirst ? 'ask' : 'bid') : undefined;
  if (best === undefined) return null;
  return (isFirst ? best : 1_000_000 - best) + takerFee(ONE_SHARE, best, listing.feeRate);
}

function edgeOf({ engine }: OpenExchange, { market_ids, outcomes, payout_usd }: Truth): number {
  const costs = market_ids.map((id, leg) => {
    const market = engine.directory.market(id);
    return market === undefined ? null : priceOf(market, outcomes[leg] ?? '');
  });
  return costs.reduce((left: number, cost) => left - (cost ?? Number.NaN), Number(payout_usd) * 1_000_000);
}

interface ListedCase {
  readonly drawn: DrawnCase;
  readonly events: readonly EventListing[];
  readonly markets: readonly Market[];
}

function listedCases({ engine }: OpenExchange, seed: number): ListedCase[] {
  const cases = drawCases(seed, COUNTS);
  const listed = engine.directory.events.slice(-cases.flatMap(({ events }) => events).length);
  return cases.map((drawn) => {
    const events = listed.splice(0, drawn.events.length);
    const markets = events.flatMap((event) =>
      event.markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []),
    );
    return { drawn, events, markets };
  });
}

/** Every way in which the markets may turn out together. */
function worldsOf({ drawn, events, markets }: ListedCase): boolean[][] {
  const places = [...markets.keys()];
  const isDecidedSo = (world: boolean[]) =>
    markets.every(({ winner }, place) => winner === undefined || world[place] === (winner === 0));
  return possible().filter(isDecidedSo);

  function possible(): boolean[][] {
    if (drawn.kind === 'buckets' && drawn.trap === null)
      return [0, 1, 2, 3].map((range) => [...[0, 1, 2, 3].map((place) => place === range), range >= 2]);
    if (drawn.kind === 'twin' && drawn.trap === null)
      return [
        [true, true],
        [false, false],
      ];
    if (events[0]?.isLadder === true) return [-1, ...places].map((last) => places.map((place) => place <= last));
    const every = Array.from({ length: 2 ** markets.length }, (_, bits) =>
      places.map((place) => Math.floor(bits / 2 ** place) % 2 === 1),
    );
    if (events[0]?.negRisk !== true) return every;
    const ownPlaces = places.filter((place) => markets[place]?.event === events[0]);
    return every.filter((world) => {
      const winners = ownPlaces.filter((place) => world[place]).length;
      return winners === 1 || (winners === 0 && events[0]?.isExhaustive === false);
    });
  }
}

/** What the best of all sets leaves in the world in which it pays least. */
function bestEdge(listed: ListedCase): number {
  const worlds = worldsOf(listed);
  let best = 0;
  const extend = (place: number, cost: number, pays: readonly number[]): void => {
    const market = listed.markets[place];
    if (market === undefined) {
      best = Math.max(best, Math.min(...pays) * 1_000_000 - cost);
      return;
    }
    extend(place + 1, cost, pays);
    for (const outcome of market.isAccepting ? market.listing.outcomes : []) {
      const price = priceOf(market, outcome);
      if (price === null) continue;
      const more = pays.map(
        (pay, index) => pay + (worlds[index]?.[place] === (outcome === market.listing.outcomes[0]) ? 1 : 0),
      );
      extend(place + 1, cost + price, more);
    }
  };
  extend(
    0,
    0,
    worlds.map(() => 0),
  );
  return best;
}

describe('the planted events', () => {
  it('are of every kind and trap, with an edge of some ticks that the books have', async () => {
    const exchange = await openPlanted(1);
    const truth = await truthOf(exchange);
    const wrong = truth.filter(({ is_decoy }) => !is_decoy);
    const decoys = truth.filter(({ is_decoy }) => is_decoy);
    expect([wrong.length, decoys.length]).toEqual([COUNTS.mispriced, COUNTS.decoys]);
    expect(new Set(wrong.map(({ kind }) => kind))).toEqual(new Set(PLANTED_KINDS));
    expect(new Set(decoys.map(({ trap }) => trap))).toEqual(new Set(Object.keys(DECOYS)));
    for (const row of wrong) {
      expect(edgeOf(exchange, row)).toBe(Math.round(Number(row.edge_usd) * 1_000_000));
      expect(Number(row.edge_usd)).toBeGreaterThanOrEqual(0.02);
      expect(Number(row.edge_usd)).toBeLessThan(0.045);
      expect(Number(row.size)).toBeGreaterThanOrEqual(20);
      expect(Number(row.profit_usd)).toBeCloseTo(Number(row.edge_usd) * Number(row.size), 5);
      expect(row).toMatchObject({ trap: null, is_void_prone: row.kind === 'void_prone' });
      expect(row.windows).toMatchObject([{ from_ms: START_MS, until_ms: null, edge_usd: row.edge_usd }]);
    }
    for (const row of decoys) expect(edgeOf(exchange, row) > 0).toBe(row.trap !== 'fees');
  });

  it.each([1, 2, 3])(
    'hold no set that pays but the planted one, which is the best of its event (seed %i)',
    async (seed) => {
      const exchange = await openPlanted(seed);
      const truth = new Map((await truthOf(exchange)).map((row) => [row.event_id, row]));
      for (const listed of listedCases(exchange, seed)) {
        const row = truth.get(listed.events[0]?.id ?? '');
        const { isFair, trap } = listed.drawn;
        const expected = isFair || trap !== null ? 0 : Math.round(Number(row?.edge_usd) * 1_000_000);
        expect([listed.events[0]?.title, listed.drawn.kind, trap, bestEdge(listed)]).toEqual([
          listed.events[0]?.title,
          listed.drawn.kind,
          trap,
          expected,
        ]);
      }
    },
  );

  it('are quoted over REST, on the stream and in the catalogue like others', async () => {
    const fixture = await openFixture({ seed: 2, planted: COUNTS });
    const { url } = fixture.exchange;
    const read = async (path: string) => (await fetch(`${url}${path}`)).json();
    const first = ((await read('/_control/planted')) as Truth[]).find(
      ({ kind, trap }) => kind === 'ladder' && trap === null,
    );
    const [market] = (await read(`/gamma/markets?condition_ids=${first?.market_ids[0]}`)) as {
      clobTokenIds?: string;
      positionIds?: string[];
      bestAsk: number;
      events: { id: string }[];
    }[];
    const [token = ''] = market?.positionIds ?? (JSON.parse(market?.clobTokenIds ?? '[]') as string[]);
    expect(first?.event_ids).toContain(market?.events[0]?.id);
    const book = (await read(`/book?token_id=${token}`)) as { asks: { price: string; size: string }[] };
    expect(Number(book.asks.at(-1)?.price)).toBe(market?.bestAsk);
    const stream = await StreamClient.open(fixture.exchange, 'market', { type: 'market', assets_ids: [token] });
    expect(await stream.expect<object>((frame) => 'asks' in frame)).toMatchObject({ asset_id: token, asks: book.asks });

    await fixture.control('plant', { move: true });
    const reported = await stream.expect<{ price_changes: { best_ask: string }[] }>(
      (frame) => 'price_changes' in frame,
    );
    expect(Number(reported.price_changes[0]?.best_ask)).toBeGreaterThan(market?.bestAsk ?? 1);
    stream.close();
    await fixture.exchange.close();
  });

  it('are the same from the same seed, and behind the events that are always there', async () => {
    const [one, same, other] = [await openPlanted(4), await openPlanted(4), await openPlanted(5)];
    expect(await truthOf(one)).toEqual(await truthOf(same));
    expect(await truthOf(one)).not.toEqual(await truthOf(other));
    const plain = await openExchange({ seed: 4 });
    open.push(plain);
    const ids = ({ engine }: OpenExchange) => engine.directory.events.map(({ id, title }) => `${id} ${title}`);
    expect(ids(one).slice(0, ids(plain).length)).toEqual(ids(plain));
    expect(new Set(ids(one)).size).toBe(ids(one).length);
    const tokens = one.engine.directory.all().flatMap((market) => market.tokens);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(new Set(one.engine.directory.all().map(({ listing }) => listing.slug)).size).toBe(tokens.length / 2);
    expect(await truthOf(plain)).toEqual([]);
    expect(await plant(plain, { move: true })).toBe(409);
  });

  it('stand still until they are asked to come and go, and say from when until when they pay', async () => {
    const exchange = await openPlanted(6);
    const still = await truthOf(exchange);
    exchange.engine.clock.advance(60_000);
    expect(await truthOf(exchange)).toEqual(still);

    expect(await plant(exchange, { move: true, pause_ms: 10_000, length_ms: 3_000 })).toBe(200);
    exchange.engine.clock.advance(60_000);
    const moved = (await truthOf(exchange)).filter(({ is_decoy }) => !is_decoy);
    for (const { windows } of moved) {
      expect(windows[0]?.until_ms).toBe(START_MS + 60_000);
      expect(windows.length).toBeGreaterThanOrEqual(3);
      for (const { from_ms, until_ms, profit_usd } of windows.slice(1, -1)) {
        expect((until_ms ?? 0) - from_ms).toBeGreaterThanOrEqual(1_500);
        expect((until_ms ?? 0) - from_ms).toBeLessThanOrEqual(4_500);
        expect(Number(profit_usd)).toBeGreaterThan(0);
      }
    }
    const isOpen = ({ windows }: Truth) => windows.at(-1)?.until_ms === null;
    expect(moved.some(isOpen)).toBe(true);
    for (const row of moved) expect(edgeOf(exchange, row) > 0).toBe(isOpen(row));

    await plant(exchange, { move: false });
    const rested = await truthOf(exchange);
    exchange.engine.clock.advance(60_000);
    expect(await truthOf(exchange)).toEqual(rested);
  });
});
