import type { SignOffKind, SignOffState } from '@dutchbook/contract/sign-offs.ts';
import { modeOf, type VenueMode } from '@dutchbook/contract/status.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, desc, eq, gt, inArray, lte, or, type SQL } from 'drizzle-orm';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { signOffs } from './table.ts';

export type SignOffRow = typeof signOffs.$inferSelect;

/** Who reads, of which venue and as of when: a superuser reads all requests, other users their own. */
export type SignOffView = { reader: Pick<UserRow, 'id' | 'isSuperuser'>; venueMode: VenueMode; now: Instant };

/** What stands in the row, or that its time is over. */
export function stateOf({ state, expiresAt }: SignOffRow, now: Instant): SignOffState {
  return state === 'open' && expiresAt <= now ? 'expired' : state;
}

/** Newest first. */
export async function listSignOffs(
  db: Db,
  view: SignOffView,
  { state, ...page }: { skip: number; limit: number; state?: SignOffState | undefined },
): Promise<{ rows: SignOffRow[]; count: number }> {
  const shown = and(visibleTo(view), state && isIn(state, view.now));
  const rows = await db
    .select()
    .from(signOffs)
    .where(shown)
    .orderBy(desc(signOffs.requestedAt), desc(signOffs.id))
    .offset(page.skip)
    .limit(page.limit);
  return { rows, count: await countWithPage(page, rows.length, () => db.$count(signOffs, shown)) };
}

export async function readSignOff(db: Db, view: SignOffView, id: string): Promise<SignOffRow | null> {
  const [row] = await db
    .select()
    .from(signOffs)
    .where(and(eq(signOffs.id, id), visibleTo(view)));
  return row ?? null;
}

/** For who has asked for it, or has its id from the database. */
export async function signOffOfId(db: Db, id: string): Promise<SignOffRow | null> {
  const [row] = await db.select().from(signOffs).where(eq(signOffs.id, id));
  return row ?? null;
}

/** Reads the sign-off and locks it until the transaction ends. */
export async function lockSignOff(tx: Db, view: SignOffView, id: string): Promise<SignOffRow | null> {
  const [row] = await tx
    .select()
    .from(signOffs)
    .where(and(eq(signOffs.id, id), visibleTo(view)))
    .for('update');
  return row ?? null;
}

/** A person's sign-offs that may still be decided. */
export async function openSignOffsOf(tx: Db, view: SignOffView): Promise<SignOffRow[]> {
  const own = { ...view, reader: { ...view.reader, isSuperuser: false } };
  return await tx
    .select()
    .from(signOffs)
    .where(and(visibleTo(own), isIn('open', view.now)));
}

export async function countOpenSignOffs(db: Db, venueMode: VenueMode, now: Instant): Promise<number> {
  return await db.$count(signOffs, and(eq(signOffs.venue, modeOf(venueMode).keptUnder), isIn('open', now)));
}

/** Locks the open sign-offs of these kinds, always in one order, so that transactions do not block each other for ever. */
export async function lockOpen(
  tx: Db,
  venueMode: VenueMode,
  kinds: readonly SignOffKind[],
  now: Instant,
): Promise<SignOffRow[]> {
  return await tx
    .select()
    .from(signOffs)
    .where(and(eq(signOffs.venue, modeOf(venueMode).keptUnder), inArray(signOffs.kind, [...kinds]), isIn('open', now)))
    .orderBy(asc(signOffs.id))
    .for('update');
}

/** Updates a locked row. */
export async function updateSignOff(
  tx: Db,
  row: SignOffRow,
  changes: Partial<Omit<SignOffRow, 'id'>>,
): Promise<SignOffRow> {
  await tx.update(signOffs).set(changes).where(eq(signOffs.id, row.id));
  return { ...row, ...changes };
}

/** Updates locked rows. */
export async function updateSignOffs(
  tx: Db,
  rows: readonly SignOffRow[],
  changes: Partial<Omit<SignOffRow, 'id'>>,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await tx.update(signOffs).set(changes).where(inArray(signOffs.id, ids));
}

/** Open sign-offs past their deadline that no other transaction has locked. */
export async function lockExpired(tx: Db, now: Instant): Promise<SignOffRow[]> {
  return await tx
    .select()
    .from(signOffs)
    .where(and(eq(signOffs.state, 'open'), lte(signOffs.expiresAt, now)))
    .for('update', { skipLocked: true });
}

function visibleTo({ reader: { id, isSuperuser }, venueMode }: SignOffView): SQL | undefined {
  return and(eq(signOffs.venue, modeOf(venueMode).keptUnder), isSuperuser ? undefined : eq(signOffs.requestedBy, id));
}

function isIn(state: SignOffState, now: Instant): SQL | undefined {
  if (state === 'open') return and(eq(signOffs.state, 'open'), gt(signOffs.expiresAt, now));
  const isLate = and(eq(signOffs.state, 'open'), lte(signOffs.expiresAt, now));
  return state === 'expired' ? or(eq(signOffs.state, 'expired'), isLate) : eq(signOffs.state, state);
}
