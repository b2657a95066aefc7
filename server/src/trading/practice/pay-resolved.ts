/** Pays practice's shares of resolved markets into its cash. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { type VenueCatalogue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { byVenue } from '@dutchbook/venues/venues.ts';
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
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

const IS_HELD = and(
  eq(batchOrders.side, 'buy'),
  gt(batchOrders.filledSize, batchOrders.soldSize),
  isNull(batchOrders.resolvedValue),
);

function simulatedBatches(db: Db) {
  return db.select({ id: batches.id }).from(batches).where(sql`${batches.simulated}`);
}

/** Throws VenueUnavailable, once what the other venues say is paid. */
export async function payPractice({ runtime: { db }, catalogue }: Omit<PracticeParts, 'partitions'>): Promise<void> {
  const { tokenId, marketId, batchId } = batchOrders;
  const simulated = simulatedBatches(db);
  const held = await db
    .selectDistinct({ tokenId, marketId })
    .from(batchOrders)
    .where(and(IS_HELD, inArray(batchId, simulated)))
    .orderBy(tokenId)
    .limit(TOKENS_AT_ONCE);
  const asked = [...byVenue(held.map((token) => token.tokenId)).values()].map((own) =>
    payTokens(
      { db, catalogue },
      held.filter((token) => own.includes(token.tokenId)),
    ),
  );
  // A venue that fails does not keep the others from being paid.
  for (const answer of await Promise.allSettled(asked)) if (answer.status === 'rejected') throw answer.reason;
}

type HeldToken = { tokenId: TokenId; marketId: MarketId };

async function payTokens(
  { db, catalogue }: Pick<PracticeParts, 'catalogue'> & Pick<Runtime, 'db'>,
  held: readonly HeldToken[],
): Promise<void> {
  const { tokenId, batchId } = batchOrders;
  const lots = held.map((token) => ({ ...token, resolvedValue: null }));
  for (const [token, value] of await resolvedValues(catalogue, lots, [], 'following')) {
    if (!held.some((each) => each.tokenId === token)) continue;
    const ofToken = and(IS_HELD, eq(tokenId, token), inArray(batchId, simulatedBatches(db)));
    await db.transaction(async (tx) => {
      const holding = sql`id in (${tx.select({ id: batchId }).from(batchOrders).where(ofToken)})`;
      const locked = tx.select({ id: batches.id }).from(batches).where(holding).orderBy(batches.id);
      const ids = (await locked.for('no key update')).map((batch) => batch.id);
      const ofLocked = and(IS_HELD, eq(tokenId, token), inArray(batchId, ids));
      await tx.update(batchOrders).set({ resolvedValue: value }).where(ofLocked);
      await reserveAnew(tx, inArray(batches.id, ids));
    });
  }
}
