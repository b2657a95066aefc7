import { isDeepStrictEqual } from 'node:util';
import { recordAction } from '../../platform/audit/record.ts';
import { Invalid, Refusal } from '../../platform/http/errors.ts';
import type { Actor, SignedIn, UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { presentUser } from './present.ts';
import { deleteUser, EmailTaken, lockUser, type UserFields, updateUser } from './store.ts';

/** What a call says to change: what it leaves out stays as it is. */
export type Changes = {
  email?: string | undefined;
  full_name?: string | null | undefined;
  is_superuser?: boolean | undefined;
  is_viewer?: boolean | undefined;
  is_active?: boolean | undefined;
};

export function fieldsAfter(user: UserRow, changes: Changes): UserFields {
  return {
    email: changes.email ?? user.email,
    fullName: changes.full_name === undefined ? user.fullName : nameOrNone(changes.full_name),
    isSuperuser: changes.is_superuser ?? user.isSuperuser,
    isViewer: changes.is_viewer ?? user.isViewer,
    isActive: changes.is_active ?? user.isActive,
  };
}

/** @throws Invalid for an account that would have two roles at once */
export function refuseTwoRoles({ isSuperuser, isViewer }: Pick<UserFields, 'isSuperuser' | 'isViewer'>): void {
  if (isSuperuser && isViewer) throw new Invalid(['body', 'is_viewer'], 'A superuser cannot be a viewer');
}

/** An empty name is none. */
export function nameOrNone(name: string | null | undefined): string | null {
  return name || null;
}

/** Writes and records what is different, if anything is; last in its transaction. @throws EmailTaken */
export async function changeUser(
  tx: Db,
  runtime: Runtime,
  actor: Actor,
  user: UserRow,
  fields: UserFields,
): Promise<UserRow> {
  if (isDeepStrictEqual(fields, fieldsAfter(user, {}))) return user;
  const changed = await updateUser(tx, user, fields);
  await recordAction(tx, runtime, actor, {
    action: 'user.changed',
    object: user.email,
    before: presentUser(user),
    after: presentUser(changed),
  });
  return changed;
}

/** Deletes a locked user and all that hangs on it, and records it; last in its transaction. */
export async function removeUser(tx: Db, runtime: Runtime, actor: Actor, user: UserRow): Promise<void> {
  await deleteUser(tx, user.id);
  await recordAction(tx, runtime, actor, { action: 'user.deleted', object: user.email, before: presentUser(user) });
}

/** Locks the row of the caller. @throws Refusal when their account has just gone */
export async function lockCaller(tx: Db, { id }: Pick<UserRow, 'id'>): Promise<UserRow> {
  const user = await lockUser(tx, id);
  if (!user) throw new Refusal(403, 'Could not validate credentials');
  return user;
}

/**
 * Locks the caller of a call whose effects outlast its session. @throws Refusal also when the session has ended since the call was let in: by
 * another password, or because the account was switched off
 */
export async function lockSession(tx: Db, { user: letIn, session }: SignedIn): Promise<UserRow> {
  const user = await lockCaller(tx, letIn);
  const isKept = user.sessionEpoch === letIn.sessionEpoch || user.keptSession === session.id;
  if (!user.isActive || !isKept) throw new Refusal(403, 'Could not validate credentials');
  return user;
}

/** Answers `status` and `detail` where the email turns out to be another user's. */
export async function refusingTaken<Result>(
  status: number,
  detail: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof EmailTaken ? new Refusal(status, detail) : error;
  }
}

export const TAKEN_BY_CHANGE = [409, 'User with this email already exists'] as const;
