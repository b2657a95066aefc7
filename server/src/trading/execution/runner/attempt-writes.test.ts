import type { AttemptUpdate } from '@dutchbook/engine/order/attempt-update.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../../test-runtime.ts';
import { loadBatch } from '../../orders/batch-state.ts';
import { takeLease } from './batch-lease.ts';
import { commitAttempts, markSent, recordAttemptUpdates } from './batch-writes.ts';
import { NO_BOOK_PRICES } from './book-prices.ts';
import { recordedBatch } from './runner.fixture.ts';

it('what is recorded of attempts is what is read of the batch afterwards', async () => {
  await using test = await openTestRuntime();
  const { runtime, time } = test;
  const batchId = await recordedBatch(test);
  const lease = (await takeLease(runtime, runtime.random.uuid(), batchId)) ?? expect.unreachable('it is taken');
  const recorded = await loadBatch(runtime.db, batchId);
  const signed = (recorded?.orders ?? []).map(({ id, size, price }, nth) => ({
    ...{ orderId: id, size, price, feeRate: null, ...NO_BOOK_PRICES },
    signed: { orderHash: `0x${nth}`, salt: `${nth}`, payload: '{}' },
  }));
  const { attempts } = await commitAttempts(runtime, lease, signed);
  const [first, second] = attempts.map(({ id }) => id);
  await markSent(runtime, lease, [first ?? '', second ?? '']);

  const fill = (
    attempt: 0 | 1,
    trade: string,
    size: string,
    settlement: 'matched' | 'mined' | 'confirmed' | 'failed',
  ) => ({
    ...{ attemptId: attempts[attempt]?.id ?? '', tradeId: trade, orderHash: `0x${attempt}`, settlement },
    ...{ price: priceFromText('0.4'), size: sharesFromText(size), cost: usdFromText('1.6'), fee: usdFromText('0.01') },
    // The later trade is reported first.
    matchedAt: instantFromMs(runtime.clock.now() - (trade === 'b' ? 5000 : 3000 - attempt)),
  });
  const reported: AttemptUpdate[][] = [
    [
      { attemptId: first ?? '', event: 'open', matchedSize: sharesFromText('4') },
      { attemptId: second ?? '', event: 'unknown', unknownReason: 'it timed out' },
    ],
    [{ attemptId: first ?? '', fills: [fill(0, 'a', '4', 'matched'), fill(0, 'b', '2', 'matched')] }],
    [
      { attemptId: first ?? '', fills: [fill(0, 'a', '4', 'mined')], event: 'matched' },
      {
        attemptId: second ?? '',
        event: 'canceled',
        goneAt: 1_790_000_000_000 as Instant,
        fills: [fill(1, 'a', '3', 'matched')],
      },
      { attemptId: second ?? '', lookedUp: { at: runtime.clock.now(), answer: 'canceled' } },
    ],
    [{ attemptId: first ?? '', fills: [fill(0, 'a', '4', 'failed'), fill(0, 'b', '5', 'confirmed')] }],
    [],
  ];
  for (const update of reported) {
    await time.advance(100);
    expect(await recordAttemptUpdates(runtime, lease, update)).toEqual(await loadBatch(runtime.db, batchId));
  }
  const { fills } = (await loadBatch(runtime.db, batchId)) ?? expect.unreachable('it is there');
  expect(fills.map(({ tradeId, settlement }) => [tradeId, settlement])).toEqual([
    ['b', 'confirmed'],
    ['a', 'failed'],
    ['a', 'matched'],
  ]);
});
