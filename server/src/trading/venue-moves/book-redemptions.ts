/** Books what the venue has redeemed by itself: shares that it took, with the dollars that are proven to have come for them. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { ProvenMoves } from '@dutchbook/venues/venue-chain.ts';
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { CashNowParts } from '../chain-steps/cash-now.ts';
import { changeAndNotify } from '../chain-steps/notify-submission.ts';
import { prove } from '../chain-steps/prove.ts';
import { recordRedeemedByVenue, redeemedByVenue } from '../chain-steps/record-redeem.ts';
import { firstOf, type RedeemDecision, type ResolvedToken } from '../chain-steps/redeem.ts';
import { readSubmission } from '../chain-steps/store.ts';
import { chainSteps, chainSubmissions } from '../chain-steps/table.ts';
import { postSurplus } from '../ledger/post-surplus.ts';
import { isPayout, openMoves, type VenueMove } from './moves.ts';
import { venueMoves } from './table.ts';

/** Dollars may come by another transaction than the one that took the shares, at most so much later. */
export const PAID_WITHIN_MS = 300_000;

/** `moves`: the transaction that took the shares, and those that paid. */
type Redemption = { moves: VenueMove[]; tokens: ResolvedToken[]; moved: ProvenMoves };

/** Shares for which no dollars have come stay as they are: gone, and explained by nothing. */
export async function bookVenueRedemptions(
  parts: Pick<CashNowParts, 'runtime' | 'controls'>,
  decision: RedeemDecision,
): Promise<void> {
  const { runtime, controls } = parts;
  const { venue } = controls;
  const { db, clock, log, random } = runtime;
  const gone = redeemedByVenue(decision);
  // The transaction of a call of ours whose end is not known yet would be taken for the venue's.
  if (gone.length === 0 || (await isOneOpen(db, venue))) return;
  const redemptions = redemptionsOf(gone, await openMoves(db, venue, clock.now()), clock.now());
  if (redemptions.length === 0) return;
  const tokens = redemptions.map((redemption) => redemption.tokens);
  const refusal = await recordRedeemedByVenue(parts, decision, tokens, random.uuid(), async (tx, ids) => {
    for (const [place, id] of ids.entries()) {
      const redemption = redemptions[place];
      if (redemption !== undefined) await recordProof({ ...runtime, db: tx }, id, redemption);
    }
  });
  if (refusal !== null) log.info({ reason: refusal }, 'redemption by the venue not booked yet');
}

async function isOneOpen(db: Db, venue: VenueName): Promise<boolean> {
  const { payload, endedAt } = chainSubmissions;
  return (
    (await db.$count(chainSubmissions, and(eq(chainSubmissions.venue, venue), isNotNull(payload), isNull(endedAt)))) > 0
  );
}

/** Oldest first; of each token one. */
function redemptionsOf(gone: readonly ResolvedToken[], moves: readonly VenueMove[], now: Instant): Redemption[] {
  const used = new Set<ResolvedToken | VenueMove>();
  return moves.flatMap((move) => {
    const due = gone.filter((token) => !used.has(token) && takenOf(move, token) > 0);
    if (due.length === 0) return [];
    const worth = due.map((token) => notional(takenOf(move, token), token.value, 'down')).reduce(addUsd, USD_ZERO);
    const { payouts, cash } = paidWith(
      move,
      worth,
      moves.filter((other) => isPayout(other) && other.block >= move.block && !used.has(other)),
    );
    const isWaiting = move.cash === 0 && cash < worth && now - move.seenAt < PAID_WITHIN_MS;
    if (cash === 0 || isWaiting) return [];
    for (const one of [...due, ...payouts]) used.add(one);
    const shares = new Map(due.map((token) => [tokenIdOf(token), -takenOf(move, token) as Shares]));
    const tokens = due.map((token) => cutTo(token, minShares(token.shares, takenOf(move, token))));
    return [{ moves: [move, ...payouts], tokens, moved: { cash, shares, payouts: new Map() } }];
  });
}

/** Payouts since then, oldest first, that together with what came with the shares are no more than these are worth. */
function paidWith({ cash: with_ }: VenueMove, worth: Usd, open: readonly VenueMove[]) {
  const payouts: VenueMove[] = [];
  let cash = with_;
  for (const payout of open) {
    if (addUsd(cash, payout.cash) > worth) continue;
    payouts.push(payout);
    cash = addUsd(cash, payout.cash);
  }
  return { payouts, cash };
}

function tokenIdOf({ lots }: ResolvedToken): string {
  return lots[0]?.tokenId ?? '';
}

function takenOf({ shares }: VenueMove, token: ResolvedToken): Shares {
  return shares[tokenIdOf(token)] ?? SHARES_ZERO;
}

function cutTo(token: ResolvedToken, shares: Shares): ResolvedToken {
  return { ...token, shares, lots: firstOf(token.lots, shares) };
}

/** Records the proof, in the transaction that records the submission. */
async function recordProof(runtime: Runtime, id: string, { moves, moved }: Redemption): Promise<void> {
  const { db, clock } = runtime;
  const submission = await readSubmission(db, id);
  const [move] = moves;
  if (submission === null || move === undefined)
    throw new Error('a redemption by the venue was recorded without a row');
  const { proofs, isFailed, error, surplus } = prove(submission.steps, submission.row.expected, moved);
  const also = async (tx: Db) => {
    for (const [stepId, proof] of proofs) await tx.update(chainSteps).set({ proof }).where(eq(chainSteps.id, stepId));
    if (surplus !== null) await postSurplus(tx, { id, venue: submission.row.venue }, surplus, clock.now());
    const hashes = moves.map(({ hash }) => hash);
    await tx.update(venueMoves).set({ submissionId: id }).where(inArray(venueMoves.hash, hashes));
  };
  const status = isFailed ? ('failed' as const) : ('confirmed' as const);
  const changes = { status, hash: move.hash, block: move.block, received: moved.cash, error };
  const type = error === null ? null : 'submission_differs';
  await changeAndNotify(runtime, id, { changes, seen: sql`true`, type, also });
}
