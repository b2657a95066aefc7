import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { UnreadableTrade } from '@dutchbook/venues/venue.ts';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../../people/notifications/table.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { presentError } from '../../orders/attempt-wording.ts';
import type { BatchState } from '../../orders/batch-state.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

const IS_UNREADABLE = eq(notifications.notificationType, 'trade_unreadable');
const PART = sharesFromText('4');
const ONE = sharesFromText('1');

/** A batch of which the venue has refused every order, and the first of them. */
async function refused(test: TestRuntime, { venue, placing }: Awaited<ReturnType<typeof start>>) {
  venue.onPost(() => ({ kind: 'rejected', reason: 'not enough balance / allowance' }));
  const batchId = await recordedBatch(test);
  placing.wake(batchId);
  const { attempts } = await until(test, batchId, ended);
  const [first] = attempts;
  if (!first) throw new Error('there is no attempt');
  return { batchId, first };
}

/** A batch until time is up: one order filled, of the other, `held` by the venue, a part; both have been read. */
async function partFilled(test: TestRuntime, { venue, placing }: Awaited<ReturnType<typeof start>>) {
  venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : PART));
  const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
  placing.wake(batchId);
  const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 2);
  const held = venue.orders.get(attempts[1]?.orderHash ?? '');
  if (!held) throw new Error('there is no second order');
  return { batchId, held };
}

/** A batch of which one order is filled; the other has been read at rest, and then reads as null. */
async function nullAfterCancel(test: TestRuntime, { venue, placing }: Awaited<ReturnType<typeof start>>) {
  venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : sharesFromText('0')));
  const batchId = await recordedBatch(test);
  placing.wake(batchId);
  const { attempts } = await until(test, batchId, ({ fills, attempts: all }) => {
    return fills.length === 1 && all[1]?.matchedSize === 0;
  });
  const lookup = await venue.venue.trading?.lookupOrder(attempts[1]?.orderHash ?? '');
  const held = venue.orders.get(attempts[1]?.orderHash ?? '');
  if (lookup?.kind !== 'found' || !held) throw new Error('the second order does not rest');
  venue.orders.delete(lookup.order.orderHash);
  return { batchId, order: lookup.order, held };
}

