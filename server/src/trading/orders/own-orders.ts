import type { OwnOrder } from '@dutchbook/engine/risk/self-trade.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { JsonRow } from '../../platform/database/json-rows.ts';
import { asText, literals } from '../../platform/database/literals.ts';
import { executeNamed } from '../../platform/database/named.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ACTIVE_STATUSES } from './batch-store.ts';
import { UNDECIDED_ATTEMPTS } from './table.ts';

export async function readOwnOrders(db: Db): Promise<OwnOrder[]> {
  return (await executeNamed<JsonRow>(db, ownOrders())).map(ownOrderFrom);
}

const UNDECIDED = literals(UNDECIDED_ATTEMPTS);
const ACTIVE = literals(ACTIVE_STATUSES);

/** Unfinished batches, by an index for each condition, so that past batches are not scanned. */
const UNFINISHED = asText(sql`array(select batch_id from attempts where status in (${UNDECIDED})
  union all select id from batches where sale_under_way union all select id from batches where status in (${ACTIVE}))`);

const MAY_STAND = asText(sql`(o.id in (select order_id from attempts where status in (${UNDECIDED}))
  or (o.status = 'pending' and o.chain_step_id is null and (b.sale_under_way or b.status in (${ACTIVE}))))`);

/**
 * The query for orders of all batches but simulated ones that may stand at the venue, or are recorded to be sent; `ownOrderFrom` reads
 * its rows. Orders and batches are both looked up by what is unfinished, so that neither is read whole to be joined with few of the other.
 */
export function ownOrders(exceptBatchId: string | null = null): SQL {
  return sql`(select o.batch_id, b.name as batch_name, o.market_id, o.token_id, o.side, o.price
    from batch_orders o join batches b on b.id = o.batch_id
    where o.batch_id = any(${UNFINISHED}) and b.id = any(${UNFINISHED}) and not b.simulated
      and b.id is distinct from ${exceptBatchId}::uuid and ${MAY_STAND})`;
}

/** Drivers write bigints as text; in JSON they are numbers. */
export function ownOrderFrom({
  batch_id: batchId,
  batch_name: batchName,
  market_id: marketId,
  token_id: tokenId,
  side,
  price,
}: JsonRow): OwnOrder {
  return { batchId, batchName, marketId, tokenId, side, price: Number(price) } as OwnOrder;
}
