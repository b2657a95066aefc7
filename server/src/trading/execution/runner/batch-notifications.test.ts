import { asc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../../people/notifications/table.ts';
import { openTestRuntime, type TestRuntime } from '../../../test-runtime.ts';
import { ended, pass, recordedBatch, start, until } from './runner.fixture.ts';

const reported = ({ runtime }: TestRuntime) =>
  runtime.db
    .select({ type: notifications.notificationType, message: notifications.message, data: notifications.data })
    .from(notifications)
    .orderBy(asc(notifications.seq));

describe('the notifications of a batch', () => {
  it('is that it was placed and how it ended, each once', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const completed = await recordedBatch(test);
    placing.wake(completed);
    await until(test, completed, ended);
    venue.onPost(() => ({ kind: 'rejected', reason: 'not enough balance' }));
    const failed = await recordedBatch(test);
    placing.wake(failed);
    await until(test, failed, ended);
    expect(await reported(test)).toMatchObject([
      { type: 'order_placed', message: expect.stringContaining('10 sets'), data: { batch_id: completed, orders: 2 } },
      {
        type: 'batch_completed',
        message:
          'Mayor of Meridian · Yes on both: a batch has completed. Profit $2.00, of $2.00 planned. Size 10.00 sh, sized by hand',
        data: { batch_id: completed, actual_profit_usd: 2 },
      },
      { type: 'order_placed', data: { batch_id: failed } },
      { type: 'batch_failed', message: expect.stringContaining('not enough balance'), data: { batch_id: failed } },
    ]);
    await placing.stop();
  });

  it('is that an order may have arrived or not, while that is not known', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    venue.onPost((order) => {
      venue.onPost((other) => venue.take(other));
      venue.take(order);
      return { kind: 'unknown', reason: 'timed out' };
    });
    const batchId = await recordedBatch(test, {}, ['101']);
    placing.wake(batchId);
    await until(test, batchId, ended);
    expect((await reported(test)).map(({ type }) => type)).toEqual([
      'order_placed',
      'order_unknown',
      'batch_completed',
    ]);
    await placing.stop();
  });

  it('is that a trade failed to settle, once, as what it bought is taken back', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test);
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ended);
    venue.settle(attempts[0]?.orderHash ?? '', 'failed');
    venue.settle(attempts[1]?.orderHash ?? '', 'confirmed');
    await until(test, batchId, ({ fills }) => fills.every(({ settledAt }) => settledAt !== null));
    await pass(test, 20_000);
    const sent = await reported(test);
    expect(sent.map(({ type }) => type)).toEqual([
      'order_placed',
      'batch_completed',
      'settlement_failed',
      'batch_partial',
      'leg_risk',
    ]);
    expect(sent[2]).toMatchObject({
      message: expect.stringMatching(/failed to settle.*bought 10 Yes of "Market 101"\. Profit -\$4\.00/),
      data: { batch_id: batchId, actual_profit_usd: -4, trades: [{ side: 'buy', shares: 10, price: 0.4 }] },
    });
    await placing.stop();
  });
});
