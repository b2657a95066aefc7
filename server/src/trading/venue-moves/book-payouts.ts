/**
 * Books what a venue without contracts does to shares by itself: it pays for a market that has ended, and takes what is held of both
 * outcomes for a dollar a pair.
 */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { allotSteps } from '@dutchbook/engine/exit/allot.ts';
import { linesFromOutside, linesOfLost, linesOfRedeemed } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { balanced, summed } from '@dutchbook/engine/ledger/entry.ts';
import type { MarketId, TokenId, VenueName } from '@dutchbook/units/ids.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { complement, type Price } from '@dutchbook/units/price.ts';
import { minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { PaidOutcome, VenueCatalogue, VenueTrading } from '@dutchbook/venues/venue.ts';
import { eq, inArray, isNull } from 'drizzle-orm';
import { lock } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { type OrderLot, readLots } from '../chain-steps/free-lots.ts';
import type { PlannedStep } from '../chain-steps/plan.ts';
import { recordSubmissions } from '../chain-steps/record.ts';
import { firstOf } from '../chain-steps/redeem.ts';
import { changeSubmission } from '../chain-steps/store.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { derived, stateOf } from '../execution/runner/under-lease.ts';
import { readBalances } from '../ledger/balances.ts';
import { postSurplus } from '../ledger/post-surplus.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { lockBatches } from '../orders/locked-batches.ts';
import { batchOrders } from '../orders/table.ts';
import type { PayoutRow } from './payouts.ts';
import { venuePayouts } from './table.ts';

/**
 * Records the dollars of a payout as a redemption of the shares that batches hold, and of others that the ledger has. Waits while an
 * order or a batch of its market has not ended, and a while for trades of shares that it pays for and the ledger does not have.
 * @returns the batches that hold shares of it, once it is recorded
 */
export async function recordPayout(runtime: Runtime, { marketId, venue }: PayoutRow): Promise<string[]> {
  const changed = await runtime.db.transaction(async (tx) => {
    await lock(tx, 'selling');
    const [payout] = await tx.select().from(venuePayouts).where(eq(venuePayouts.marketId, marketId)).for('update');
    if (payout === undefined || payout.bookedAt !== null || payout.submissionId !== null) return null;
    const lots = await lockedLots(tx, marketId);
    if (!lots.every(isFree) || pairsIn(lots) > 0) return null;
    const now = runtime.clock.now();
    if (isPaidForMore(payout, await sharesInLedger(tx)) && elapsedMs(payout.seenAt, now) < FILLS_READ_WITHIN_MS)
      return null;
    await takeBackClosed(tx, payout, now);
    const shares = await sharesInLedger(tx);
    const parts = partsOf(payout, lots, shares);
    const steps = parts.flatMap(({ step }) => step ?? []);
    const id = steps.length === 0 ? null : await recordByVenue(tx, runtime, 'redeem', steps);
    const surplus = surplusOf(parts);
    if (surplus !== null && id !== null) await postSurplus(tx, { id, venue }, surplus, now);
    const redeemed =
      surplus === null || id !== null
        ? []
        : [{ at: now, kind: 'redeem' as const, lines: linesOfRedeemed(surplus, venue) }];
    const ofOthers = await post(tx, redeemed);
    const batchIds = await noteResolved(tx, runtime, payout, lots);
    const closedEntryIds = [...ofOthers, ...(await closeLost(tx, payout, now))];
    const booked = { submissionId: id, closedEntryIds, bookedAt: now };
    await tx.update(venuePayouts).set(booked).where(eq(venuePayouts.marketId, marketId));
    return batchIds;
  });
  if (changed !== null) runtime.pass('chain_recorded');
  return changed ?? [];
}

/** Time for the trade that bought paid shares to be read; shares without one by then do not belong to this desk. */
const FILLS_READ_WITHIN_MS = 600_000;

/** Shares that were closed for nothing are known. */
function isPaidForMore({ outcomes, closedEntryIds }: PayoutRow, ledger: ReadonlyMap<TokenId, number>): boolean {
  return closedEntryIds.length === 0 && outcomes.some(({ tokenId, shares }) => shares > (ledger.get(tokenId) ?? 0));
}

/** Records netting: batches hold both outcomes, and the venue no more than the difference. @returns whether it is recorded */
export async function recordNetted(
  runtime: Runtime,
  venue: VenueName,
  marketId: MarketId,
  held: ReadonlyMap<TokenId, Shares>,
): Promise<boolean> {
  const isRecorded = await runtime.db.transaction(async (tx) => {
    await lock(tx, 'selling');
    const lots = await lockedLots(tx, marketId);
    const shares = await sharesInLedger(tx);
    const pairs = pairsIn(lots);
    const tokens = [...new Set(lots.map(({ tokenId }) => tokenId))];
    if (pairs === SHARES_ZERO || !lots.every(isFree)) return false;
    const [first = '', second = ''] = tokens;
    const net = (of: ReadonlyMap<TokenId, number>) => (of.get(first) ?? 0) - (of.get(second) ?? 0);
    if (net(shares) !== net(held)) return false;
    const changes = tokens.map((tokenId) => ({ tokenId, micro: -pairs }));
    const dollars = pairs as number as Usd;
    const [allotted] = allotSteps([{ dollars, changes }], lots);
    const byOrder = new Map(lots.map((lot) => [lot.orderId, lot]));
    const parts = (allotted?.parts ?? []).flatMap(({ orderId, ...part }) => {
      const lot = byOrder.get(orderId);
      return lot === undefined ? [] : [{ lot, ...part }];
    });
    const name = lots[0]?.marketName ?? marketId;
    const step: PlannedStep = {
      ...{ kind: 'merge', marketIds: [marketId], marketNames: [name], tokenId: null, shares: pairs, dollars, changes },
      ...{ parts, handedOut: [] },
    };
    await recordByVenue(tx, runtime, 'cash_now', [step]);
    return true;
  });
  if (isRecorded) runtime.pass('chain_recorded');
  if (isRecorded) runtime.log.info({ venue, marketId }, 'shares of both outcomes were netted by the venue');
  return isRecorded;
}

/** Markets of which batches hold both outcomes, and whose outcomes the venue nets. Throws VenueUnavailable. */
export async function nettedMarkets(
  catalogue: Pick<VenueCatalogue, 'marketsById'>,
  lots: readonly OrderLot[],
): Promise<MarketId[]> {
  const both = [...Map.groupBy(lots, ({ marketId }) => marketId)].filter(([, own]) => pairsIn(own) > 0);
  if (both.length === 0) return [];
  const markets = await catalogue.marketsById(
    both.map(([marketId]) => marketId),
    'following',
  );
  return [...markets].flatMap(([marketId, { netsOutcomes }]) => (netsOutcomes ? [marketId] : []));
}

/** The account's shares by token, as the venue states them. Throws VenueUnavailable. */
export async function heldAt(trading: Pick<VenueTrading, 'positions'>): Promise<Map<TokenId, Shares>> {
  return new Map((await trading.positions('following')).map(({ tokenId, shares }) => [tokenId, shares]));
}

async function lockedLots(tx: Db, marketId: MarketId): Promise<OrderLot[]> {
  const before = await readLots(tx, { marketIds: [marketId] });
  await lockBatches(
    tx,
    before.map(({ batchId }) => batchId),
  );
  return await readLots(tx, { marketIds: [marketId] });
}

/** Shares in the ledger by token, also those of no batch. */
async function sharesInLedger(tx: Db): Promise<Map<TokenId, number>> {
  const balances = (await readBalances(tx)).filter(({ account }) => account === 'shares');
  return new Map(balances.map(({ unit, amount }) => [unit, amount]));
}

/** All that it holds is settled and in no order, and its batch has ended. */
export function isFree({ batchStatus, held, shares }: OrderLot): boolean {
  return !isActive(batchStatus) && shares === held;
}

/** How many of each outcome lots of both have. */
export function pairsIn(lots: readonly OrderLot[]): Shares {
  const sums = [...Map.groupBy(lots, ({ tokenId }) => tokenId).values()].map((own) =>
    own.reduce((sum, { held }) => sum + held, 0),
  );
  return sums.length < 2 ? SHARES_ZERO : (Math.min(...sums) as Shares);
}

type PaidPart = { step: PlannedStep | null; tokenId: TokenId; others: Shares; othersPaid: Usd };

/** Divides the payout of each outcome between batches, oldest first, and shares of no batch. */
function partsOf(
  { marketId, outcomes, dollars, fee }: PayoutRow,
  lots: OrderLot[],
  ledger: ReadonlyMap<TokenId, number>,
): PaidPart[] {
  const paid = divided(subtractUsd(dollars, fee), outcomes);
  return outcomes.map(({ tokenId, shares, pays }, place) => {
    const own = lots.filter((lot) => lot.tokenId === tokenId);
    const taken = firstOf(own, shares);
    const ours = taken.reduce((sum, lot) => sum + lot.shares, 0) as Shares;
    const inLedger = Math.max(0, (ledger.get(tokenId) ?? 0) - ours) as Shares;
    const others = minShares(inLedger, (shares - ours) as Shares);
    const came = paid[place] ?? USD_ZERO;
    const forOurs = mulDiv(came, ours, shares, 'down') as Usd;
    const isAll = ours + others === shares;
    const othersPaid = (isAll ? came - forOurs : mulDiv(came, others, shares, 'down')) as Usd;
    const step = ours === 0 || pays === 0 ? null : redemption({ marketId, tokenId, lots: taken, dollars: forOurs });
    return { step, tokenId, others, othersPaid };
  });
}

/** Divides dollars between outcomes by their worth; the last one gets the rounding. */
export function divided(dollars: Usd, outcomes: readonly PaidOutcome[]): Usd[] {
  const worth = outcomes.map(({ shares, pays }) => mulDiv(shares, pays, 1_000_000, 'down'));
  const total = worth.reduce((sum, each) => sum + each, 0);
  let rest: number = dollars;
  return worth.map((each, place) => {
    const part = place === worth.length - 1 ? rest : total === 0 ? 0 : mulDiv(dollars, each, total, 'down');
    rest -= part;
    return part as Usd;
  });
}

type Redemption = { marketId: MarketId; tokenId: TokenId; lots: readonly OrderLot[]; dollars: Usd };

/** Shares of one token, oldest first, for these dollars. */
export function redemption({ marketId, tokenId, lots, dollars }: Redemption): PlannedStep {
  const shares = lots.reduce((sum, lot) => sum + lot.shares, 0) as Shares;
  let rest: number = dollars;
  const parts = lots.map((lot, place) => {
    const part = place === lots.length - 1 ? rest : mulDiv(dollars, lot.shares, shares, 'down');
    rest -= part;
    return { lot, shares: lot.shares, dollars: part as Usd };
  });
  const marketNames = [lots[0]?.marketName ?? marketId];
  return {
    ...{ kind: 'redeem', marketIds: [marketId], marketNames, tokenId, shares, dollars, parts, handedOut: [] },
    changes: [{ tokenId, micro: -shares }],
  };
}

function surplusOf(parts: readonly PaidPart[]): { dollars: number; shares: Map<string, number> } | null {
  const others = parts.filter((part) => part.others > 0);
  if (others.length === 0) return null;
  return {
    dollars: others.reduce((sum, { othersPaid }) => sum + othersPaid, 0),
    shares: new Map(others.map((part) => [part.tokenId, -part.others])),
  };
}

/** Records a submission for what the venue did by itself: nothing is sent. @returns the id of the submission */
export async function recordByVenue(
  tx: Db,
  runtime: Runtime,
  purpose: 'redeem' | 'cash_now' | 'close',
  steps: readonly PlannedStep[],
): Promise<string> {
  const requestId = runtime.random.uuid();
  const requested = { requestId, purpose, automatic: true, requestedBy: null, byVenue: true as const };
  const [id] = await recordSubmissions(tx, runtime, requested, [steps]);
  if (id === undefined) throw new Error('what the venue has done was recorded without a row');
  const received = steps.reduce((sum, { dollars }) => sum + dollars, 0) as Usd;
  await changeSubmission(tx, id, { received }, isNull(chainSubmissions.bookedAt));
  return id;
}

/** Reopens shares closed at nothing when the venue pays for them after all, as if it had paid so from the start. */
async function takeBackClosed(tx: Db, payout: PayoutRow, at: PayoutRow['seenAt']): Promise<void> {
  const { closedEntryIds, changes } = payout;
  if (closedEntryIds.length === 0) return;
  const closed = await tx
    .select({ lines: ledgerEntries.lines })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.id, closedEntryIds));
  const back = closed.flatMap(({ lines }) => lines.map((line) => ({ ...line, amount: -line.amount })));
  await post(tx, [{ at, kind: 'correction', lines: balanced(summed(back)), reason: changes.at(-1)?.reason ?? null }]);
}

