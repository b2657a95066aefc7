/** Converts into dollars, and redeems, what a superuser has switched on, without being asked each time, while trading is armed. */
import { retriedSince } from '@dutchbook/engine/batch/retry.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import {
  type CashNowDecision,
  type CashNowParts,
  type CashNowScope,
  decideCashNow,
  recordCashNow,
} from '../../trading/chain-steps/cash-now.ts';
import { automaticFailures, failuresOfRequest, isHeldBack } from '../../trading/chain-steps/failures.ts';
import { partiallyConvertedSince } from '../../trading/chain-steps/partially-converted.ts';
import { recordRedeem, redeemPlan } from '../../trading/chain-steps/record-redeem.ts';
import { decideRedeem, type RedeemParts, type ResolvedToken } from '../../trading/chain-steps/redeem.ts';
import { wasAutomaticSince } from '../../trading/chain-steps/store.ts';
import { openStartOver } from '../../trading/under-way/start-overs.ts';
import { bookVenueRedemptions } from '../../trading/venue-moves/book-redemptions.ts';
import { readVenueMoves } from '../../trading/venue-moves/moves.ts';
import { recordedSteps } from './recorded-steps.ts';
import type { WatchedExitSettings } from './settings.ts';

export type AutomaticParts = CashNowParts & {
  trading: RedeemParts['trading'];
  partitions: Partitions;
  settings: Pick<WatchedExitSettings, 'current'>;
};

const CASH_NOW_EVERY_MS = 5000;
const REDEEM_EVERY_MS = 60_000;
/** Half of the day's merges are kept for people: beyond the others what comes up is gathered, and submitted this seldom. */
const SELDOM_MS = 30 * 60_000;

/** What nothing came of for so long is left to a person. */
const GOES_ON_MS = 3_600_000;

/** One engine of all does it. @returns what ends it */
export function startAutomaticExits(parts: AutomaticParts): () => void {
  const { runtime, partitions, controls, settings } = parts;
  const failures = openFailureLog(runtime.log, 'warn', 'automatic exits not planned');
  const tried = async (work: () => Promise<void>) => {
    if (!isLeader(partitions)) return;
    try {
      await work();
      failures.succeeded();
    } catch (error) {
      if (!(error instanceof VenueUnavailable)) throw error;
      failures.failed(error);
    }
  };
  const stops = [
    runtime.timers.every(CASH_NOW_EVERY_MS, () =>
      tried(async () => {
        if (!controls.current().armed) return;
        await goOn(parts);
        if (settings.current().auto_cash_now) await cashNow(parts);
      }),
    ),
    runtime.timers.every(REDEEM_EVERY_MS, () => tried(() => redeem(parts))),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Converts events of ended batches that nothing completes any more, where that brings the minimum set and no less than selling. */
async function cashNow(parts: AutomaticParts): Promise<void> {
  const { runtime, settings } = parts;
  const least = settings.current().auto_cash_now_min_usd;
  const now = runtime.clock.now();
  const failures = await automaticFailures(runtime.db, 'cash_now', now);
  const scope = { lots: { retriedSince: retriedSince(now) }, only: null };
  const decision = await decideCashNow(
    parts,
    scope,
    'following',
    (plan, { lots }) =>
      plan.cashNow.net >= least &&
      plan.cashNow.worth >= plan.sell.worth &&
      !isHeldBack(
        failures,
        lots.map(({ marketId }) => marketId),
        now,
      ),
  );
  const { submissions } = decision.plan;
  if (submissions.length === 0 || (await isToBeGathered(parts, decision))) return;
  const requested = { requestId: runtime.random.uuid(), purpose: 'cash_now' as const, ...BY_ITSELF };
  const refusal = await recordCashNow(parts, decision, requested, (tx) =>
    recordAction(tx, runtime, THE_SYSTEM, { action: 'chain.cash_now', after: recordedSteps(submissions) }),
  );
  if (refusal !== null) runtime.log.info({ reason: refusal }, 'automatic cash now put off');
}

/** Goes on with requests of users that took more than one submission: each takes what the one before has handed out. */
async function goOn(parts: AutomaticParts): Promise<void> {
  const { runtime, controls } = parts;
  const now = runtime.clock.now();
  const since = (now - GOES_ON_MS) as Instant;
  for (const { requestId, requestedBy, marketIds, batchIds } of await partiallyConvertedSince(
    runtime.db,
    controls.venue,
    since,
  )) {
    if (isHeldBack(await failuresOfRequest(runtime.db, requestId, now), marketIds, now)) continue;
    const scope: CashNowScope = { lots: { marketIds }, only: ({ batchId }) => batchIds.includes(batchId) };
    const decision = await decideCashNow(parts, scope, 'following');
    const after = recordedSteps(decision.plan.submissions);
    if (decision.plan.submissions.length === 0) continue;
    const requested = { requestId, purpose: 'cash_now' as const, automatic: requestedBy === null, requestedBy };
    await recordCashNow(parts, decision, requested, (tx) =>
      recordAction(tx, runtime, THE_SYSTEM, { action: 'chain.cash_now', object: requestId, after }),
    );
  }
}

async function isToBeGathered(
  { runtime: { db, clock }, controls }: AutomaticParts,
  { quota }: CashNowDecision,
): Promise<boolean> {
  if (quota === null || quota.used * 2 < quota.allowed) return false;
  return await wasAutomaticSince(db, controls.venue, (clock.now() - SELDOM_MS) as Instant);
}

const BY_ITSELF = { automatic: true, requestedBy: null };

/** What the venue has redeemed is booked in any case: nothing is sent for it. */
async function redeem(parts: AutomaticParts): Promise<void> {
  const { runtime, chain, controls, settings } = parts;
  // What is closed at the end of a run is no redemption.
  if ((await openStartOver(runtime.db)) !== null) return;
  await readVenueMoves(runtime, controls.venue, chain);
  const decision = await decideRedeem(runtime.db, parts, null, 'following');
  await bookVenueRedemptions(parts, decision);
  const now = runtime.clock.now();
  const failures = await automaticFailures(runtime.db, 'redeem', now);
  const due = { ...decision, tokens: decision.tokens.filter((token) => !isHeldBack(failures, marketsOf(token), now)) };
  const submissions = redeemPlan(due, chain.callsMax, failures);
  if (!settings.current().auto_redeem || !controls.current().armed || submissions.length === 0) return;
  const requested = { requestId: runtime.random.uuid(), ...BY_ITSELF };
  const after = recordedSteps(submissions);
  const audited = (tx: Db) => recordAction(tx, runtime, THE_SYSTEM, { action: 'chain.redeemed', after });
  const refusal = await recordRedeem(parts, due, { callsMax: chain.callsMax, alone: failures }, requested, audited);
  if (refusal !== null) runtime.log.info({ reason: refusal }, 'automatic redemption put off');
}

function marketsOf({ lots }: ResolvedToken): string[] {
  return lots.map(({ marketId }) => marketId);
}
