import { formatPercent, percentToNumber } from '@dutchbook/units/percent.ts';
import { formatPrice, priceToNumber } from '@dutchbook/units/price.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import { and, eq } from 'drizzle-orm';
import { provenUntilEnd } from '../../engines/lease.ts';
import { recordEdge } from '../../history/store.ts';
import { type News, recordNotification } from '../../notifications/record.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import type { ShareClaim, TrustedQuote } from '../../parts.ts';
import { opportunities } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';

/** What happens when an opportunity has come up to its trigger. */
export type OnTrigger = {
  /** While this says no, an edge is left standing and is acted on later. */
  isReady: () => boolean;
  /**
   * Records an automatic batch in the transaction that records the trigger, so that there is one of each or neither.
   * Answers the batch's id, or null where a gate refuses.
   */
  placeAutomatically: (
    tx: Db,
    opportunity: StoredOpportunity,
    quotes: readonly TrustedQuote[],
  ) => Promise<string | null>;
  /** Writes the audit entry of such a batch, at the end of the transaction. */
  recordPlaced: (tx: Db, batchId: string) => Promise<void>;
  /** Called once the batch is committed. */
  wake: (batchId: string) => void;
};

/**
 * `ours`: this call recorded the trigger. `stands`: somebody has; otherwise the opportunity is not there to trigger.
 * `isHeld`: it is this process's to act on; otherwise nothing was looked at.
 */
export type TriggerOutcome = { ours: boolean; stands: boolean; isHeld: boolean; batchId: string | null };

/**
 * Records the rising edge of an opportunity, the notification of it and, with `buying`, what is bought on it. Of all processes that see the
 * same edge, and of one that starts again in the middle of it, exactly one gets through; none where the opportunity was
 * edited since it was judged, or has gone to another engine since `claim` was made.
 */
export async function recordTrigger(
  world: Pick<World, 'clock' | 'db' | 'dice' | 'notices'>,
  row: StoredOpportunity,
  claim: ShareClaim | null,
  buying: { place: (tx: Db) => Promise<string | null>; recordPlaced: OnTrigger['recordPlaced'] } | null,
): Promise<TriggerOutcome> {
  const { id, currentPrice, feesPerSet, profitPercentage, lastChecked, augmentedEvent } = row;
  const found = {
    currentPrice,
    feesPerSet,
    profitPercentage,
    lastChecked,
    augmentedEvent,
    lastError: null,
    errorCount: 0,
    errorToldAt: null,
  };
  const asJudged = and(eq(opportunities.id, id), eq(opportunities.updatedAt, row.updatedAt));
  return world.db.transaction(async (tx) => {
    const isHeld = claim === null || (await provenUntilEnd(tx, claim));
    if (!isHeld) return { ours: false, stands: false, isHeld, batchId: null };
    const risen = await tx
      .update(opportunities)
      .set({ triggered: true, ...found })
      .where(and(asJudged, eq(opportunities.active, true), eq(opportunities.triggered, false)))
      .returning({ id: opportunities.id });
    if (risen.length > 0) {
      const batchId = (await buying?.place(tx)) ?? null;
      await recordEdge(tx, { ...row, ...found, triggered: true }, lastChecked ?? world.clock.now());
      await recordNotification(tx, world, triggeredNews(row, batchId));
      if (batchId !== null) await buying?.recordPlaced(tx, batchId);
      return { ours: true, stands: true, isHeld, batchId };
    }
    const [now] = await tx.select({ triggered: opportunities.triggered }).from(opportunities).where(asJudged);
    return { ours: false, stands: now?.triggered ?? false, isHeld, batchId: null };
  });
}

/** What there is to tell of it; `batchId` is null where nothing was placed. */
function triggeredNews(row: StoredOpportunity, batchId: string | null): News {
  const { currentPrice, feesPerSet, profitPercentage, targetPrice } = row;
  if (currentPrice === null || feesPerSet === null || profitPercentage === null) {
    throw new Error(`${row.id} has come up to its trigger without a price`);
  }
  const placed = batchId === null ? '' : '. Orders are being placed';
  const prices = `a set costs ${formatPrice(currentPrice)} and pays ${formatPrice(targetPrice)}`;
  return {
    type: 'opportunity_triggered',
    opportunityId: row.id,
    message: `The profit has come up to ${formatPercent(profitPercentage)}: ${prices}${placed}`,
    data: {
      profit_percentage: percentToNumber(profitPercentage),
      current_price: priceToNumber(currentPrice),
      target_price: priceToNumber(targetPrice),
      fees_per_set: usdToNumber(feesPerSet),
      batch_id: batchId,
    },
  };
}
