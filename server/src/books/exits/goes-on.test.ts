import type { Market } from '@dutchbook/engine/market/market.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import {
  boughtBatch,
  type ChainSite,
  onChain,
  openChainDesk,
  openChainSite,
} from '../../trading/chain-steps/chain.fixture.ts';
import { startAutomaticExits } from './automatic.ts';

let site: ChainSite;
beforeAll(async () => {
  // A plain key sends one call in each transaction.
  site = await openChainSite(0);
});
afterAll(async () => {
  await site.venue.close();
  await site.exchange.stop();
});

/** The members of an event of Protocol V2 that lists all of them. */
async function wholeEvent(): Promise<Market[]> {
  const ids = new Set(site.markets.flatMap(({ event }) => (event?.negRisk === true ? [event.id] : [])));
  const events = await site.venue.catalogue.eventsById([...ids], 'display');
  const whole = events.find(
    ({ members }) => members[0]?.arity !== null && members.length === (members[0]?.arity ?? 0) + 1,
  );
  return site.markets.filter(({ event }) => event?.id === whole?.id);
}

it('goes on where a call hands out what the next one takes, and stops when trading is disarmed', async () => {
  await using test = await openTestRuntime({ VENUE: 'simulated' });
  const desk = openChainDesk(test, site);
  const { trading } = site.venue;
  if (trading === null) throw new Error('the venue trades');
  const settings = { current: () => ({ auto_cash_now: false, auto_cash_now_min_usd: USD_ZERO, auto_redeem: false }) };
  const loop = desk.keep();
  const chosen = (await wholeEvent()).slice(0, 2);
  for (const { id } of chosen) await site.control.split(id, '10');
  const before = await onChain(site, []);
  const batchId = await boughtBatch(
    test,
    chosen.map((market) => ({ market, outcome: 1, shares: '10', cost: '4' })),
  );
  const { requestId, refusal } = await desk.cashNow({ batchId });
  expect(refusal).toBeNull();
  const kinds = async () =>
    (await desk.submissions(requestId)).map(({ row, steps }) => [steps[0]?.kind, row.status, row.expected]);
  await desk.untilIdle();
  expect(await kinds()).toEqual([['convert', 'confirmed', 0]]);
  desk.controls.armed = false;
  const stop = startAutomaticExits({ ...desk.parts, trading, partitions: onlyEngine().partitions, settings });
  await test.time.advance(10_000);
  expect(await kinds()).toHaveLength(1);
  desk.controls.armed = true;
  await test.time.advance(10_000);
  await desk.untilIdle();
  expect(await kinds()).toEqual([
    ['convert', 'confirmed', 0],
    ['merge', 'confirmed', 10_000_000],
  ]);
  expect((await onChain(site, [])).cash - before.cash).toBe(10_000_000);
  const { orders, received, batch } = await desk.stateOf(batchId);
  expect(orders.map(({ soldSize }) => soldSize)).toEqual([10_000_000, 10_000_000]);
  expect(received.filter(({ soldSize }) => soldSize > 0)).toHaveLength(1);
  expect(batch.actualProfit).toBe(2_000_000);
  await test.time.advance(20_000);
  expect(await kinds()).toHaveLength(2);
  stop();
  await loop.stop();
});