describe('how orders end', () => {
  it('completes a batch that was stored before there were the settings it is ended by', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order));
    const batchId = await recordedBatch(test);
    const later = ['BATCH_MIN_SUCCESS_RATE', 'BATCH_COMPLETION_TIMEOUT_HOURS', 'MIN_PROFIT_RETRY_THRESHOLD'];
    for (const name of later)
      await test.runtime.db.execute(sql`update batches set settings = settings - ${name}::text where id = ${batchId}`);
    placing.wake(batchId);
    expect((await until(test, batchId, ended)).batch.status).toBe('completed');
    await placing.stop();
  });

  it('takes the rest of an order off the book that no order could be for, and ends the batch whole', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const almost = (SIZE - 2000) as typeof SIZE;
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : almost));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders, attempts } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', unhedged: null, unhedgedSince: null, lastError: null });
    expect(attempts.map(({ status }) => status).sort()).toEqual(['canceled', 'matched']);
    const rounded = orders.find(({ filledSize }) => filledSize === almost);
    expect(rounded && presentError(rounded)).toBe(
      '[SUCCESS] 0.002 of its 10 shares are missing, less than the 0.01 that can be ordered.',
    );
    await placing.stop();
  });

  it('ends an order whose trades had failed to settle before they were first read', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      const outcome = venue.take(order);
      if (venue.orders.size === 1) venue.settle(order.orderHash, 'failed');
      return outcome;
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'partial_completed', actualProfit: usdFromText('-4') });
    expect(orders.map(({ status }) => status)).toEqual(['failed', 'filled']);
    await placing.stop();
  });

  it('ends an order that the venue forgot when it canceled it, once time is up', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : sharesFromText('0')));
    const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 1);
    venue.orders.delete(attempts[1]?.orderHash ?? '');
    await pass(test, 36_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(orders.map(({ status }) => status)).toEqual(['filled', 'canceled']);
    await placing.stop();
  });

  it('ends an order of which the venue only remembers the trades, once time is up', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, held } = await partFilled(test, { venue, placing });
    held.status = 'matched';
    await pass(test, 36_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART]);
    await placing.stop();
  });

  it.each([
    ['already canceled', 'refused'],
    ['canceled now', 'done'],
  ] as const)(
    'waits for the last trades of such an order before it ends it, where the venue calls it %s',
    async (_name, cancels) => {
      await using test = await openTestRuntime();
      const { venue, placing } = await start(test);
      const { batchId, held } = await partFilled(test, { venue, placing });
      await pass(test, 34_000);
      held.status = 'matched';
      venue.cancels = cancels;
      await pass(test, 8000);
      expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
      held.fills = held.fills.flatMap((fill) => [fill, { ...fill, tradeId: test.runtime.random.uuid(), size: ONE }]);
      const { batch, orders } = await until(test, batchId, ended);
      expect(batch.status).toBe('partial_completed');
      expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART + ONE]);
      await placing.stop();
    },
  );

  it('ends an order that was taken as delayed and that nothing shows any more, long after any delay', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const dropped: string[] = [];
    venue.onPost((order) => {
      if (venue.orders.size > 0) dropped.push(order.orderHash);
      return dropped.length === 0
        ? venue.take(order)
        : { kind: 'accepted', orderHash: order.orderHash, status: 'delayed' };
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await pass(test, 140_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    await pass(test, 15_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(orders.map(({ status }) => status)).toEqual(['filled', 'canceled']);
    expect(dropped).toHaveLength(1);
    await placing.stop();
  });

  it('ends an order that reads as null once its cancellation is reported and its trades have had time to follow', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, order } = await nullAfterCancel(test, { venue, placing });
    venue.user().onOrder({ ...order, status: 'canceled' });
    await pass(test, 5000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    await pass(test, 10_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(orders.map(({ status }) => status)).toEqual(['filled', 'canceled']);
    await placing.stop();
  });

  it('ends such an order by its absence where no report comes, and books what it turns out to have filled', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, order, held } = await nullAfterCancel(test, { venue, placing });
    await pass(test, 25_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    await pass(test, 10_000);
    expect((await until(test, batchId, ended)).batch.status).toBe('partial_completed');
    venue.orders.set(order.orderHash, { ...held, status: 'matched' });
    venue.take({ orderHash: order.orderHash, salt: '1', payload: '' }, PART);
    for (const fill of venue.orders.get(order.orderHash)?.fills ?? []) venue.user().onFill(fill);
    const { orders } = await until(test, batchId, ({ fills }) => fills.length === 2);
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART]);
    await placing.stop();
  });

  it('takes an order that is matched less than a hundredth of a share short for filled', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      const outcome = venue.take(order, sharesFromText('9.997714'));
      const held = venue.orders.get(order.orderHash);
      if (held) Object.assign(held, { status: 'matched', isShownMatched: true });
      return outcome;
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders, attempts } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', unhedged: null });
    expect(orders.map(({ status }) => status)).toEqual(['filled', 'filled']);
    expect(attempts.map(({ status }) => status)).toEqual(['matched', 'matched']);
    await placing.stop();
  });

  it('tells once of a trade of ours that cannot be read, and reads the other order meanwhile', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { trading } = venue.venue;
    if (trading === null) throw new Error('the venue trades');
    const { fillsOfOrder } = trading;
    let unreadable = '';
    trading.fillsOfOrder = async (orderHash, ...rest) => {
      if (unreadable === '') unreadable = orderHash;
      if (orderHash === unreadable) throw new UnreadableTrade('t1', 'its size is not a number');
      return await fillsOfOrder(orderHash, ...rest);
    };
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 1);
    await pass(test, 10_000);
    const reported = await test.runtime.db.select().from(notifications).where(IS_UNREADABLE);
    expect(reported.map(({ data }) => data)).toMatchObject([{ trade_id: 't1', order_hash: unreadable }]);
    trading.fillsOfOrder = fillsOfOrder;
    expect((await until(test, batchId, ended)).batch.status).toBe('completed');
    await placing.stop();
  });

  it('does not believe in fewer shares than the venue had matched before it forgot the order', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, held } = await partFilled(test, { venue, placing });
    const late = held.fills.map((fill) => ({ ...fill, tradeId: test.runtime.random.uuid(), size: ONE }));
    const counted = ({ attempts: all }: BatchState) => all[1]?.matchedSize === PART + ONE;
    held.matchedMore = ONE;
    await until(test, batchId, counted);
    held.matchedMore = sharesFromText('0');
    held.status = 'matched';
    await pass(test, 60_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    held.fills = [...held.fills, ...late];
    const { orders } = await until(test, batchId, ended);
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, PART + ONE]);
    await placing.stop();
  });

  it('asks on while the venue does not answer, even after time is up', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : PART));
    const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
    placing.wake(batchId);
    await until(test, batchId, ({ fills }) => fills.length === 2);
    venue.answers = false;
    await pass(test, 60_000);
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    venue.answers = true;
    expect((await until(test, batchId, ended)).batch.status).toBe('partial_completed');
    await placing.stop();
  });

  it('never shows a batch as complete beside a trade of it that has failed, even where the process ends right after', async () => {
    await using test = await openTestRuntime();
    const runtime = { ...test.runtime, pass: test.runtime.pass };
    const { venue, placing } = await start(test, undefined, { runtime });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    await until(test, batchId, ended);
    for (const [nth, hash] of [...venue.orders.keys()].entries())
      venue.settle(hash, nth === 0 ? 'failed' : 'confirmed');
    runtime.pass = (point) => {
      if (point === 'fills_recorded') throw new Error('the process ends here');
    };
    const hasFailed = ({ fills }: BatchState) => fills.some(({ settlement }) => settlement === 'failed');
    const { batch, orders } = await until(test, batchId, hasFailed);
    expect(batch).toMatchObject({ status: 'partial_completed', actualProfit: usdFromText('-4') });
    expect(orders.map(({ status }) => status)).toEqual(['failed', 'filled']);
    await placing.stop();
  });

  it('revives an order that was given up when the venue speaks of it after all', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, first } = await refused(test, { venue, placing });
    venue.take(first, sharesFromText('3'));
    for (const fill of venue.orders.get(first.orderHash)?.fills ?? []) venue.user().onFill(fill);
    const { orders, batch } = await until(test, batchId, ({ fills }) => fills.length > 0);
    expect(orders[0]).toMatchObject({ status: 'partially_filled', filledSize: sharesFromText('3') });
    expect(batch.unhedged?.positions).toMatchObject([{ shares: sharesFromText('3') }]);
    await placing.stop();
  });

  it.each([
    ['while it ran', false],
    ['before it started again', true],
  ])('finds the trades of an order that was given up, though none were reported, from %s', async (_when, anew) => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, first } = await refused(test, { venue, placing });
    if (anew) await placing.stop();
    venue.take(first);
    const running = anew ? (await start(test, venue)).placing : placing;
    await pass(test, 35_000);
    const { batch, orders } = await until(test, batchId, ({ fills }) => fills.length > 0);
    expect(orders[0]).toMatchObject({ status: 'filled', filledSize: SIZE });
    expect(batch).toMatchObject({ status: 'partial_completed', unhedged: { positions: [{ shares: SIZE }] } });
    await running.stop();
  });

  it('takes off the book what was given up and stands there all the same, though it was not reported while it ran', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const { batchId, first } = await refused(test, { venue, placing });
    await placing.stop();
    venue.take(first, sharesFromText('3'));
    const next = await start(test, venue);
    const isCanceled = ({ attempts: all }: BatchState) => all.some(({ status }) => status === 'canceled');
    const { orders, batch } = await until(test, batchId, isCanceled);
    expect(venue.orders.get(first.orderHash)?.status).toBe('canceled');
    expect(orders[0]).toMatchObject({ status: 'partially_filled', filledSize: sharesFromText('3') });
    expect(batch).toMatchObject({ status: 'partial_completed', actualProfit: usdFromText('-1.2') });
    await next.placing.stop();
  });
});
