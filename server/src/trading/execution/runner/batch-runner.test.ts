import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../../test-runtime.ts';
import { ended, pass, recordedBatch, SIZE, snapshotOf, start, until } from './runner.fixture.ts';

describe('placing a batch', () => {
  it('sends every order once and completes with what was filled', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({
      status: 'completed',
      totalOrders: 2,
      actualProfit: usdFromText('2'),
      unhedged: null,
    });
    expect(orders.map(({ status, filledSize }) => [status, filledSize])).toEqual([
      ['filled', SIZE],
      ['filled', SIZE],
    ]);
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });

  it('ends when the runner stops while a trigger is on its way, though no time passes', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.fastPath?.triggers.begin();
    placing.wake(batchId);
    await placing.stop();
    expect(venue.posted).toHaveLength(2);
  });

  it('finds by its hash an order whose answer was lost, and does not send it again', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      venue.take(order);
      return { kind: 'unknown', reason: 'the connection was cut' };
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'completed', lastError: null });
    const error = 'It stands, and its outcome was unknown. Outcome unknown, asking: the connection was cut';
    const errorKind = 'outcome_was_unknown';
    expect(orders).toMatchObject(orders.map(() => ({ error, errorKind })));
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });

  it('posts the very same bytes again when the venue says that it does not have the order', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost(() => {
      venue.onPost((order) => venue.take(order));
      return { kind: 'unknown', reason: 'no answer' };
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ended);
    expect(attempts).toHaveLength(2);
    expect(venue.posted).toHaveLength(3);
    expect(new Set(venue.posted).size).toBe(2);
    await placing.stop();
  });

  it('keeps an unknown order, neither failed nor sent again, while the venue does not answer', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.answers = false;
    venue.onPost(() => ({ kind: 'unknown', reason: 'timed out' }));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const unknown = await until(test, batchId, ({ attempts }) => attempts.some(({ status }) => status === 'unknown'));
    await pass(test, 10_000);
    expect(unknown.orders.map(({ status }) => status)).toEqual(['processing', 'processing']);
    expect(unknown.attempts[0]).toMatchObject({ status: 'unknown', unknownReason: 'timed out' });
    expect(unknown.orders[0]?.error).toBeNull();
    expect((await snapshotOf(test, batchId))?.batch.status).toBe('processing');
    expect(venue.posted).toHaveLength(2);

    venue.answers = true;
    venue.onPost((order) => venue.take(order));
    await pass(test, 6_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('completed');
    expect(orders[0]?.error).toBeNull();
    await placing.stop();
  });

  it('ends as failed with the reason of the venue when it refuses every order', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost(() => ({ kind: 'rejected', reason: 'not enough balance / allowance' }));
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch).toMatchObject({ status: 'failed', totalOrders: 0, lastError: 'not enough balance / allowance' });
    expect(orders.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(venue.posted).toHaveLength(2);
    await placing.stop();
  });

  it('sends nothing of a batch with an order off the price grid, and says which rule it broke', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    Object.assign(venue.venue.trading ?? {}, {
      signOrder: () => Promise.reject(new Error('price 0.125 is not a multiple of the tick 0.01')),
    });
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { batch, orders, attempts } = await until(test, batchId, ended);
    expect(batch.status).toBe('failed');
    expect(batch.lastError).toBe('Not sent: price 0.125 is not a multiple of the tick 0.01.');
    expect(orders.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(attempts).toEqual([]);
    expect(venue.posted).toEqual([]);
    await placing.stop();
  });

  it('shows what is unhedged while one leg is missing, and cancels the rest when time is up', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => venue.take(order, venue.orders.size === 0 ? SIZE : sharesFromText('4')));
    const batchId = await recordedBatch(test, { BATCH_COMPLETION_TIMEOUT_HOURS: 0.01 });
    placing.wake(batchId);
    const lopsided = await until(test, batchId, ({ fills }) => fills.length === 2);
    expect(lopsided.batch).toMatchObject({ status: 'processing', unhedged: { worstLoss: usdFromText('2.4') } });
    expect(lopsided.batch.unhedged?.positions).toMatchObject([{ shares: sharesFromText('6') }]);

    await pass(test, 36_000);
    const { batch, orders } = await until(test, batchId, ended);
    expect(batch.status).toBe('partial_completed');
    expect(batch.actualProfit).toBe(usdFromText('-1.6'));
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, sharesFromText('4')]);
    await placing.stop();
  });

  it('counts a trade once however often it is reported, and takes back one that fails to settle', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ended);
    const [first, second] = attempts.map(({ orderHash }) => orderHash);
    for (const orderHash of [first, first, second, second]) {
      for (const fill of venue.orders.get(orderHash ?? '')?.fills ?? []) venue.user().onFill(fill);
    }
    venue.settle(first ?? '', 'confirmed');
    venue.settle(second ?? '', 'failed');
    const settled = await until(test, batchId, ({ fills }) =>
      fills.every(({ settlement }) => settlement !== 'matched'),
    );
    expect(settled.fills).toHaveLength(2);
    expect(settled.orders.map(({ filledSize }) => filledSize)).toEqual([SIZE, 0]);
    expect(settled.batch.actualProfit).toBe(usdFromText('-4'));
    await placing.stop();
  });

  it('places once although two processes carry the batch out', async () => {
    await using test = await openTestRuntime();
    const one = await start(test);
    const other = await start(test, one.venue);
    const batchId = await recordedBatch(test);
    one.placing.wake(batchId);
    other.placing.wake(batchId);
    expect((await until(test, batchId, ended)).batch.status).toBe('completed');
    expect(one.venue.posted).toHaveLength(2);
    await Promise.all([one.placing.stop(), other.placing.stop()]);
  });
});
