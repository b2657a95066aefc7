/** Whether a run of paper trading may end: nothing of it is on its way any more. */
import { formatCount } from '@dutchbook/units/count.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openMove } from '../cash-moves/store.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { lastCheck } from '../ledger/compare.ts';
import { ACTIVE_STATUSES } from '../orders/batch-store.ts';
import { batches } from '../orders/table.ts';

/** `isAsked`: the exchange may have closed everything by now, which is not in the ledger then. @returns a sentence, or null */
export async function whyNotAtRest(
  db: Db,
  venues: Iterable<VenueName>,
  { isAsked = false } = {},
): Promise<string | null> {
  const running = and(eq(batches.simulated, false), inArray(batches.status, [...ACTIVE_STATUSES]));
  const active = await db.$count(batches, running);
  if (active > 0) return `${formatCount(active)} ${active === 1 ? 'batch has' : 'batches have'} not ended yet.`;
  if ((await db.$count(chainSubmissions, isNull(chainSubmissions.bookedAt))) > 0)
    return 'A conversion or a redemption has not ended yet.';
  for (const venue of venues) {
    if ((await openMove(db, venue)) !== null) return 'A move of cash has not ended yet.';
    if (isAsked) continue;
    const check = await lastCheck(db, venue);
    if (check === null) return 'The ledger has not been compared with the exchange yet: try again in a minute.';
    if (check.differences.length > 0) return 'The ledger and the exchange differ: the Ledger page says by what.';
  }
  return null;
}
