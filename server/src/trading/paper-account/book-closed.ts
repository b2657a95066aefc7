/** Books what the exchange of paper trading closed at the end of a run: shares that it took, and the dollars that are proven to have come for them. */
import { linesOfRedeemed } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { TokenId, VenueName } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { eq, isNull } from 'drizzle-orm';
import { lock } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { type OrderLot, readLots } from '../chain-steps/free-lots.ts';
import type { PlannedStep } from '../chain-steps/plan.ts';
import { firstOf } from '../chain-steps/redeem.ts';
import { changeSubmission } from '../chain-steps/store.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { readBalances } from '../ledger/balances.ts';
import { ledgerEntries } from '../ledger/table.ts';
import { lockBatches } from '../orders/locked-batches.ts';
import { divided, isFree, recordByVenue, redemption } from '../venue-moves/book-payouts.ts';
import { openMoves, type VenueMove } from '../venue-moves/moves.ts';
import { venueMoves } from '../venue-moves/table.ts';

/** Books each transaction once; shares of a leased batch wait for the next time. */
export async function bookClosed(runtime: Runtime, venue: VenueName, fromBlock: number): Promise<void> {
  const moves = await openMoves(runtime.db, venue, runtime.clock.now());
  for (const { hash } of moves.filter(({ block }) => block >= fromBlock)) {
    const isBooked = await runtime.db.transaction((tx) => bookMove(tx, runtime, hash, venue));
    if (isBooked) runtime.pass('run_booked');
  }
}

async function bookMove(tx: Db, runtime: Runtime, hash: string, venue: VenueName): Promise<boolean> {
  await lock(tx, 'selling');
  const [move] = await tx.select().from(venueMoves).where(eq(venueMoves.hash, hash)).for('update');
  if (move === undefined || move.submissionId !== null || move.entryId !== null) return false;
  const lots = await lotsOf(tx, move);
  if (!lots.every(isFree)) return false;
  const parts = await partsOf(tx, move, lots);
  const steps = parts.flatMap(({ step }) => step ?? []);
  const others = parts.filter(({ rest }) => rest.shares > 0 || rest.dollars > 0);
  const at = runtime.clock.now();
  if (steps.length > 0) {
    const submissionId = await recordByVenue(tx, runtime, 'close', steps);
    await changeSubmission(tx, submissionId, { hash, block: move.block }, isNull(chainSubmissions.bookedAt));
    await tx.update(venueMoves).set({ submissionId }).where(eq(venueMoves.hash, hash));
  }
  if (others.length > 0) {
    const dollars = others.reduce((sum, { rest }) => sum + rest.dollars, 0);
    const shares = new Map(others.map(({ tokenId, rest }) => [tokenId, -rest.shares]));
    const lines = linesOfRedeemed({ dollars, shares }, venue);
    const [entry] = await tx
      .insert(ledgerEntries)
      .values({ at, kind: 'closed', lines })
      .returning({ id: ledgerEntries.id });
    await tx
      .update(venueMoves)
      .set({ entryId: entry?.id ?? null })
      .where(eq(venueMoves.hash, hash));
  }
  return steps.length + others.length > 0;
}

/** Locks the batches and reads the lots that they hold of its tokens. */
async function lotsOf(tx: Db, { shares }: VenueMove): Promise<OrderLot[]> {
  const read = async () => (await readLots(tx, 'held')).filter(({ tokenId }) => shares[tokenId] !== undefined);
  await lockBatches(
    tx,
    (await read()).map(({ batchId }) => batchId),
  );
  return await read();
}

/** `rest`: what goes to shares that the ledger has beside those of batches. */
type Part = { tokenId: TokenId; step: PlannedStep | null; rest: { shares: number; dollars: number } };

async function partsOf(tx: Db, { shares, cash }: VenueMove, lots: readonly OrderLot[]): Promise<Part[]> {
  const taken = Object.entries(shares);
  const dollars = divided(
    cash,
    taken.map(([tokenId, ofToken]) => ({ tokenId, shares: ofToken, pays: PRICE_ONE })),
  );
  const ledger = new Map(
    (await readBalances(tx)).flatMap(({ account, unit, amount }) => (account === 'shares' ? [[unit, amount]] : [])),
  );
  return taken.map(([tokenId, ofToken], place): Part => {
    const own = firstOf(
      lots.filter((lot) => lot.tokenId === tokenId),
      ofToken,
    );
    const held = own.reduce((sum, lot) => sum + lot.shares, 0) as Shares;
    const came = dollars[place] ?? 0;
    const forOwn = (held === ofToken ? came : mulDiv(came, held, ofToken, 'down')) as Usd;
    const marketId = own[0]?.marketId;
    const step = marketId === undefined ? null : redemption({ marketId, tokenId, lots: own, dollars: forOwn });
    const inLedger = Math.max(0, (ledger.get(tokenId) ?? 0) - held);
    return { tokenId, step, rest: { shares: Math.min(ofToken - held, inLedger), dollars: came - forOwn } };
  });
}
