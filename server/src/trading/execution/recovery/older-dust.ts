import { LEAST_SIZE } from '@dutchbook/units/shares.ts';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { batches } from '../../orders/table.ts';

/** Batches of an earlier version count as unhedged by shares that no order could be for: nothing that happens to them would end that. */
export async function forgetOlderDust(db: Db): Promise<void> {
  await db.execute(sql`update ${batches} set unhedged = null, unhedged_since = null, leg_risk_notified_at = null
    where unhedged is not null and not exists (
      select from jsonb_array_elements(unhedged -> 'positions') p where (p ->> 'shares')::bigint >= ${LEAST_SIZE})`);
}
