import type { CashMove } from '@dutchbook/contract/accounts/cash-moves.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { PocketsOfMove } from '@dutchbook/engine/ledger/cash-move.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import type { JsonRow } from '../../platform/database/json-rows.ts';
import { asText, literals } from '../../platform/database/literals.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { cashMoves } from './table.ts';

export type MoveRow = typeof cashMoves.$inferSelect;

export async function openMove(db: Db, venue: VenueName): Promise<MoveRow | null> {
  const [row = null] = await db
    .select()
    .from(cashMoves)
    .where(and(eq(cashMoves.venue, venue), isNull(cashMoves.endedAt)));
  return row;
}

export async function readMove(db: Db, id: string): Promise<MoveRow | null> {
  const [row = null] = await db.select().from(cashMoves).where(eq(cashMoves.id, id));
  return row;
}

export async function listMoves(
  db: Db,
  { venue, skip, limit }: { venue?: VenueName | undefined; skip: number; limit: number },
): Promise<{ data: CashMove[]; count: number }> {
  const wanted = venue === undefined ? undefined : eq(cashMoves.venue, venue);
  const { createdAt, id } = cashMoves;
  const rows = await db
    .select()
    .from(cashMoves)
    .where(wanted)
    .orderBy(desc(createdAt), desc(id))
    .offset(skip)
    .limit(limit);
  return { data: rows.map(presentMove), count: await db.$count(cashMoves, wanted) };
}

/** While the venue makes a move, what its pockets hold has to change by nothing else that is done here. */
const UNDER_WAY = ['recorded', 'sent'] as const;

/** A term of a statement: the pockets by venue between which cash is being moved, as `movingIn` reads it. */
export const MOVING_POCKETS = asText(sql`(select coalesce(json_agg(r), '[]') from (
  select ${cashMoves.venue} as venue, ${cashMoves.fromPocket} as from_pocket, ${cashMoves.toPocket} as to_pocket from ${cashMoves}
  where ${cashMoves.endedAt} is null and ${cashMoves.status} in (${literals(UNDER_WAY)})) r)`);

export function movingIn(rows: readonly JsonRow[], venue: VenueName): string[] {
  return rows.flatMap((row) => (row.venue === venue ? [String(row.from_pocket), String(row.to_pocket)] : []));
}

/** @returns whether it is for the caller to send it: it is marked before, and once */
export async function markSent(db: Db, id: string, at: Instant, before: PocketsOfMove): Promise<boolean> {
  const marked = await db
    .update(cashMoves)
    .set({ status: 'sent', sentAt: at, fromBefore: before.from, toBefore: before.to })
    .where(and(eq(cashMoves.id, id), eq(cashMoves.status, 'recorded')))
    .returning({ id: cashMoves.id });
  return marked.length > 0;
}

export async function markTaken(db: Db, id: string): Promise<void> {
  await db.update(cashMoves).set({ isTaken: true }).where(eq(cashMoves.id, id));
}

/** Notes the reason, unless the move has been judged already. */
export async function noteReason(db: Db, id: string, reason: string): Promise<void> {
  await db
    .update(cashMoves)
    .set({ reason })
    .where(and(eq(cashMoves.id, id), eq(cashMoves.status, 'sent')));
}

type Ended = { status: 'done' | 'rejected' | 'unknown'; reason: string | null };

/** Once, and with its notification; `from`: the states that it may be in. @returns the row as it is then, null where it is in no such state */
export async function endMove(
  tx: Db,
  runtime: Pick<Runtime, 'clock' | 'random' | 'pubsub' | 'log'>,
  id: string,
  { status, reason }: Ended,
  from: readonly MoveRow['status'][],
): Promise<MoveRow | null> {
  const endedAt = status === 'unknown' ? null : runtime.clock.now();
  const [row] = await tx
    .update(cashMoves)
    .set({ status, reason, endedAt })
    .where(and(eq(cashMoves.id, id), inArray(cashMoves.status, from)))
    .returning();
  if (row === undefined) return null;
  runtime.log.info({ venue: row.venue, cashMoveId: id, status, reason }, 'cash move judged');
  await recordNotification(tx, runtime, {
    ...{ type: 'cash_move', opportunityId: null, message: wordsOf(row) },
    data: { cash_move_id: id, venue: row.venue, status },
  });
  return row;
}

function wordsOf({ venue, amount, fromPocket, toPocket, status, reason }: MoveRow): string {
  const what = `${formatUsd(amount)} from shard ${fromPocket} to shard ${toPocket} at ${VENUE_LABELS[venue]}`;
  if (status === 'done') return `Moved ${what}.`;
  if (status === 'rejected') return `Did not move ${what}: ${reason}.`;
  return `It is not known whether ${what} were moved: check at the venue, and state it under Portfolio. It is not sent again.`;
}

export function presentMove(row: MoveRow): CashMove {
  return {
    id: row.id,
    venue: row.venue,
    from_pocket: row.fromPocket,
    to_pocket: row.toPocket,
    amount_usd: row.amount,
    status: row.status,
    reason: row.reason,
    requested_by: row.requestedBy,
    created_at: row.createdAt,
    sent_at: row.sentAt,
    ended_at: row.endedAt,
  };
}
