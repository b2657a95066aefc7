/** Decides what is turned into dollars now, and records it: shown and carried out by the same plan. */
import type { ChainQuota } from '@dutchbook/contract/chain-steps.ts';
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { lock } from '../database/locks.ts';
import type { TradingControls } from '../parts.ts';
import type { Db, Runtime } from '../runtime.ts';
import { isArmedUntilEnd } from '../trading-controls/store.ts';
import { type EventParts, exitEvents } from './event-holdings.ts';
import { cutToChain, type LotScope, type OrderLot, readLots, readTaken } from './free-lots.ts';
import { type CashNowPlan, type PlannedStep, planCashNow } from './plan.ts';
import { readQuota, submissionsLeft } from './quota.ts';
import { lockBatches, type Requested, recordSubmissions } from './record.ts';

export type CashNowParts = Omit<EventParts, 'chain'> & {
  runtime: Runtime;
  chain: VenueChain;
  controls: Pick<TradingControls, 'current'>;
};

/** `only`: these orders of it alone; null is all. */
export type CashNowScope = { lots: LotScope; only: ReadonlySet<string> | null };

/** `seen`: what it was decided by of our own books, to be compared with what they say when it is recorded. */
export type CashNowDecision = { lots: OrderLot[]; plan: CashNowPlan; quota: ChainQuota | null; seen: string };

/** Throws VenueUnavailable. */
export async function decideCashNow(
  { runtime, chain, ...venue }: CashNowParts,
  scope: CashNowScope,
  priority: ReadPriority,
): Promise<CashNowDecision> {
  const { db } = runtime;
  const { lots, taken, seen } = await readBooks(db, scope);
  const balances = await chain.balances([...new Set(lots.map(({ tokenId }) => tokenId))]);
  const free = cutToChain(lots, balances.shares, taken);
  const events = await exitEvents({ ...venue, chain }, free, priority);
  const quota = await readQuota(db, runtime, chain);
  const terms = { callsMax: chain.callsMax, submissionsLeft: submissionsLeft(quota) };
  return { lots: free, plan: await planCashNow(events, terms), quota, seen };
}

async function readBooks(db: Db, { lots: scope, only }: CashNowScope) {
  const all = await readLots(db, scope);
  const lots = all.filter(({ orderId, batchStatus }) => !isActive(batchStatus) && (only?.has(orderId) ?? true));
  const taken = await readTaken(db);
  const figures = lots.map(({ orderId, shares, tokenId }) => [orderId, shares, taken.get(tokenId) ?? 0]);
  return { lots, taken, seen: JSON.stringify(figures) };
}

export const DISARMED = 'Trading is disarmed.';
const TURNED_MEANWHILE = 'Shares were bought, sold or turned meanwhile: look again at what it would bring.';

/**
 * Records the submissions of a decision; whatever was committed of these shares since refuses it. `inSameTransaction` comes
 * last in it. @returns a sentence why it is refused, or null
 */
export async function recordCashNow(
  { runtime, controls }: Pick<CashNowParts, 'runtime' | 'controls'>,
  scope: CashNowScope,
  { plan, seen }: CashNowDecision,
  requested: Requested,
  inSameTransaction: (tx: Db) => Promise<void>,
): Promise<string | null> {
  const check = async (tx: Db) => ((await readBooks(tx, scope)).seen === seen ? null : TURNED_MEANWHILE);
  return await recordTurn({ runtime, controls }, plan.submissions, requested, check, inSameTransaction);
}

/** The same of any submissions that take shares. `check`: whether the books still say what they were planned by. */
export async function recordTurn(
  { runtime, controls }: Pick<CashNowParts, 'runtime' | 'controls'>,
  submissions: readonly (readonly PlannedStep[])[],
  requested: Requested,
  check: (tx: Db) => Promise<string | null>,
  inSameTransaction: (tx: Db) => Promise<void>,
): Promise<string | null> {
  const batchIds = submissions.flat().flatMap(({ parts }) => parts.map(({ lot }) => lot.batchId));
  const refusal = await runtime.db.transaction(async (tx) => {
    await lock(tx, 'selling');
    const isArmed = await isArmedUntilEnd(tx, runtime.config.venueMode);
    // What this process has halted may not be stored yet.
    if (!isArmed || !controls.current().armed) return DISARMED;
    await lockBatches(tx, batchIds);
    const changed = await check(tx);
    if (changed !== null) return changed;
    await recordSubmissions(tx, runtime, requested, submissions);
    await inSameTransaction(tx);
    return null;
  });
  if (refusal === null) runtime.pass('chain_recorded');
  return refusal;
}
