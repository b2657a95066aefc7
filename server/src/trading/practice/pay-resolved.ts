/** What practice holds of markets that have resolved is paid into its cash. */
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { resolvedValues } from '../orders/resolved-values.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { reserveAnew } from '../under-way/reserve.ts';

const LOOK_MS = 60_000;
const TOKENS_AT_ONCE = 500;

type PracticeParts = {
  runtime: Pick<Runtime, 'db' | 'timers' | 'log'>;
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  partitions: Partitions;
};

/** @returns what ends it */
export function payResolvedPractice(parts: PracticeParts): () => void {
  const { timers, log } = parts.runtime;
  return timers.every(LOOK_MS, async () => {
    if (!isLeader(parts.partitions)) return;
    try {
      await payPractice(parts);
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      log.debug({ reason: error.message }, 'results for practice not read');
    }
  });
}

/** Throws VenueUnavailable. */
export async function payPractice({ runtime: { db }, catalogue }: Omit<PracticeParts, 'partitions'>): Promise<void> {
  const { tokenId, marketId, side, filledSize, soldSize, resolvedValue, batchId } = batchOrders;
  const isHeld = and(eq(side, 'buy'), gt(filledSize, soldSize), isNull(resolvedValue));
  const simulated = db.select({ id: batches.id }).from(batches).where(sql`${batches.simulated}`);
  const held = await db
    .selectDistinct({ tokenId, marketId })
    .from(batchOrders)
    .where(and(isHeld, inArray(batchId, simulated)))
    .orderBy(tokenId)
    .limit(TOKENS_AT_ONCE);
  const lots = held.map((token) => ({ ...token, resolvedValue: null }));
  for (const [token, value] of await resolvedValues(catalogue, lots, [], 'following')) {
    if (!held.some((each) => each.tokenId === token)) continue;
    const ofToken = and(isHeld, eq(tokenId, token), inArray(batchId, simulated));
    await db.transaction(async (tx) => {
      const holding = sql`id in (${tx.select({ id: batchId }).from(batchOrders).where(ofToken)})`;
      const locked = tx.select({ id: batches.id }).from(batches).where(holding).orderBy(batches.id);
      const ids = (await locked.for('no key update')).map((batch) => batch.id);
      const ofLocked = and(isHeld, eq(tokenId, token), inArray(batchId, ids));
      await tx.update(batchOrders).set({ resolvedValue: value }).where(ofLocked);
      await reserveAnew(tx, inArray(batches.id, ids));
    });
  }
}
