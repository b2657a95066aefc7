import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { lock } from '../../platform/database/locks.ts';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { users } from './table.ts';

const LAST = [409, { detail: 'The last active superuser cannot be removed or demoted' }];

const leftIn = ({ test }: TestApp) =>
  test.runtime.db.$count(users, and(eq(users.isSuperuser, true), eq(users.isActive, true)));

/** Until the call waits for a lock that another call holds, or did not wait for one. */
async function waitingOrOver(tx: Db, call: Promise<unknown>): Promise<void> {
  let isOver = false;
  void call.finally(() => {
    isOver = true;
  });
  const here = sql`database = (select oid from pg_database where datname = current_database())`;
  const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted and ${here}`;
  const isWaiting = async () => (await tx.$count(sql`(${waiting}) as waiting`)) > 0;
  while (!isOver && !(await isWaiting()));
}

describe('the last active superuser', () => {
  it('can be neither demoted nor deactivated, while another one can', async () => {
    await using app = await openTestApp();
    const { user, headers } = await app.signedIn({ isSuperuser: true });
    const inactive = await app.addUser({ isSuperuser: true, isActive: false });
    const own = `/users/${user.id}`;
    expect(await ask(app, headers, 'PATCH', own, { is_superuser: false })).toEqual(LAST);
    expect(await ask(app, headers, 'PATCH', own, { is_active: false, full_name: 'Gone' })).toEqual(LAST);
    expect(await ask(app, headers, 'GET', '/users/me')).toMatchObject([200, { full_name: null }]);
    expect((await ask(app, headers, 'PATCH', own, { full_name: 'Root' }))[0]).toBe(200);
    expect((await ask(app, headers, 'DELETE', `/users/${inactive.id}`))[0]).toBe(200);
    await app.addUser({ isSuperuser: true });
    expect((await ask(app, headers, 'PATCH', own, { is_superuser: false }))[0]).toBe(200);
    expect(await leftIn(app)).toBe(1);
  });

  it('stays when both of the last two resign: the second waits to see what the first one does', async () => {
    await using app = await openTestApp();
    const { db } = app.test.runtime;
    const [first, second] = [await app.addUser({ isSuperuser: true }), await app.signedIn({ isSuperuser: true })];
    const answer = await db.transaction(async (tx) => {
      await lock(tx, 'superusers');
      await tx.update(users).set({ isSuperuser: false }).where(eq(users.id, first.id));
      const resigning = ask(app, second.headers, 'PATCH', `/users/${second.user.id}`, { is_superuser: false });
      await waitingOrOver(tx, resigning);
      return { resigning };
    });
    expect(await answer.resigning).toEqual(LAST);
    expect(await leftIn(app)).toBe(1);
  });

  it.each([
    ['adds', 'POST', { email: 'friend@example.com', password: TEST_PASSWORD, is_superuser: true }],
    ['promotes', 'PATCH', { is_superuser: true }],
    ['deletes', 'DELETE', undefined],
  ] as const)('is the last at once: a user who is demoted %s no other user any more', async (_, method, payload) => {
    await using app = await openTestApp();
    const { db } = app.test.runtime;
    await app.addUser({ isSuperuser: true });
    const [demoted, other] = [await app.signedIn({ isSuperuser: true }), await app.addUser()];
    const path = method === 'POST' ? '/users/' : `/users/${other.id}`;
    const answer = await db.transaction(async (tx) => {
      await lock(tx, 'superusers');
      await tx.update(users).set({ isSuperuser: false }).where(eq(users.id, demoted.user.id));
      const asking = ask(app, demoted.headers, method, path, payload);
      await waitingOrOver(tx, asking);
      return { asking };
    });
    expect(await answer.asking).toEqual([403, { detail: "The user doesn't have enough privileges" }]);
    expect([await leftIn(app), await db.$count(users)]).toEqual([1, 3]);
  });

  it.each([
    ['demote', 'PATCH', { is_superuser: false }],
    ['delete', 'DELETE', undefined],
  ] as const)('stays when the last two %s each other at the same moment', async (_, method, payload) => {
    await using app = await openTestApp();
    const [one, other] = await Promise.all([app.signedIn({ isSuperuser: true }), app.signedIn({ isSuperuser: true })]);
    const answers = await Promise.all([
      ask(app, one.headers, method, `/users/${other.user.id}`, payload),
      ask(app, other.headers, method, `/users/${one.user.id}`, payload),
    ]);
    // The second call finds the other one the last, or its caller is no superuser any more.
    const [won, lost] = answers.map(([status]) => status).toSorted();
    expect(won).toBe(200);
    expect([403, 409]).toContain(lost);
    expect(await leftIn(app)).toBe(1);
  });
});
