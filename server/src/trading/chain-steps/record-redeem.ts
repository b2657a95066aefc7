/** Records what is redeemed, and what the venue has redeemed by itself. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { batches, batchOrders } from '../orders/table.ts';
import { reserveAnew } from '../under-way/reserve.ts';
import { type CashNowParts, recordConversion } from './cash-now.ts';
import type { FailuresByMarket } from './failures.ts';
import type { PlannedStep } from './plan.ts';
import type { Requested } from './record.ts';
import { type RedeemDecision, type ResolvedToken, redeemSeen, redeemSteps, redeemSubmissions } from './redeem.ts';

const REDEEMED_MEANWHILE = 'Shares were bought, sold or redeemed meanwhile: look again at what there is to redeem.';

/** The submissions that redeem what has won and is free. `alone`: markets that have failed, each of which goes by itself. */
export function redeemPlan(
  { tokens }: RedeemDecision,
  callsMax: number,
  alone: FailuresByMarket = new Map(),
): PlannedStep[][] {
  const won = tokens.filter(({ value, error }) => value > 0 && error === null);
  return redeemSubmissions(won, callsMax, alone);
}

/** @returns a sentence why it is refused, or null */
export async function recordRedeem(
  parts: Pick<CashNowParts, 'runtime' | 'controls'>,
  decision: RedeemDecision,
  { callsMax, alone }: { callsMax: number; alone?: FailuresByMarket },
  requested: Omit<Requested, 'purpose'>,
  inSameTransaction: (tx: Db) => Promise<void>,
): Promise<string | null> {
  return await record(parts, decision, redeemPlan(decision, callsMax, alone), requested, inSameTransaction);
}

/** Shares that won and that are gone by the chain and the venue. */
export function redeemedByVenue({ tokens }: RedeemDecision): ResolvedToken[] {
  return tokens.filter(({ value, isGone }) => value > 0 && isGone);
}

/**
 * Books redemptions by the venue as submissions without sending anything. `inSameTransaction` gets their ids, in order.
 * @returns a sentence why it is refused, or null
 */
export async function recordRedeemedByVenue(
  parts: Pick<CashNowParts, 'runtime' | 'controls'>,
  decision: RedeemDecision,
  redeemed: readonly (readonly ResolvedToken[])[],
  requestId: string,
  inSameTransaction: (tx: Db, ids: readonly string[]) => Promise<void>,
): Promise<string | null> {
  const requested = { requestId, automatic: true, requestedBy: null, byVenue: true as const };
  return await record(parts, decision, redeemed.map(redeemSteps), requested, inSameTransaction);
}

/**
 * Clears the leg risk of batches whose shares are redeemed: the rest of their sets is at no risk any more. It shows from when that is
 * booked.
 */
async function noteResolved(
  db: Db,
  now: Instant,
  { resolved }: RedeemDecision,
  submissions: readonly (readonly PlannedStep[])[],
): Promise<void> {
  const redeemed = new Set(submissions.flat().flatMap(({ parts }) => parts.map(({ lot }) => lot.batchId)));
  for (const { value, lots } of resolved) {
    const ids = lots.filter(({ batchId }) => redeemed.has(batchId)).map(({ orderId }) => orderId);
    const unnoted = and(inArray(batchOrders.id, ids), isNull(batchOrders.resolvedValue));
    if (ids.length > 0) await db.update(batchOrders).set({ resolvedValue: value, resolvedAt: now }).where(unnoted);
  }
  if (redeemed.size > 0) await reserveAnew(db, inArray(batches.id, [...redeemed]));
}

async function record(
  parts: Pick<CashNowParts, 'runtime' | 'controls'>,
  decision: RedeemDecision,
  submissions: readonly PlannedStep[][],
  requested: Omit<Requested, 'purpose'>,
  inSameTransaction: (tx: Db, ids: readonly string[]) => Promise<void>,
): Promise<string | null> {
  const check = async (tx: Db) => {
    if ((await redeemSeen(tx, decision)) !== decision.seen) return REDEEMED_MEANWHILE;
    await noteResolved(tx, parts.runtime.clock.now(), decision, submissions);
    return null;
  };
  return await recordConversion(parts, submissions, { ...requested, purpose: 'redeem' }, check, inSameTransaction);
}
