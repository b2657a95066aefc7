/** Of two venues of one batch one hangs or is silent: what is at the other goes on, bought or sold. */
import { cashAt, dueAt } from '@dutchbook/units/ledger-kinds.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { readBalances } from '../../ledger/balances.ts';
import type { BatchState } from '../../orders/batch-state.ts';
import { requestCancel } from '../../orders/intents.ts';
import { scriptedControls } from '../../trading-controls/controls.fixture.ts';
import { desksOf, type VenueDesk } from '../../venue-desk/desks.ts';
import { startBatchRunner } from './batch-runner.ts';
import { DEFAULT_SETTINGS, decideSale, ended, recordedBatch, SIZE, snapshotOf, until } from './runner.fixture.ts';
import { scriptedTrading } from './scripted-trading.fixture.ts';

const HANGS_MS = 10_000;
const VENUES = ['polymarket', 'kalshi'] as const;

async function startAtTwo({ runtime }: TestRuntime) {
  const [here, there] = [scriptedTrading(runtime), scriptedTrading(runtime)];
  const venues = { polymarket: here, kalshi: there };
  const reading = () => ({ cash: usdFromText('100'), allowances: null, at: runtime.clock.now() });
  const desks = desksOf(
    VENUES.map((name): VenueDesk => {
      const { trading = null, openUserStream } = venues[name].venue;
      return {
        ...{ name, trading, chain: null, moves: null, openUserStream, soundness: () => ({ clockSkewMs: null }) },
        account: { reading, refresh: async () => reading(), stop: () => {} },
        controls: scriptedControls(),
      };
    }),
  );
  const runner = await startBatchRunner({
    ...{ runtime, desks, catalogue: here.venue.catalogue },
    quotes: { current: () => [], fresh: async () => [] },
    stream: { publish: () => {}, watched: () => false },
    partitions: onlyEngine().partitions,
    found: () => ({ placesFound: false }),
    soundness: () => ({ corruptSettings: [] }),
    settings: { current: () => ({ ...DEFAULT_SETTINGS, AUTO_PLACE_ORDER_ENABLED: false }) },
  });
  return { here, there, runner };
}

/** Each call of that name waits ten seconds from now on. @returns what ends the waiting */
function hang({ runtime }: TestRuntime, at: ReturnType<typeof scriptedTrading>, name: 'postOrders' | 'lookupOrder') {
  const over = Promise.withResolvers<void>();
  const trading = at.venue.trading ?? expect.unreachable();
  const call = trading[name] as (...given: unknown[]) => Promise<unknown>;
  const later = async (...given: unknown[]) => {
    const waited = new Promise<void>((resolve) => void runtime.timers.after(HANGS_MS, resolve));
    await Promise.race([waited, over.promise]);
    return await call(...given);
  };
  Object.assign(trading, { [name]: later });
  return over.resolve;
}

it('a venue that hangs while it is sent an order holds up neither the answer nor the cancelation at another', async () => {
  await using test = await openTestRuntime();
  const { here, there, runner } = await startAtTwo(test);
  hang(test, there, 'postOrders');
  here.onPost((order) => here.take(order, 0 as never));
  const batchId = await recordedBatch(test, {}, ['101', 'kalshi:102']);
  const begun = test.time.clock.now();
  runner.wake(batchId);
  const answered = await until(test, batchId, ({ orders }) => orders[0]?.status === 'open');
  expect(answered.orders[1]?.status).toBe('processing');
  await test.runtime.db.transaction((tx) => requestCancel(tx, test.runtime, batchId));
  runner.wake(batchId);
  const canceled = await until(test, batchId, ({ orders }) => orders[0]?.status === 'canceled');
  expect(test.time.clock.now() - begun).toBeLessThan(HANGS_MS / 2);
  expect([...here.orders.values()].map(({ status }) => status)).toEqual(['canceled']);
  expect(canceled.orders[1]?.status).toBe('processing');
  const { batch, orders } = await until(test, batchId, ended);
  expect(orders.map(({ status, filledSize }) => [status, filledSize])).toEqual([
    ['canceled', 0],
    ['filled', SIZE],
  ]);
  expect(batch.status).toBe('canceled');
  expect([here.posted.length, there.posted.length]).toEqual([1, 1]);
  await runner.stop();
});