/** @returns their ids */
async function post(tx: Db, entries: readonly (typeof ledgerEntries.$inferInsert)[]): Promise<number[]> {
  if (entries.length === 0) return [];
  const rows = await tx
    .insert(ledgerEntries)
    .values([...entries])
    .returning({ id: ledgerEntries.id });
  return rows.map(({ id }) => id);
}

/** Shares that pay nothing are gone with the payout: they leave what was traded, and what is held. @returns the ids of the entries */
async function closeLost(tx: Db, { outcomes, venue }: PayoutRow, at: PayoutRow['seenAt']): Promise<number[]> {
  const lost = new Set(outcomes.filter(({ pays }) => pays === 0).map(({ tokenId }) => tokenId));
  if (lost.size === 0) return [];
  const balances = (await readBalances(tx)).filter(({ unit }) => lost.has(unit));
  const entries = balances.flatMap(({ account, unit, amount }): (typeof ledgerEntries.$inferInsert)[] => {
    if (account === 'traded' && amount < 0) return [{ at, kind: 'lost', lines: linesOfLost(unit, -amount) }];
    if (account !== 'shares' || amount <= 0) return [];
    return [{ at, kind: 'redeem', lines: linesFromOutside([{ unit, amount: -amount }], venue) }];
  });
  return await post(tx, entries);
}

/**
 * What every share of the market came to be worth, also those that are worth nothing: of a batch that has lost them nothing else may ever
 * be booked. The batches are locked. @returns them
 */
async function noteResolved(
  tx: Db,
  runtime: Runtime,
  { outcomes }: Pick<PayoutRow, 'outcomes'>,
  lots: readonly OrderLot[],
): Promise<string[]> {
  const [paid] = outcomes;
  if (paid === undefined) return [];
  const paysOf = (tokenId: TokenId): Price =>
    outcomes.find((outcome) => outcome.tokenId === tokenId)?.pays ?? complement(paid.pays);
  const byBatch = Map.groupBy(lots, ({ batchId }) => batchId);
  for (const [batchId, own] of byBatch) {
    const before = await stateOf(tx, batchId);
    for (const { orderId, tokenId } of own)
      await tx
        .update(batchOrders)
        .set({ resolvedValue: paysOf(tokenId), resolvedAt: runtime.clock.now() })
        .where(eq(batchOrders.id, orderId));
    await derived(tx, runtime, before, { changed: await stateOf(tx, batchId) });
  }
  return [...byBatch.keys()];
}
