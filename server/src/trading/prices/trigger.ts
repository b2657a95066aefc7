import { formatPercent, percentToNumber } from '@dutchbook/units/percent.ts';
import { formatPrice, priceToNumber } from '@dutchbook/units/price.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import { and, eq, exists, type SQLWrapper } from 'drizzle-orm';
import { type Action, recordAction, THE_SYSTEM } from '../../audit/record.ts';
import { claimedShare, provenUntilEnd } from '../../engines/lease.ts';
import { edgeInsert } from '../../history/store.ts';
import { type News, notificationWrites } from '../../notifications/record.ts';
import type { StoredOpportunity } from '../../opportunities/store.ts';
import type { ShareClaim, TrustedQuote } from '../../parts.ts';
import { opportunities } from '../../world/schema.ts';
import type { Db, World } from '../../world/world.ts';
import { writeTogether } from '../../world/write-together.ts';

/** What happens when an opportunity has come up to its trigger. */
export type OnTrigger = {
  /** While this says no, an edge is left standing and is acted on later. */
  isReady: () => boolean;
  buy: (opportunity: StoredOpportunity, quotes: readonly TrustedQuote[]) => Buying;
};

/** What is bought on a trigger. */
export type Buying = {
  /**
   * Decides in the transaction that records the trigger, so that there is one of each or neither; null where a gate
   * refuses.
   */
  decide: (tx: Db) => Promise<Decided | null>;
  /** Called once that transaction has ended: with the batch that it has committed, if it has, and there is one. */
  end: (batchId: string | null) => void;
};

/** An automatic batch, still to be written, and what people and the audit log are told of it. */
export type Decided = {
  batchId: string;
  simulated: boolean;
  writes: readonly SQLWrapper[];
  news: readonly News[];
  action: Action;
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
  world: Pick<World, 'clock' | 'urgentDb' | 'dice' | 'notices'>,
  row: StoredOpportunity,
  claim: ShareClaim | null,
  buying: Pick<Buying, 'decide'> | null,
): Promise<TriggerOutcome> {
  const { id, currentPrice, feesPerSet, profitPercentage, lastChecked, augmentedEvent } = row;
  const risen = {
    ...{ currentPrice, feesPerSet, profitPercentage, lastChecked, augmentedEvent },
    triggered: true,
    lastError: null,
    errorCount: 0,
    errorToldAt: null,
  };
  const asJudged = and(eq(opportunities.id, id), eq(opportunities.updatedAt, row.updatedAt));
  return world.urgentDb.transaction(async (tx) => {
    const isHeldHere = claim === null ? undefined : exists(claimedShare(tx, claim));
    const ours = await tx
      .update(opportunities)
      .set(risen)
      .where(and(isHeldHere, asJudged, eq(opportunities.active, true), eq(opportunities.triggered, false)))
      .returning({ id: opportunities.id });
    if (ours.length > 0) {
      const decided = (await buying?.decide(tx)) ?? null;
      await recordRise(tx, world, { ...row, ...risen }, decided);
      return { ours: true, stands: true, isHeld: true, batchId: decided?.batchId ?? null };
    }
    const isHeld = claim === null || (await provenUntilEnd(tx, claim));
    if (!isHeld) return { ours: false, stands: false, isHeld, batchId: null };
    const [now] = await tx.select({ triggered: opportunities.triggered }).from(opportunities).where(asJudged);
    return { ours: false, stands: now?.triggered ?? false, isHeld, batchId: null };
  });
}

async function recordRise(
  tx: Db,
  world: Pick<World, 'clock' | 'dice' | 'notices'>,
  row: StoredOpportunity,
  decided: Decided | null,
): Promise<void> {
  const edge = edgeInsert(tx, row, row.lastChecked ?? world.clock.now());
  const triggered = triggeredNews(row, decided);
  const told = notificationWrites(tx, world, [...(decided?.news ?? []), triggered]);
  await writeTogether(tx, [...(decided?.writes ?? []), edge, ...told.writes], told.calls);
  if (decided !== null) await recordAction(tx, world, THE_SYSTEM, decided.action);
}

/** What there is to tell of it; `placed` is null where nothing was. */
function triggeredNews(row: StoredOpportunity, placed: Pick<Decided, 'batchId' | 'simulated'> | null): News {
  const { currentPrice, feesPerSet, profitPercentage, targetPrice } = row;
  if (currentPrice === null || feesPerSet === null || profitPercentage === null) {
    throw new Error(`${row.id} has come up to its trigger without a price`);
  }
  const orders = placed === null ? '' : `. ${placed.simulated ? 'Simulated orders' : 'Orders'} are being placed`;
  const prices = `a set costs ${formatPrice(currentPrice)} and pays ${formatPrice(targetPrice)}`;
  return {
    type: 'opportunity_triggered',
    opportunityId: row.id,
    message: `The profit has come up to ${formatPercent(profitPercentage)}: ${prices}${orders}`,
    data: {
      profit_percentage: percentToNumber(profitPercentage),
      current_price: priceToNumber(currentPrice),
      target_price: priceToNumber(targetPrice),
      fees_per_set: usdToNumber(feesPerSet),
      batch_id: placed?.batchId ?? null,
      simulated: placed?.simulated ?? false,
    },
  };
}
