import { UNDO_MINUTES } from '@dutchbook/contract/endpoint.ts';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record } from '../../people/notifications/notification.fixture.ts';
import { users } from '../../people/users/table.ts';
import { openTestApp, type TestApp } from '../http/app.fixture.ts';
import { ask, recorded } from '../http/ask.fixture.ts';
import { forgetDeleted } from './deletions.ts';
import { deletedRecords } from './table.ts';

const nothingOf = (kind: string) => [
  404,
  {
    detail: `There is nothing to bring back: the ${kind} was not deleted in the last 10 minutes by you, or is back already`,
  },
];

describe('a deletion is undone', () => {
  let app: TestApp;
  let owner: Awaited<ReturnType<TestApp['signedIn']>>;
  let other: Awaited<ReturnType<TestApp['signedIn']>>;
  let superuser: Awaited<ReturnType<TestApp['signedIn']>>;
  beforeAll(async () => {
    app = await openTestApp();
    owner = await app.signedIn();
    other = await app.signedIn();
    superuser = await app.signedIn({ isSuperuser: true });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const addItem = async (title: string) =>
    (await ask(app, owner.headers, 'POST', '/items/', { title, description: 'Brown' }))[1] as { id: string };

  it('by its author, with every field as it was, once, and recorded', async () => {
    const item = await addItem('Boots');
    const path = `/items/${item.id}`;
    const restore = () => ask(app, owner.headers, 'POST', `${path}/restore`);
    expect(await restore()).toEqual(nothingOf('item'));
    await ask(app, owner.headers, 'DELETE', path);
    const both = await Promise.all([restore(), restore()]);
    expect(both.map(([status]) => status).sort()).toEqual([200, 404]);
    expect(both.find(([status]) => status === 200)?.[1]).toEqual(item);
    expect(await ask(app, owner.headers, 'GET', path)).toEqual([200, item]);
    expect((await recorded(app, item.id)).map(({ action }) => action)).toEqual([
      'item.created',
      'item.deleted',
      'item.restored',
    ]);
  });

  it('by a superuser as well, and by no other user', async () => {
    const item = await addItem('Shoes');
    const path = `/items/${item.id}`;
    await ask(app, owner.headers, 'DELETE', path);
    expect(await ask(app, other.headers, 'POST', `${path}/restore`)).toEqual(nothingOf('item'));
    expect(await ask(app, superuser.headers, 'POST', `${path}/restore`)).toEqual([200, item]);
  });

  it('for ten minutes, and what can no longer be undone is forgotten', async () => {
    const item = await addItem('Hat');
    await ask(app, owner.headers, 'DELETE', `/items/${item.id}`);
    const { runtime } = app.test;
    await app.test.time.leap(UNDO_MINUTES * 60_000 - 1);
    await forgetDeleted(runtime);
    expect(await runtime.db.$count(deletedRecords, eq(deletedRecords.id, item.id))).toBe(1);
    await app.test.time.advance(1);
    expect(await ask(app, owner.headers, 'POST', `/items/${item.id}/restore`)).toEqual(nothingOf('item'));
    await forgetDeleted(runtime);
    expect(await runtime.db.$count(deletedRecords)).toBe(0);
  });

  it('of a user with their items and their password, but not their sessions', async () => {
    const { runtime } = app.test;
    const gone = await app.signedIn({ fullName: 'Ada' });
    const [, item] = await ask(app, gone.headers, 'POST', '/items/', { title: 'Mine' });
    const path = `/users/${gone.user.id}`;
    const [, before] = await ask(app, superuser.headers, 'GET', path);
    await ask(app, superuser.headers, 'DELETE', path);
    expect((await ask(app, superuser.headers, 'GET', `/items/${item.id}`))[0]).toBe(404);
    expect((await ask(app, owner.headers, 'POST', `${path}/restore`))[0]).toBe(403);
    expect(await ask(app, superuser.headers, 'POST', `${path}/restore`)).toEqual([200, before]);
    expect(await ask(app, superuser.headers, 'GET', `/items/${item.id}`)).toEqual([200, item]);
    expect((await ask(app, gone.headers, 'GET', '/users/me'))[0]).toBe(403);
    const [row] = await runtime.db.select().from(users).where(eq(users.id, gone.user.id));
    expect(row).toEqual({
      ...gone.user,
      sessionEpoch: gone.user.sessionEpoch + 1,
      signOffEpoch: gone.user.signOffEpoch + 1,
    });
    expect((await recorded(app, gone.user.email)).map(({ action }) => action)).toEqual([
      'user.deleted',
      'user.restored',
    ]);
  });

  it('not of a user whose email another user has taken meanwhile', async () => {
    const gone = await app.signedIn();
    await ask(app, superuser.headers, 'DELETE', `/users/${gone.user.id}`);
    await app.addUser({ email: gone.user.email.toUpperCase() });
    expect(await ask(app, superuser.headers, 'POST', `/users/${gone.user.id}/restore`)).toEqual([
      409,
      { detail: 'User with this email already exists' },
    ]);
    expect((await ask(app, superuser.headers, 'GET', `/users/${gone.user.id}`))[0]).toBe(404);
  });

  it('not of their own account by people who have deleted it: they could not sign in', async () => {
    const gone = await app.signedIn();
    await ask(app, gone.headers, 'DELETE', '/users/me');
    expect(await ask(app, superuser.headers, 'POST', `/users/${gone.user.id}/restore`)).toEqual(nothingOf('user'));
  });

  it('of a notification, which still says how far it came', async () => {
    const id = await record(app, 'Sent', { status: 'sent', attempts: 2 });
    const path = `/notifications/records/${id}`;
    const [, before] = await ask(app, owner.headers, 'GET', path);
    await ask(app, owner.headers, 'DELETE', path);
    expect(await ask(app, owner.headers, 'POST', `${path}/restore`)).toEqual([200, before]);
    expect(await ask(app, owner.headers, 'GET', path)).toEqual([200, before]);
  });

  it.each([
    ['user', 'users', 'is_viewer'],
    ['notification', 'notifications', 'tries_left'],
  ] as const)('of a %s that a version deleted which did not have a column of it yet', async (kind, table, column) => {
    const { runtime } = app.test;
    const id = kind === 'user' ? (await app.signedIn()).user.id : await record(app, 'Sent', { status: 'sent' });
    const path = kind === 'user' ? `/users/${id}` : `/notifications/records/${id}`;
    const [, before] = await ask(app, superuser.headers, 'GET', path);
    await ask(app, superuser.headers, 'DELETE', path);
    const older = await runtime.db
      .update(deletedRecords)
      .set({ rows: sql`${deletedRecords.rows} #- array[${table}, '0', ${column}]::text[]` })
      .where(and(eq(deletedRecords.id, id), sql`${deletedRecords.rows} -> ${table}::text -> 0 ? ${column}::text`))
      .returning();
    expect(older).toHaveLength(1);
    expect(await ask(app, superuser.headers, 'POST', `${path}/restore`)).toEqual([200, before]);
  });
});
