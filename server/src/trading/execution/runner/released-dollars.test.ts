import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { bookOf, feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { LiveQuote } from '../../../market/markets/live-quotes.ts';
import { storeOpportunities } from '../../../market/opportunities/stored.fixture.ts';
import type { CrashPoint } from '../../../platform/runtime/crash-point.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { requestCancel } from '../../orders/intents.ts';
import { limitUse } from '../../under-way/limit-use.ts';
import { reserveAnew } from '../../under-way/reserve.ts';
import { die, ended, LEASE_OVER_MS, pass, recordedBatch, snapshotOf, start, until } from './runner.fixture.ts';
import { scriptedTrading } from './scripted-trading.fixture.ts';

const SLOT_AFTER_MS = 5000;
const TAKES = usdFromText('8');

function quoteOf(position: Position): LiveQuote {
  return {
    ...position,
    tokenId: position.marketId.replace('market-', ''),
    market: { ...marketOf(position.marketId), feeSchedule: feeOf(0), minOrderSize: sharesFromText('1') },
    book: bookOf([[0.4, 500]]),
    midpoint: null,
    lastTrade: null,
    feed: 'polled',
    bookAgeMs: 0,
  };
}

/** A batch of $8 that is recorded while the account has to wait for its next call. */
async function waiting(test: TestRuntime, slotAfterMs = SLOT_AFTER_MS) {
  const { runtime } = test;
  const venue = scriptedTrading(runtime);
  const { pace } = venue.venue.trading ?? {};
  if (pace === undefined) throw new Error('the scripted venue trades');
  const cash = { now: '1000' };
  const reading = () => ({ cash: usdFromText(cash.now), allowances: null, at: runtime.clock.now() });
  const quotesOf = (positions: readonly Position[]) => positions.map(quoteOf);
  const parts = {
    quotes: { current: quotesOf, fresh: async (positions: readonly Position[]) => quotesOf(positions) },
    account: { reading, refresh: async () => reading(), stop: () => {} },
  };
  const open = () => start(test, venue, parts);
  const batchId = await recordedBatch(test, { MIN_ORDER_SHARES: 1 });
  const id = (await snapshotOf(test, batchId))?.batch.opportunityId ?? '';
  const now = runtime.clock.now();
  const opportunity = { marketCombinations: [], targetPrice: priceFromText('1'), active: true, contentHash: batchId };
  await storeOpportunities(runtime.db, [{ ...opportunity, id, createdAt: now, updatedAt: now }]);
  pace.rateLimited('orders', slotAfterMs, now);
  const used = async () => (await limitUse(runtime.db, runtime.clock.now())).openExposure;
  const isReleased = () => until(test, batchId, ({ batch: { releasedAt } }) => releasedAt !== null);
  const begin = async () => {
    const { placing } = await open();
    placing.wake(batchId);
    return placing;
  };
  return { venue, parts, begin, open, batchId, cash, pace, used, isReleased };
}

it('a batch that waits for the pace of its venue frees its dollars after a second, and takes them again once it leaves', async () => {
  await using test = await openTestRuntime();
  const { venue, begin, batchId, used, isReleased } = await waiting(test);
  const placing = await begin();
  const { attempts } = await until(test, batchId, (state) => state.attempts.length === 2);
  expect(await used()).toBe(TAKES);
  const { batch } = await isReleased();
  expect((batch.releasedAt ?? 0) - (attempts[0]?.createdAt ?? 0)).toBeGreaterThanOrEqual(1000);
  expect([await used(), venue.posted, batch.status]).toEqual([USD_ZERO, [], 'processing']);
  const after = await until(test, batchId, ended);
  expect(after.batch).toMatchObject({ status: 'completed', releasedAt: null, lastError: null });
  expect([await used(), venue.posted.length]).toEqual([TAKES, 2]);
  await placing.stop();
});

it.each([
  ['before it is judged', 'judged'],
  ['between that and the record of its sending, which asks again under the locks of placing', 'recorded'],
])('it does not leave where its dollars were spent %s', async (_, when) => {
  await using test = await openTestRuntime();
  const { venue, begin, batchId, cash, pace, used, isReleased } = await waiting(test);
  const placing = await begin();
  const { leave } = pace;
  await isReleased();
  if (when === 'judged') cash.now = '5';
  pace.leave = (...given) => {
    cash.now = '5';
    leave.apply(pace, given);
  };
  const { batch } = await until(test, batchId, ended);
  expect(batch).toMatchObject({ status: 'failed', releasedAt: null });
  expect(batch.lastError).toMatch(/^Not sent: The balance is \$5\.00, needs \$8\.00/);
  expect([await used(), venue.posted]).toEqual([USD_ZERO, []]);
  await placing.stop();
});

it('the next process finds what the one before it has freed, and sends it once', async () => {
  await using test = await openTestRuntime();
  const { venue, begin, open, batchId, used, isReleased } = await waiting(test);
  const placing = await begin();
  await isReleased();
  await placing.stop();
  const next = await open();
  expect(await used()).toBe(USD_ZERO);
  expect((await until(test, batchId, ended)).batch).toMatchObject({ status: 'completed', releasedAt: null });
  expect([await used(), venue.posted.length]).toEqual([TAKES, 2]);
  await next.placing.stop();
});

it('canceled while its dollars are free, it ends with nothing sent', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  const { venue, begin, batchId, used, isReleased } = await waiting(test);
  const placing = await begin();
  await isReleased();
  await runtime.db.transaction((tx) => requestCancel(tx, runtime, batchId));
  placing.wake(batchId);
  const { batch } = await until(test, batchId, ended);
  expect(batch).toMatchObject({ status: 'canceled', releasedAt: null });
  expect([await used(), venue.posted]).toEqual([USD_ZERO, []]);
  await placing.stop();
});