it('a venue that hangs while it is asked about an order holds up none of the fills at another', async () => {
  await using test = await openTestRuntime();
  const { here, there, runner } = await startAtTwo(test);
  const goOn = hang(test, there, 'lookupOrder');
  for (const venue of [here, there]) venue.onPost((order) => venue.take(order, 0 as never));
  const batchId = await recordedBatch(test, {}, ['101', 'kalshi:102']);
  runner.wake(batchId);
  await until(test, batchId, ({ orders }) => orders.every(({ status }) => status === 'open'));
  const [hash] = here.orders.keys();
  const begun = test.time.clock.now();
  here.take({ orderHash: hash ?? '' } as never);
  await until(test, batchId, ({ orders }) => orders[0]?.filledSize === SIZE);
  expect(test.time.clock.now() - begun).toBeLessThan(HANGS_MS);
  expect((await snapshotOf(test, batchId))?.orders[1]?.status).toBe('open');
  goOn();
  await runner.stop();
});

/** Ten shares at each of two venues, which are to be sold. */
async function soldAtTwo(test: TestRuntime, { here, there, runner }: Awaited<ReturnType<typeof startAtTwo>>) {
  const batchId = await recordedBatch(test, {}, ['101', 'kalshi:102']);
  runner.wake(batchId);
  const bought = await until(test, batchId, ended);
  for (const venue of [here, there]) for (const hash of venue.orders.keys()) venue.settle(hash, 'confirmed');
  await decideSale(test, bought, [SIZE, SIZE]);
  const cashBy = async () => {
    const balances = await readBalances(test.runtime.db);
    return VENUES.map((name) => {
      const accounts = [cashAt(name), dueAt(name)] as string[];
      const own = balances.filter(({ account, unit }) => accounts.includes(account) && unit === 'usd');
      return own.reduce((sum, { amount }) => sum + amount, 0);
    });
  };
  return { batchId, cashBy };
}

const sold = ({ sales }: BatchState) => sales.map(({ status, filledSize }) => [status, filledSize]);
const sellsAt = (venue: ReturnType<typeof scriptedTrading>) =>
  [...venue.orders.values()].flatMap(({ request }) => (request.side === 'sell' ? [request.tokenId] : []));
const [COST, GAIN] = [usdFromText('4'), usdFromText('4.5')];

it.each(['postOrders', 'lookupOrder'] as const)(
  'a sale at two venues is sent to each, and booked at the one while the other hangs at %s',
  async (call) => {
    await using test = await openTestRuntime();
    const desk = await startAtTwo(test);
    const { here, there, runner } = desk;
    const { batchId, cashBy } = await soldAtTwo(test, desk);
    expect(await cashBy()).toEqual([-COST, -COST]);
    const goOn = hang(test, there, call);
    if (call === 'lookupOrder') there.onPost(() => ({ kind: 'unknown', reason: 'no answer' }));
    const begun = test.time.clock.now();
    runner.wake(batchId);
    const half = await until(test, batchId, ({ sales }) => sales[0]?.status === 'filled');
    expect(test.time.clock.now() - begun).toBeLessThan(HANGS_MS / 2);
    expect(half.batch).toMatchObject({ soldAt: null, saleUnderWay: true });
    expect(half.sales[1]).toMatchObject({ filledSize: SHARES_ZERO });
    expect(await cashBy()).toEqual([GAIN - COST, -COST]);
    there.onPost((order) => there.take(order));
    goOn();
    const all = await until(test, batchId, ({ batch }) => batch.soldAt !== null);
    expect(sold(all)).toEqual([
      ['filled', SIZE],
      ['filled', SIZE],
    ]);
    expect([sellsAt(here), sellsAt(there)]).toEqual([['101'], ['kalshi:102']]);
    expect(await cashBy()).toEqual([GAIN - COST, GAIN - COST]);
    await runner.stop();
  },
);
