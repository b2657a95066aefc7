/** Decides what is converted into dollars now, and records it: shown and carried out by the same plan. */
import type { ChainQuota } from '@dutchbook/contract/chain-steps.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { ExitPlan } from '@dutchbook/engine/exit/plan-exit.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockBatches } from '../orders/locked-batches.ts';
import { isArmedUntilEnd } from '../trading-controls/store.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';
import { type EventParts, type ExitEvent, exitEvents } from './event-holdings.ts';
import { cutToChain, type LotScope, type OrderLot, readLots, readTaken } from './free-lots.ts';
import { type CashNowPlan, type PlannedStep, planCashNow } from './plan.ts';
import { readQuota, submissionsLeft } from './quota.ts';
import { type Requested, recordSubmissions } from './record.ts';

export type CashNowParts = Omit<EventParts, 'chain'> & {
  runtime: Runtime;
  chain: VenueChain;
  controls: Pick<TradingControls, 'venue' | 'current'>;
};

/** `only`: which of them; null is all. */
export type CashNowScope = { lots: LotScope; only: ((lot: OrderLot) => boolean) | null };

/** Our own books: the lots, and the shares of each token that are already taken. */
type Books = { lots: OrderLot[]; taken: ReadonlyMap<string, Shares> };

/** `books`: what it was decided by, to be compared with what they say when it is recorded. */
export type CashNowDecision = { lots: OrderLot[]; plan: CashNowPlan; quota: ChainQuota | null; books: Books };

/** Throws VenueUnavailable. */
export async function decideCashNow(
  { runtime, chain, controls, ...venue }: CashNowParts,
  scope: CashNowScope,
  priority: ReadPriority,
  isWanted?: (plan: ExitPlan, event: ExitEvent) => boolean,
): Promise<CashNowDecision> {
  const { db } = runtime;
  const books = await readBooks(db, controls.venue, scope);
  const { lots, taken } = books;
  const balances = await chain.balances([...new Set(lots.map(({ tokenId }) => tokenId))]);
  const free = cutToChain(lots, balances.shares, taken);
  const events = await exitEvents({ ...venue, chain }, free, priority);
  const quota = await readQuota(db, runtime, chain, controls.venue);
  const terms = { callsMax: chain.callsMax, submissionsLeft: submissionsLeft(quota) };
  return { lots: free, plan: await planCashNow(events, terms, isWanted), quota, books };
}

async function readBooks(db: Db, venue: VenueName, { lots: scope, only }: CashNowScope): Promise<Books> {
  const all = await readLots(db, scope);
  const own = all.filter(({ tokenId }) => venueOf(tokenId) === venue);
  const lots = own.filter((lot) => !isActive(lot.batchStatus) && (only?.(lot) ?? true));
  return { lots, taken: await readTaken(db) };
}

/** Figures of these lots, by which a plan is compared: others do not matter to it. */
function figuresOf({ lots, taken }: Books, used: ReadonlySet<string>): string {
  const own = lots.filter(({ orderId }) => used.has(orderId));
  return JSON.stringify(own.map(({ orderId, shares, tokenId }) => [orderId, shares, taken.get(tokenId) ?? 0]));
}

export const DISARMED = 'Trading is disarmed.';
const CONVERTED_MEANWHILE = 'Shares were bought, sold or converted meanwhile: look again at what it would bring.';

/**
 * Records the submissions of a decision; whatever was committed of these shares since refuses it. `inSameTransaction` comes
 * last in it. @returns a sentence why it is refused, or null
 */
export async function recordCashNow(
  { runtime, controls }: Pick<CashNowParts, 'runtime' | 'controls'>,
  { plan, books }: CashNowDecision,
  requested: Requested,
  inSameTransaction: (tx: Db) => Promise<void>,
): Promise<string | null> {
  const parts = plan.submissions.flat().flatMap((step) => step.parts);
  const used = new Set(parts.map(({ lot }) => lot.orderId));
  const marketIds = [...new Set(parts.map(({ lot }) => lot.marketId))];
  const check = async (tx: Db) => {
    const now = await readBooks(tx, controls.venue, { lots: { marketIds }, only: ({ orderId }) => used.has(orderId) });
    return figuresOf(now, used) === figuresOf(books, used) ? null : CONVERTED_MEANWHILE;
  };
  return await recordConversion({ runtime, controls }, plan.submissions, requested, check, inSameTransaction);
}

/** Records any submissions that take shares. `check`: whether the books still hold what the plan was made by. */
export async function recordConversion(
  { runtime, controls }: Pick<CashNowParts, 'runtime' | 'controls'>,
  submissions: readonly (readonly PlannedStep[])[],
  requested: Requested,
  check: (tx: Db) => Promise<string | null>,
  inSameTransaction: (tx: Db, ids: readonly string[]) => Promise<void>,
): Promise<string | null> {
  const batchIds = submissions.flat().flatMap(({ parts }) => parts.map(({ lot }) => lot.batchId));
  const refusal = await runtime.db.transaction(async (tx) => {
    await lock(tx, 'selling');
    const isArmed = await isArmedUntilEnd(tx, runtime.config.venueMode, controls.venue);
    // A halt of this process may not be stored yet. Moves by the venue are only booked, also while disarmed.
    if (!requested.byVenue && !(isArmed && controls.current().armed)) return DISARMED;
    await lockBatches(tx, batchIds);
    const changed = await check(tx);
    if (changed !== null) return changed;
    const ids = await recordSubmissions(tx, runtime, requested, submissions);
    await inSameTransaction(tx, ids);
    return null;
  });
  if (refusal === null) runtime.pass('chain_recorded');
  return refusal;
}
