/** Stores what contracts of the venue do to the account by themselves, as the chain shows it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import type { CashTransfers, VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { and, asc, eq, gt, isNull, notExists } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { venueMoves, venueMovesRead } from './table.ts';

export type VenueMove = typeof venueMoves.$inferSelect;

const ONLY_ROW = 1;
const OPEN_FOR_MS = 30 * 24 * 3_600_000;

/** About a day: what the venue did shortly before the first reading is known too. */
const FIRST_BLOCKS = 40_000;

/** Throws VenueUnavailable. */
export async function readVenueMoves(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  chain: Pick<VenueChain, 'balances' | 'transfers'>,
): Promise<void> {
  const [read] = await db.select().from(venueMovesRead);
  const after = read?.block ?? Math.max(0, (await chain.balances([])).block - FIRST_BLOCKS);
  const moved = await chain.transfers(after);
  const rows = settledMoves(moved).map((move) => ({ ...move, seenAt: clock.now() }));
  await db.transaction(async (tx) => {
    if (rows.length > 0) await tx.insert(venueMoves).values(rows).onConflictDoNothing();
    const block = moved.through;
    await tx
      .insert(venueMovesRead)
      .values({ id: ONLY_ROW, block })
      .onConflictDoUpdate({ target: venueMovesRead.id, set: { block } });
  });
}

type Move = Pick<VenueMove, 'hash' | 'block' | 'shares' | 'cash' | 'sender'>;

function settledMoves({ transfers, taken }: CashTransfers): Move[] {
  const paid = transfers.filter(({ source, isFinal }) => source === 'payout' && isFinal);
  return [
    ...taken
      .filter(({ isFinal }) => isFinal)
      .map(({ hash, block, shares, cash }) => ({
        hash,
        block,
        shares: Object.fromEntries(shares),
        cash,
        sender: null,
      })),
    ...paid.map(({ hash, block, amount, party }) => {
      const shares: Record<string, Shares> = {};
      return { hash, block, shares, cash: amount, sender: party };
    }),
  ];
}

/** What is neither booked nor of a call of ours, oldest first. */
export async function openMoves(db: Db, now: Instant): Promise<VenueMove[]> {
  const { submissionId, entryId, hash, block, seenAt } = venueMoves;
  const ours = db.select({ id: chainSubmissions.id }).from(chainSubmissions).where(eq(chainSubmissions.hash, hash));
  return await db
    .select()
    .from(venueMoves)
    .where(and(isNull(submissionId), isNull(entryId), gt(seenAt, (now - OPEN_FOR_MS) as Instant), notExists(ours)))
    .orderBy(asc(block), asc(hash));
}

/** Of a move without shares. */
export function isPayout({ shares, cash }: Pick<VenueMove, 'shares' | 'cash'>): boolean {
  return cash > USD_ZERO && Object.keys(shares).length === 0;
}
