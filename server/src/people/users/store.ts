import { and, desc, eq, sql } from 'drizzle-orm';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { isDeadlock, violates } from '../../platform/database/driver-errors.ts';
import { publish } from '../../platform/database/pubsub-channel.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { passwordResets, users } from './table.ts';

/** What may be changed of a user, but the password. */
export type UserFields = Pick<UserRow, 'email' | 'fullName' | 'isSuperuser' | 'isViewer' | 'isActive'>;

export async function readUser(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Reads a user by email, ignoring case. */
export async function readUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return row ?? null;
}

/** Reads the row and locks it until the transaction ends. */
export async function lockUser(tx: Db, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return row ?? null;
}

/** Newest first. */
export async function listUsers(
  db: Db,
  page: { skip: number; limit: number },
): Promise<{ rows: UserRow[]; count: number }> {
  const rows = await db
    .select()
    .from(users)
    .orderBy(desc(users.createdAt), desc(users.id))
    .offset(page.skip)
    .limit(page.limit);
  return { rows, count: await countWithPage(page, rows.length, () => db.$count(users)) };
}

/** @throws EmailTaken */
export async function insertUser(
  tx: Db,
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  user: UserFields & Pick<UserRow, 'passwordHash'>,
): Promise<UserRow> {
  const [row] = await refusingTakenEmail(
    tx
      .insert(users)
      .values({ ...user, id: random.uuid(), createdAt: clock.now() })
      .returning(),
  );
  return written(row);
}

/** Updates a locked row. Deactivation ends every session. @throws EmailTaken */
export async function updateUser(tx: Db, user: UserRow, fields: UserFields): Promise<UserRow> {
  const mayLess = (user.isSuperuser && !fields.isSuperuser) || (!user.isViewer && fields.isViewer);
  const rights = mayLess ? endedSignOffs() : {};
  const ended = user.isActive && !fields.isActive ? endedSessions(null) : rights;
  const [row] = await refusingTakenEmail(
    tx
      .update(users)
      .set({ ...fields, ...ended })
      .where(eq(users.id, user.id))
      .returning(),
  );
  await tellSessionsEnded(tx, user.id);
  // A link that was mailed to another address no longer proves whose account it is.
  if (fields.email !== user.email) await deletePasswordResets(tx, user.id);
  return written(row);
}

/**
 * Gives a user another password: every session ends but `keptSession`, and no link that was mailed before sets yet
 * another one. @returns null when there is no such user
 */
export async function setPassword(
  tx: Db,
  userId: string,
  passwordHash: string,
  keptSession: string | null,
): Promise<UserRow | null> {
  const [row] = await tx
    .update(users)
    .set({ passwordHash, ...endedSessions(keptSession) })
    .where(eq(users.id, userId))
    .returning();
  await tellSessionsEnded(tx, userId);
  await deletePasswordResets(tx, userId);
  return row ?? null;
}

/** A user who is back by `restore` after a deletion: what they had opened before stays ended. @throws EmailTaken */
export async function restoredUser(tx: Db, id: string, restore: () => Promise<void>): Promise<UserRow> {
  await refusingTakenEmail(restore());
  const [row] = await tx.update(users).set(endedSessions(null)).where(eq(users.id, id)).returning();
  return written(row);
}

/** Together with what hangs on it: items, links to reset the password. */
export async function deleteUser(tx: Db, id: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, id));
  await tellSessionsEnded(tx, id);
}

/** Active ones; asked under the lock of the superusers. */
export async function countSuperusers(tx: Db): Promise<number> {
  return await tx.$count(users, and(eq(users.isSuperuser, true), eq(users.isActive, true)));
}

/** Another user has the email already, in whatever case. */
export class EmailTaken extends Error {
  override readonly name = 'EmailTaken';
}

/** Every process: what it remembers of this user, or this session or API token, may not hold any more. */
export async function tellSessionsEnded(tx: Db, id: string): Promise<void> {
  await publish(tx, 'sessions_ended', id);
}

function endedSessions(keptSession: string | null) {
  return { sessionEpoch: sql`${users.sessionEpoch} + 1`, keptSession, ...endedSignOffs() };
}

/** What they have asked a second person for is not carried out any more. */
export function endedSignOffs() {
  return { signOffEpoch: sql`${users.signOffEpoch} + 1` };
}

async function deletePasswordResets(tx: Db, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

/**
 * The index is asked and not the table beforehand: of two who come at once one finds out only here. Two who swap their
 * emails at once wait for each other in the index, until the database breaks one of them off.
 */
async function refusingTakenEmail<Result>(statement: PromiseLike<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    if (violates(error, 'users_email_key') || isDeadlock(error)) throw new EmailTaken();
    throw error;
  }
}

function written(row: UserRow | undefined): UserRow {
  if (!row) throw new Error('A user that was written is not there');
  return row;
}
