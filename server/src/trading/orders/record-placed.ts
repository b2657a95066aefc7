import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { type Action, recordAction } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { type BatchRow, readBatch } from './batch-store.ts';

/** The audit entry of a placing, in its transaction and at the end of it; see `recordAction`. */
export async function recordPlaced(
  tx: Db,
  runtime: Pick<Runtime, 'clock'>,
  actor: Actor,
  batchId: string,
): Promise<void> {
  const row = await readBatch(tx, batchId);
  if (!row) throw new Error('the batch was recorded in this transaction and is not in it');
  await recordAction(tx, runtime, actor, placedAction(row));
}

/** What the audit log says of a placing. */
export function placedAction({ id, opportunityId, orderSize, quotedPrice, splitStepId }: Placed): Action {
  const after = {
    opportunity_id: opportunityId,
    order_size: sharesToNumber(orderSize),
    quoted_price: quotedPrice === null ? null : priceToNumber(quotedPrice),
    ...(splitStepId ? { way_in: 'split' } : {}),
  };
  return { action: 'order.placed', object: id, after };
}

type Placed = Pick<BatchRow, 'id' | 'opportunityId' | 'orderSize' | 'quotedPrice'> &
  Partial<Pick<BatchRow, 'splitStepId'>>;
