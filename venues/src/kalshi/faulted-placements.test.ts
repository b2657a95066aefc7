/**
 * Placements whose calls fail in every way that the venue's have: none is doubled, lost or left unexplained. `FAULTED_PLACEMENTS=10000`
 * for more than a change is tested with.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { OrderName } from '@dutchbook/units/ids.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { order } from '../conformance/orders.ts';
import type { SignedOrder, Venue, VenueTrading } from '../venue.ts';
import { KalshiWorld } from './kalshi-bench.fixture.ts';

const PLACEMENTS = Number(process.env.FAULTED_PLACEMENTS ?? 200);
/** Placements under way at once, each in a market of its own. */
const LANES = 20;
const AGAIN_MS = 20;
const FAULTS = [
  ['drop_response', {}],
  ['drop_response', { before: true }],
  ['accept_then_500', {}],
  ['rate_limit_429', {}],
] as const;

type Belief = 'placed' | 'rejected';

let world: KalshiWorld;
let venue: Venue;

beforeAll(async () => {
  world = await KalshiWorld.start();
  venue = await world.openVenue({ requestTimeoutMs: 5_000 });
  const bucket = { refill: 1_000_000, capacity: 1_000_000 };
  await world.control.call('limits', { tier: 'prime', read: bucket, write: bucket });
});
afterAll(async () => world?.stop());

/** Places one order whatever happens to its calls, and takes it off again. @returns what is known of it then */
async function settled(trading: VenueTrading, market: Market, signed: SignedOrder): Promise<Belief> {
  for (;;) {
    const [outcome] = await trading.postOrders([signed]);
    if (outcome?.kind === 'rejected') return 'rejected';
    if (outcome?.kind === 'rate_limited') {
      await pause(AGAIN_MS);
      continue;
    }
    if (outcome?.kind === 'unknown') {
      const lookup = await known(() => trading.lookupOrder(signed.orderHash, market.id));
      if (lookup.kind === 'absent') continue;
    }
    await known(async () => {
      const [canceled] = await trading.cancelOrders([signed.orderHash]);
      return { kind: canceled?.kind ?? 'unknown' };
    });
    return 'placed';
  }
}

/** Asks until there is an answer. */
async function known<Answer extends { kind: string }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.kind !== 'unknown') return answer;
    await pause(AGAIN_MS);
  }
}

it('of placements whose calls are lost, refused and cut off none is doubled, lost or unexplained', async () => {
  const { trading } = venue;
  if (trading === null) return expect.unreachable();
  const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1000 });
  const markets = data.filter(({ tick }) => tick === 10_000).slice(0, LANES);
  const beliefs = new Map<OrderName, Belief>();
  let left = PLACEMENTS;
  const lane = async (market: Market, nth: number) => {
    const [yes] = market.outcomes;
    if (yes === undefined) return;
    await world.control.quote(yes.tokenId, [], []);
    while (left > 0) {
      left -= 1;
      const [name, details] = FAULTS[(left + nth) % FAULTS.length] ?? ['drop_response', {}];
      if (left % 3 > 0) await world.control.fault(name, { ...details, times: 1 });
      const signed = await trading.signOrder(order(market, yes, 'buy 10 at 0.2'));
      beliefs.set(signed.orderHash, await settled(trading, market, signed));
    }
  };
  await Promise.all(markets.map(lane));
  await world.control.clearFaults();
  const { orders } = await world.control.state();
  const there = Map.groupBy(orders, ({ id }) => id);
  const believed = (belief: Belief) => [...beliefs].filter(([, each]) => each === belief).map(([name]) => name);
  expect(beliefs.size).toBe(PLACEMENTS);
  expect([...there.keys()].filter((name) => !beliefs.has(name))).toEqual([]);
  expect(believed('placed').filter((name) => there.get(name)?.length !== 1)).toEqual([]);
  expect(believed('rejected').filter((name) => there.has(name))).toEqual([]);
  expect(believed('placed').length).toBeGreaterThan(PLACEMENTS / 2);
  expect((await trading.openOrders()).map(({ orderHash }) => orderHash)).toEqual([]);
}, 1_800_000);
