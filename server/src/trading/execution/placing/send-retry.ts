import type { BatchState } from '../../orders/batch-state.ts';
import type { Lease } from '../runner/batch-lease.ts';
import { commitAttempts, refuseUnsent } from '../runner/batch-writes.ts';
import { callsOf, mayLeave } from '../runner/venue-pace.ts';
import { postUnlessStopped, type StepTools, signTerms, type Terms } from '../runner/venue-steps.ts';
import type { JudgeAgain } from './retry.ts';

/**
 * Signs what a batch lacks, and records it in the transaction that asks every gate: marked as sent and posted where its slot has come,
 * else prepared, for the batch runner to send.
 * @throws RefusedMeanwhile
 */
export async function sendRetry(
  tools: StepTools,
  lease: Lease,
  state: BatchState,
  { terms, judgeAgain }: { terms: readonly Terms[]; judgeAgain: JudgeAgain },
): Promise<BatchState> {
  const { runtime } = tools;
  const signed = await signTerms(tools, state, terms);
  if (typeof signed === 'string') {
    const orderIds = terms.map(({ orderId }) => orderId);
    return await refuseUnsent(runtime, lease, orderIds, signed);
  }
  const orders = signed.map((each) => each.signed);
  const calls = callsOf(lease.batchId, 'buy', orders);
  const isMarked = tools.mayBuy(lease.batchId, state.orders) && mayLeave(tools.trading, calls, runtime.clock);
  const committed = await commitAttempts(runtime, lease, signed, { judgeAgain, isMarked });
  for (const point of ['batch_recorded', 'attempts_committed'] as const) runtime.pass(point);
  if (!isMarked) return committed;
  runtime.pass('marked_sent');
  const hashes = new Set(orders.map(({ orderHash }) => orderHash));
  const sent = committed.attempts.filter(({ orderHash }) => hashes.has(orderHash));
  return await postUnlessStopped(tools, lease, committed, sent);
}
