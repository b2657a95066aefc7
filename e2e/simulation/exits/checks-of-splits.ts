/**
 * What must hold of dollars that are split (X5 of exits): what they become is sold by itself once, after it is booked, all of it at
 * its limits or nothing; and what is not sold says so.
 */
import type { Stored, StoredBatch, StoredOrder } from '../truth.ts';
import { must } from '../violation.ts';
import type { StoredSubmission } from './chain-truth.ts';

/** Holds at every moment. */
export function checkSplitsAlways(stored: Stored): void {
  for (const batch of stored.batches) {
    const sale = saleByItself(stored, batch);
    if (sale === null) continue;
    const split = splitOf(stored, batch);
    must(
      split?.status === 'confirmed' && split.booked_at !== null,
      'X5',
      () => `batch ${batch.id} is sold by itself, and its split is ${split?.status}, booked at ${split?.booked_at}`,
    );
    must(batch.cancel_requested_at === null, 'X5', () => `batch ${batch.id} is sold by itself, and was canceled`);
    for (const { orderId, shares, split: terms } of handedOutBy(split)) {
      const sold = sale.find(({ sells_order_id }) => sells_order_id === orderId);
      must(sold?.size === shares, 'X5', () => `${sold?.size} of the ${shares} of order ${orderId} are sold by itself`);
      must(
        (sold?.price ?? 0) >= (terms?.limit ?? 0),
        'X5',
        () => `order ${orderId} is sold by itself at ${sold?.price}, ${terms?.limit} was decided`,
      );
    }
  }
}

/** The sell orders that no operator has asked for; null where there are none. What was converted on chain is none of them. */
export function saleByItself({ orders, audit }: Stored, batch: StoredBatch): StoredOrder[] | null {
  const sold = orders.filter(
    ({ side, batch_id, chain_step_id }) => side === 'sell' && batch_id === batch.id && chain_step_id === null,
  );
  const sales = [...Map.groupBy(sold, ({ sale_id }) => sale_id).values()];
  const asked = audit.filter(({ action, object }) => action === 'batch.sold' && object === batch.id).length;
  const most = batch.split_step_id === null ? 0 : 1;
  must(
    sales.length >= asked && sales.length - asked <= most,
    'C7',
    () => `batch ${batch.id} is sold ${sales.length} times, ${asked} are audited`,
  );
  // It is the first: where an operator has sold or converted some of a batch, the rest is left to the operator.
  return sales.length > asked ? (sales[0] ?? null) : null;
}

/** @throws Violation */
export function checkSplitsAtRest(stored: Stored): void {
  for (const batch of stored.batches) {
    const split = splitOf(stored, batch);
    if (split?.status !== 'confirmed') continue;
    const isTouched = stored.orders.some(({ side, batch_id }) => side === 'sell' && batch_id === batch.id);
    const saysWhy = batch.last_error?.startsWith('Not sold: ') ?? false;
    must(isTouched || saysWhy, 'X5', () => `batch ${batch.id} holds what was split, and says ${batch.last_error}`);
  }
}

function splitOf({ submissions }: Stored, { split_step_id: stepId }: StoredBatch): StoredSubmission | undefined {
  return stepId === null ? undefined : submissions.find(({ steps }) => steps.some(({ id }) => id === stepId));
}

function handedOutBy(split: StoredSubmission | undefined) {
  return split?.steps.flatMap(({ handed_out }) => handed_out) ?? [];
}
