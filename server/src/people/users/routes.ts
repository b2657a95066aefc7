import * as contract from '@dutchbook/contract/users.ts';
import { type AnyColumn, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { recordAction } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import { keepDeleted, restoreDeleted } from '../../platform/deletions/deletions.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound, Refusal } from '../../platform/http/errors.ts';
import { refuseUnlessAllowed, route, routeRead } from '../../platform/http/route.ts';
import type { Actor, Session, UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import {
  type Changes,
  changeUser,
  fieldsAfter,
  nameOrNone,
  refuseTwoRoles,
  refusingTaken,
  removeUser,
  TAKEN_BY_CHANGE,
} from './change.ts';
import { registerOwnAccount } from './own-routes.ts';
import type { Passwords } from './passwords.ts';
import { presentUser } from './present.ts';
import { registerSignUp } from './sign-up-routes.ts';
import { countSuperusers, insertUser, listUsers, lockUser, readUser, restoredUser, setPassword } from './store.ts';
import { users } from './table.ts';

/** Rows that belong to a user, by which column, and are deleted and brought back with them. */
export type OwnedRows = { table: PgTable; owner: AnyColumn };

/** Whether there have to be two active superusers; asked under the lock of the superusers. */
type NeedsTwoSuperusers = (tx: Db) => Promise<boolean>;

export function registerUsers(
  app: App,
  runtime: Runtime,
  passwords: Passwords,
  owned: readonly OwnedRows[],
  needsTwo: NeedsTwoSuperusers,
): void {
  registerOwnAccount(app, runtime, passwords);
  registerSignUp(app, runtime, passwords);
  registerReads(app, runtime);
  registerWrites(app, runtime, passwords, owned, needsTwo);
}

function registerReads(app: App, { db, dbFor }: Runtime): void {
  routeRead(app, contract.listUsers, async ({ query }) => {
    const { rows, count } = await listUsers(dbFor.lists, query);
    return { data: rows.map(presentUser), count };
  });

  route(app, contract.readUser, async ({ params }) => presentUser(found(await readUser(db, params.user_id))));
}

function registerWrites(
  app: App,
  runtime: Runtime,
  passwords: Passwords,
  owned: readonly OwnedRows[],
  needsTwo: NeedsTwoSuperusers,
): void {
  const { db } = runtime;

  route(app, contract.createUser, async ({ body, user: caller, actor }) => {
    const fields = {
      email: body.email,
      fullName: nameOrNone(body.full_name),
      passwordHash: await passwords.hash(body.password),
      isSuperuser: body.is_superuser,
      isViewer: body.is_viewer,
      isActive: body.is_active,
    };
    refuseTwoRoles(fields);
    const create = () =>
      db.transaction(async (tx) => {
        await lock(tx, 'superusers');
        await refuseUnlessStillSuperuser(tx, caller);
        const user = await insertUser(tx, runtime, fields);
        const after = presentUser(user);
        await recordAction(tx, runtime, actor, { action: 'user.created', object: user.email, after });
        return user;
      });
    return presentUser(await refusingTaken(400, 'The user with this email already exists in the system.', create));
  });

  route(app, contract.updateUser, async (call) => {
    const { password, ...changes } = call.body;
    const passwordHash = password === undefined ? null : await passwords.hash(password);
    const asked = { userId: call.params.user_id, changes, passwordHash, needsTwo };
    const change = () => db.transaction((tx) => changeAnybody(tx, runtime, call, asked));
    return presentUser(await refusingTaken(...TAKEN_BY_CHANGE, change));
  });

  route(app, contract.deleteUser, async ({ params, user, actor }) => {
    await db.transaction(async (tx) => {
      await lock(tx, 'superusers');
      await refuseUnlessStillSuperuser(tx, user);
      const before = found(await lockUser(tx, params.user_id));
      if (before.id === user.id) throw new Refusal(403, 'Super users are not allowed to delete themselves');
      await refuseLastSuperuser(tx, before, needsTwo);
      await keepDeleted(tx, runtime, { kind: 'user', id: before.id }, user, [
        { table: users, where: sql`id = ${before.id}` },
        ...owned.map(({ table, owner }) => ({ table, where: sql`${owner} = ${before.id}` })),
      ]);
      await removeUser(tx, runtime, actor, before);
    });
    return { message: 'User deleted successfully' };
  });

  route(app, contract.restoreUser, async ({ params: { user_id: id }, user: caller, actor }) => {
    const restore = () =>
      db.transaction(async (tx) => {
        await refuseUnlessStillSuperuser(tx, caller);
        const tables = [users, ...owned.map(({ table }) => table)];
        const restored = await restoredUser(tx, id, () =>
          restoreDeleted(tx, runtime, { kind: 'user', id }, caller, tables),
        );
        await recordAction(tx, runtime, actor, {
          action: 'user.restored',
          object: restored.email,
          after: presentUser(restored),
        });
        return restored;
      });
    return presentUser(await refusingTaken(...TAKEN_BY_CHANGE, restore));
  });
}

type AskedChange = {
  userId: string;
  changes: Changes;
  passwordHash: string | null;
  needsTwo: NeedsTwoSuperusers;
};

async function changeAnybody(
  tx: Db,
  runtime: Runtime,
  { user: caller, session, actor }: { user: UserRow; session: Session; actor: Actor },
  { userId, changes, passwordHash, needsTwo }: AskedChange,
): Promise<UserRow> {
  await lock(tx, 'superusers');
  await refuseUnlessStillSuperuser(tx, caller);
  const user = found(await lockUser(tx, userId));
  const fields = fieldsAfter(user, changes);
  refuseTwoRoles(fields);
  if (!fields.isSuperuser || !fields.isActive) await refuseLastSuperuser(tx, user, needsTwo);
  const keptSession = userId === caller.id ? session.id : null;
  if (passwordHash !== null) await setPassword(tx, userId, passwordHash, keptSession);
  const changed = await changeUser(tx, runtime, actor, user, fields);
  if (passwordHash !== null)
    await recordAction(tx, runtime, actor, { action: 'password.changed', object: changed.email });
  return changed;
}

/** Asked under the lock of the superusers: one of them may have taken the caller's rights away since the call was let in. */
async function refuseUnlessStillSuperuser(tx: Db, caller: UserRow): Promise<void> {
  const now = await readUser(tx, caller.id);
  if (!now?.isActive) throw new Refusal(403, 'Could not validate credentials');
  refuseUnlessAllowed('superuser', now);
}

async function refuseLastSuperuser(tx: Db, user: UserRow, needsTwo: NeedsTwoSuperusers): Promise<void> {
  if (!user.isSuperuser || !user.isActive) return;
  const count = await countSuperusers(tx);
  if (count <= 1) throw new Conflict('The last active superuser cannot be removed or demoted');
  if (count === 2 && (await needsTwo(tx)))
    throw new Conflict(
      'Sign-offs need two active superusers: switch them off under Admin, System Settings, or add another superuser first.',
    );
}

function found(user: UserRow | null): UserRow {
  if (!user) throw new NotFound('User not found');
  return user;
}
