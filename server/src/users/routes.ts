import * as contract from '@dutchbook/contract/users.ts';
import { type Actor, recordAction } from '../audit/record.ts';
import type { App } from '../http/app.ts';
import { Conflict, NotFound, Refusal } from '../http/errors.ts';
import { refuseUnlessAllowed, route, routeRead } from '../http/route.ts';
import type { Passwords } from '../login/passwords.ts';
import type { Session } from '../login/tokens.ts';
import type { Db, World } from '../world/world.ts';
import {
  type Changes,
  changeUser,
  fieldsAfter,
  nameOrNone,
  refusingTaken,
  removeUser,
  TAKEN_BY_CHANGE,
} from './change.ts';
import { registerOwnAccount } from './own-routes.ts';
import { presentUser } from './present.ts';
import { registerSignUp } from './sign-up-routes.ts';
import {
  insertUser,
  isLastActiveSuperuser,
  listUsers,
  lockSuperusers,
  lockUser,
  readUser,
  setPassword,
  type UserRow,
} from './store.ts';

export function registerUsers(app: App, world: World, passwords: Passwords): void {
  registerOwnAccount(app, world, passwords);
  registerSignUp(app, world, passwords);
  registerReads(app, world);
  registerWrites(app, world, passwords);
}

function registerReads(app: App, { db }: World): void {
  routeRead(app, contract.listUsers, async ({ query }) => {
    const { rows, count } = await listUsers(db, query);
    return { data: rows.map(presentUser), count };
  });

  route(app, contract.readUser, async ({ params }) => presentUser(found(await readUser(db, params.user_id))));
}

function registerWrites(app: App, world: World, passwords: Passwords): void {
  const { db } = world;

  route(app, contract.createUser, async ({ body, user: caller, actor }) => {
    const fields = {
      email: body.email,
      fullName: nameOrNone(body.full_name),
      passwordHash: await passwords.hash(body.password),
      isSuperuser: body.is_superuser,
      isActive: body.is_active,
    };
    const create = () =>
      db.transaction(async (tx) => {
        await lockSuperusers(tx);
        await refuseUnlessStillSuperuser(tx, caller);
        const user = await insertUser(tx, world, fields);
        const after = presentUser(user);
        await recordAction(tx, world, actor, { action: 'user.created', object: user.email, after });
        return user;
      });
    return presentUser(await refusingTaken(400, 'The user with this email already exists in the system.', create));
  });

  route(app, contract.updateUser, async (call) => {
    const { password, ...changes } = call.body;
    const passwordHash = password === undefined ? null : await passwords.hash(password);
    const wish = { userId: call.params.user_id, changes, passwordHash };
    const change = () => db.transaction((tx) => changeAnybody(tx, world, call, wish));
    return presentUser(await refusingTaken(...TAKEN_BY_CHANGE, change));
  });

  route(app, contract.deleteUser, async ({ params, user, actor }) => {
    await db.transaction(async (tx) => {
      await lockSuperusers(tx);
      await refuseUnlessStillSuperuser(tx, user);
      const before = found(await lockUser(tx, params.user_id));
      if (before.id === user.id) throw new Refusal(403, 'Super users are not allowed to delete themselves');
      await refuseLastSuperuser(tx, before);
      await removeUser(tx, world, actor, before);
    });
    return { message: 'User deleted successfully' };
  });
}

type Wish = { userId: string; changes: Changes; passwordHash: string | null };

async function changeAnybody(
  tx: Db,
  world: World,
  { user: caller, session, actor }: { user: UserRow; session: Session; actor: Actor },
  { userId, changes, passwordHash }: Wish,
): Promise<UserRow> {
  await lockSuperusers(tx);
  await refuseUnlessStillSuperuser(tx, caller);
  const user = found(await lockUser(tx, userId));
  const fields = fieldsAfter(user, changes);
  if (!fields.isSuperuser || !fields.isActive) await refuseLastSuperuser(tx, user);
  const keptSession = userId === caller.id ? session.id : null;
  if (passwordHash !== null) await setPassword(tx, userId, passwordHash, keptSession);
  const changed = await changeUser(tx, world, actor, user, fields);
  if (passwordHash !== null)
    await recordAction(tx, world, actor, { action: 'password.changed', object: changed.email });
  return changed;
}

/** Asked under `lockSuperusers`: somebody may have taken the caller's rights away since the call was let in. */
async function refuseUnlessStillSuperuser(tx: Db, caller: UserRow): Promise<void> {
  const now = await readUser(tx, caller.id);
  if (!now?.isActive) throw new Refusal(403, 'Could not validate credentials');
  refuseUnlessAllowed('superuser', now);
}

async function refuseLastSuperuser(tx: Db, user: UserRow): Promise<void> {
  if (await isLastActiveSuperuser(tx, user))
    throw new Conflict('The last active superuser cannot be removed or demoted');
}

function found(user: UserRow | null): UserRow {
  if (!user) throw new NotFound('User not found');
  return user;
}
