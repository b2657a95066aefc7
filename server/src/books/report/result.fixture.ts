import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { batchResults } from './table.ts';

export type Result = typeof batchResults.$inferInsert;

const NOTHING = 0 as Usd & Shares;

/** A batch of one set of two legs that was bought as planned, and is neither locked nor cash yet. */
export function result(batchId: string, triggeredAt: Instant, fields: Partial<Result> = {}): Result {
  return {
    batchId,
    triggeredAt,
    automatic: true,
    eventId: 'cup',
    eventTitle: 'Who wins the cup?',
    size: 1_000_000 as Shares,
    predictedCost: usdFromText('0.9'),
    predictedFees: NOTHING,
    predictedProfit: usdFromText('0.1'),
    paid: usdFromText('0.9'),
    received: NOTHING,
    fees: NOTHING,
    orderedShares: 2_000_000 as Shares,
    filledShares: 2_000_000 as Shares,
    legs: 2,
    filledLegs: 2,
    fillCount: 2,
    undoneFills: 0,
    paidProfit: NOTHING,
    lockedProfit: NOTHING,
    atRisk: NOTHING,
    locked: NOTHING,
    movedBeforeSend: NOTHING,
    movedInFlight: NOTHING,
    sizeAdded: NOTHING,
    shortfall: NOTHING,
    capitalDays: NOTHING,
    changedAt: triggeredAt,
    ...fields,
  };
}
