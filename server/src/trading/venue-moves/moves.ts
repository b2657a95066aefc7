/** Stores what contracts of the venue do to the account by themselves, as the chain shows it. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import type { CashTransfers, VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { and, asc, eq, gt, isNull, notExists } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { rowIdOf } from '../orders/venue-in.ts';
import { venueMoves, venueMovesRead } from './table.ts';

export type VenueMove = typeof venueMoves.$inferSelect;

const OPEN_FOR_MS = 30 * 24 * 3_600_000;

/** About a day: what the venue did shortly before the first reading is known too. */
const FIRST_BLOCKS = 40_000;

/** Throws VenueUnavailable. */
export async function readVenueMoves(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  venue: VenueName,
  chain: Pick<VenueChain, 'balances' | 'transfers'>,
): Promise<void> {
  const id = rowIdOf(venue);
  const [read] = await db.select().from(venueMovesRead).where(eq(venueMovesRead.id, id));
  const after = read?.block ?? Math.max(0, (await chain.balances([])).block - FIRST_BLOCKS);
  const moved = await chain.transfers(after);
  const rows = settledMoves(moved).map((move) => ({ ...move, venue, seenAt: clock.now() }));
  await db.transaction(async (tx) => {
    if (rows.length > 0) await tx.insert(venueMoves).values(rows).onConflictDoNothing();
    const block = moved.through;
    await tx
      .insert(venueMovesRead)
      .values({ id, block })
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

/** Moves that are neither booked nor of a call of ours, oldest first. */
export async function openMoves(db: Db, at: VenueName, now: Instant): Promise<VenueMove[]> {
  const { venue, submissionId, entryId, hash, block, seenAt } = venueMoves;
  const ours = db.select({ id: chainSubmissions.id }).from(chainSubmissions).where(eq(chainSubmissions.hash, hash));
  return await db
    .select()
    .from(venueMoves)
    .where(
      and(
        eq(venue, at),
        isNull(submissionId),
        isNull(entryId),
        gt(seenAt, (now - OPEN_FOR_MS) as Instant),
        notExists(ours),
      ),
    )
    .orderBy(asc(block), asc(hash));
}

/** Whether the move is a payout: dollars without shares. */
export function isPayout({ shares, cash }: Pick<VenueMove, 'shares' | 'cash'>): boolean {
  return cash > USD_ZERO && Object.keys(shares).length === 0;
}