/** Longer than a lease: another process has taken the batch over by then. */
const SLOT_AFTER_LEASE_MS = 20_000;

/** A process that died at this point, with what its batch has reserved then. */
async function killed(test: TestRuntime, point: CrashPoint, passing: number) {
  const desk = await waiting(test, SLOT_AFTER_LEASE_MS);
  await die(test, desk.venue, desk.batchId, { point, passing }, desk.parts);
  return { ...desk, reserved: await desk.used() };
}

describe('of a process that dies around the release of dollars', () => {
  it.each([
    { point: 'attempts_committed', passing: 1, reserved: TAKES },
    { point: 'lease_taken', passing: 2, reserved: TAKES },
    { point: 'dollars_released', passing: 1, reserved: USD_ZERO },
    { point: 'lease_taken', passing: 3, reserved: USD_ZERO },
    { point: 'release_judged', passing: 1, reserved: USD_ZERO },
    { point: 'marked_sent', passing: 1, reserved: TAKES },
    { point: 'venue_answered', passing: 1, reserved: TAKES },
    { point: 'outcomes_recorded', passing: 1, reserved: TAKES },
  ] as const)(
    'as it passes $point ($passing), $reserved micro-dollars stay reserved, and the next one buys once',
    async ({ point, passing, reserved }) => {
      await using test = await openTestRuntime();
      const left = await killed(test, point, passing);
      const { venue, open, batchId, used } = left;
      expect(left.reserved).toBe(reserved);
      await pass(test, LEASE_OVER_MS);
      const { placing } = await open();
      const { batch } = await until(test, batchId, ended);
      expect(batch).toMatchObject({ status: 'completed', releasedAt: null, lastError: null });
      expect([venue.orders.size, new Set(venue.posted).size]).toEqual([2, 2]);
      expect(await used()).toBe(TAKES);
      // What the accounts of money under way say is what the rows say.
      expect(await reserveAnew(test.runtime.db, sql`true`)).toBe(0);
      await placing.stop();
    },
  );

  it.each([
    { when: 'before the release', point: 'lease_taken', passing: 2 },
    { when: 'after the release', point: 'dollars_released', passing: 1 },
  ] as const)('dead $when, nothing leaves where the dollars were spent meanwhile', async ({ point, passing }) => {
    await using test = await openTestRuntime();
    const { venue, open, batchId, cash, used } = await killed(test, point, passing);
    cash.now = '5';
    await pass(test, LEASE_OVER_MS);
    const { placing } = await open();
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'failed', releasedAt: null });
    expect(batch.lastError).toMatch(/^Not sent: The balance is \$5\.00, needs \$8\.00/);
    expect([await used(), venue.posted]).toEqual([USD_ZERO, []]);
    await placing.stop();
  });

  it.each([
    { when: 'before the release', point: 'lease_taken', passing: 2 },
    { when: 'after the release', point: 'dollars_released', passing: 1 },
    { when: 'as the release was judged again', point: 'release_judged', passing: 1 },
  ] as const)('dead $when, nothing leaves where the batch was canceled meanwhile', async ({ point, passing }) => {
    await using test = await openTestRuntime();
    const { venue, open, batchId, used } = await killed(test, point, passing);
    const { runtime } = test;
    await runtime.db.transaction((tx) => requestCancel(tx, runtime, batchId));
    await pass(test, LEASE_OVER_MS);
    const { placing } = await open();
    const { batch } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'canceled', releasedAt: null });
    expect([await used(), venue.posted]).toEqual([USD_ZERO, []]);
    await placing.stop();
  });
});
