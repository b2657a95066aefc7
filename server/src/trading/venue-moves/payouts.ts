/** Stores what a venue without contracts pays, or has paid, for markets that have ended, as it is read. */
import type { MarketId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatPrice, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd, notional, USD_ZERO } from '@dutchbook/units/usd.ts';
import type { VenueCatalogue, VenuePayout } from '@dutchbook/venues/venue.ts';
import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { OrderLot } from '../chain-steps/free-lots.ts';
import { venuePayouts } from './table.ts';

export type PayoutRow = typeof venuePayouts.$inferSelect;

/** A payout as read last; one that is only announced has no time. */
export type KnownPayout = Omit<VenuePayout, 'paidAt'> & { paidAt: Instant | null };

/** Announced payouts of our ended markets that the venue has not paid yet. */
export async function announcedPayouts(
  catalogue: Pick<VenueCatalogue, 'marketsById'>,
  lots: readonly OrderLot[],
): Promise<KnownPayout[]> {
  const byMarket = Map.groupBy(lots, ({ marketId }) => marketId);
  if (byMarket.size === 0) return [];
  const markets = await catalogue.marketsById([...byMarket.keys()], 'following');
  return [...byMarket].flatMap(([marketId, own]): KnownPayout[] => {
    const market = markets.get(marketId);
    if (market?.isProvisional !== true) return [];
    const outcomes = market.outcomes.flatMap(({ tokenId, resolvedValue }) => {
      const shares = own
        .filter((lot) => lot.tokenId === tokenId)
        .reduce((sum, { held }) => sum + held, SHARES_ZERO as number);
      return shares === 0 || resolvedValue === undefined
        ? []
        : [{ tokenId, shares: shares as OrderLot['held'], pays: resolvedValue }];
    });
    const dollars = outcomes.map(({ shares, pays }) => notional(shares, pays, 'down')).reduce(addUsd, USD_ZERO);
    if (outcomes.length === 0) return [];
    return [{ marketId, outcomes, dollars, fee: USD_ZERO, paidAt: null, isProvisional: true }];
  });
}

/**
 * Stores each as it is said now. What is said otherwise than before is kept with its reason and notified; one that was booked is due again
 * then.
 */
export async function notePayouts(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'pubsub' | 'log'>,
  venue: VenueName,
  payouts: readonly KnownPayout[],
  namesOf: (marketId: MarketId) => string,
): Promise<void> {
  for (const payout of payouts)
    await runtime.db.transaction(async (tx) => {
      const now = runtime.clock.now();
      const { marketId } = payout;
      const [before] = await tx.select().from(venuePayouts).where(eq(venuePayouts.marketId, marketId)).for('update');
      if (before === undefined) {
        await tx
          .insert(venuePayouts)
          .values({ ...payout, venue, seenAt: now })
          .onConflictDoNothing();
        return;
      }
      // An announcement that arrives after the payment is older.
      if (payout.paidAt === null && before.paidAt !== null) return;
      const reason = changeOf(before, payout, namesOf(marketId));
      const isOther = before.dollars !== payout.dollars || before.fee !== payout.fee;
      if (
        reason === null &&
        !isOther &&
        before.paidAt === payout.paidAt &&
        before.isProvisional === payout.isProvisional
      )
        return;
      const { outcomes, dollars, fee, paidAt, isProvisional } = payout;
      await tx
        .update(venuePayouts)
        .set({
          ...{ outcomes, dollars, fee, paidAt, isProvisional },
          ...(reason === null ? {} : { changes: [...before.changes, { at: now, reason }] }),
          // A payout booked to no batch stays: the ledger shows the difference.
          ...(isOther && canBeBookedAgain(before) ? { bookedAt: null } : {}),
        })
        .where(eq(venuePayouts.marketId, marketId));
      if (reason === null) return;
      runtime.log.warn({ venue, marketId, reason }, 'payout changed by the venue');
      await recordNotification(tx, runtime, {
        ...{ type: 'payout_changed', opportunityId: null, message: reason },
        data: { market_id: marketId, is_provisional: isProvisional },
      });
    });
}

/** Whether a changed payout can be booked again: it was a redemption of batches, or its shares were closed for nothing. */
function canBeBookedAgain({ submissionId, outcomes }: Pick<PayoutRow, 'submissionId' | 'outcomes'>): boolean {
  return submissionId !== null || outcomes.every(({ pays }) => pays === PRICE_ZERO);
}

/** A sentence; null where nothing is paid otherwise than was said. */
function changeOf(before: PayoutRow, now: KnownPayout, name: string): string | null {
  const paysOf = ({ outcomes }: Pick<KnownPayout, 'outcomes'>) =>
    new Map(outcomes.map(({ tokenId, pays }) => [tokenId, pays]));
  const [then, since] = [paysOf(before), paysOf(now)];
  const changed = [...since].find(([tokenId, pays]) => then.has(tokenId) && then.get(tokenId) !== pays);
  if (changed !== undefined) {
    const [tokenId, pays] = changed;
    const was = formatPrice(then.get(tokenId) ?? (0 as Price));
    const until = now.isProvisional ? ' It may be changed again until it is final.' : '';
    return `The venue has changed the result of "${name}": a share that was to pay $${was} pays $${formatPrice(pays)}.${until}`;
  }
  if (before.bookedAt === null || (before.dollars === now.dollars && before.fee === now.fee)) return null;
  return `The venue has changed what it paid for "${name}": ${formatUsd(now.dollars)} where it was ${formatUsd(before.dollars)}.`;
}

/** Paid and final, and not booked as it stands now. */
export async function duePayouts(db: Db, at: VenueName): Promise<PayoutRow[]> {
  const { venue, paidAt, isProvisional, bookedAt } = venuePayouts;
  return await db
    .select()
    .from(venuePayouts)
    .where(and(eq(venue, at), isNull(bookedAt), isNotNull(paidAt), eq(isProvisional, false)));
}
