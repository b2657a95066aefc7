import { priceToNumber } from '@dutchbook/units/price.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import { type Actor, recordAction } from '../audit/record.ts';
import type { Db, World } from '../world/world.ts';
import { readBatch } from './store.ts';

/** The audit entry of a placing, in its transaction and at the end of it; see `recordAction`. */
export async function recordPlaced(tx: Db, world: Pick<World, 'clock'>, actor: Actor, batchId: string): Promise<void> {
  const row = await readBatch(tx, batchId);
  if (!row) throw new Error('the batch was recorded in this transaction and is not in it');
  const { opportunityId, orderSize, quotedPrice } = row;
  const after = {
    opportunity_id: opportunityId,
    order_size: sharesToNumber(orderSize),
    quoted_price: quotedPrice === null ? null : priceToNumber(quotedPrice),
  };
  await recordAction(tx, world, actor, { action: 'order.placed', object: batchId, after });
}
