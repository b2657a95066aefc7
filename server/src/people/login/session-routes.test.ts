import { isNotNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { DatabaseDown } from '../../platform/database/database-down.ts';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { sessions } from './table.ts';

const SESSIONS = '/api/v1/users/me/sessions';

/** The user signed in once more, as from a browser of this name. */
async function signInFrom(app: TestApp, user: UserRow, device: string) {
  const headers = { authorization: `Bearer ${await app.sessions.issue(user, { address: '10.0.0.7', device })}` };
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string) => {
    const { statusCode, body } = await app.http.inject({ method, url, headers });
    return { status: statusCode, body: JSON.parse(body) };
  };
  return { call, isIn: async () => (await call('GET', '/api/v1/users/me')).status === 200 };
}

async function openTwice() {
  const app = await openTestApp();
  const user = await app.addUser();
  const [phone, laptop] = [await signInFrom(app, user, 'Phone'), await signInFrom(app, user, 'Laptop')];
  const actions = async () =>
    (await app.test.runtime.db.select().from(auditLog).orderBy(auditLog.seq)).map(({ action }) => action);
  return { app, user, phone, laptop, actions, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

describe('the sessions of a user', () => {
  it('are listed with device and address, and one of them can be ended from another', async () => {
    await using desk = await openTwice();
    const { phone, laptop } = desk;
    const { body } = await laptop.call('GET', SESSIONS);
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ device: 'Laptop', address: '10.0.0.7', current: true }),
        expect.objectContaining({ device: 'Phone', current: false, expires_at: '2026-01-02T00:00:00.000Z' }),
      ]),
    );
    const other = body.data.find((each: { device: string }) => each.device === 'Phone');
    expect(await laptop.call('DELETE', `${SESSIONS}/${other.id}`)).toMatchObject({ status: 200 });
    expect([await phone.isIn(), await laptop.isIn()]).toEqual([false, true]);
    expect(await laptop.call('DELETE', `${SESSIONS}/${other.id}`)).toMatchObject({ status: 404 });
    expect(await desk.actions()).toEqual(['session.ended']);
  });

  it('end on the server when the user logs out', async () => {
    await using desk = await openTwice();
    expect(await desk.phone.call('POST', '/api/v1/login/log-out')).toMatchObject({ status: 200 });
    expect([await desk.phone.isIn(), await desk.laptop.isIn()]).toEqual([false, true]);
  });

  it('end all at once, but for the one that asks for it', async () => {
    await using desk = await openTwice();
    expect(await desk.phone.call('POST', `${SESSIONS}/end-others`)).toEqual({
      status: 200,
      body: { message: '1 session ended' },
    });
    expect([await desk.phone.isIn(), await desk.laptop.isIn()]).toEqual([true, false]);
  });

  it('end in this process at once, all or one, while the database does not answer, and everywhere once it does', async () => {
    await using desk = await openTwice();
    const { test } = desk.app;
    const chief = await signInFrom(desk.app, await desk.app.addUser({ isSuperuser: true }), 'Desktop');
    const [here] = (await desk.laptop.call('GET', SESSIONS)).body.data.filter(
      ({ current }: { current: boolean }) => !current,
    );
    const { user: other } = await desk.app.signedIn();
    const another = await signInFrom(desk.app, other, 'Tablet');
    expect(await Promise.all([desk.phone, another, chief].map((each) => each.isIn()))).toEqual([true, true, true]);
    const { db, dbFor } = test.runtime;
    const away = () => Promise.reject(new DatabaseDown('it is away'));
    const silent = new Proxy(db, { get: (to, name) => (name === 'transaction' ? away : Reflect.get(to, name)) });
    Object.assign(dbFor, { stops: silent });
    const held = [
      await desk.laptop.call('DELETE', `${SESSIONS}/${here.id}`),
      await desk.laptop.call('POST', `${SESSIONS}/end-others`),
      await chief.call('POST', `/api/v1/users/${other.id}/end-sessions`),
    ];
    expect(held.map(({ status, body }) => [status, body.stored])).toEqual(held.map(() => [202, false]));
    const isIn = () => Promise.all([desk.phone, desk.laptop, another, chief].map((each) => each.isIn()));
    expect(await isIn()).toEqual([false, true, false, true]);
    expect(await db.$count(sessions, isNotNull(sessions.endedAt))).toBe(0);
    Object.assign(dbFor, { stops: db });
    await test.time.advance(2000);
    // Of the other user both sessions, of this one the phone.
    expect(await db.$count(sessions, isNotNull(sessions.endedAt))).toBe(3);
    expect(await isIn()).toEqual([false, true, false, true]);
  });

  it('are seen and ended by their user alone, unless a superuser ends all of them', async () => {
    await using desk = await openTwice();
    const stranger = await signInFrom(desk.app, await desk.app.addUser(), 'Tablet');
    const [mine] = (await desk.phone.call('GET', SESSIONS)).body.data;
    expect(await stranger.call('DELETE', `${SESSIONS}/${mine.id}`)).toMatchObject({ status: 404 });
    const all = `/api/v1/users/${desk.user.id}/end-sessions`;
    expect(await stranger.call('POST', all)).toMatchObject({ status: 403 });
    expect(await desk.phone.isIn()).toBe(true);
    const chief = await signInFrom(desk.app, await desk.app.addUser({ isSuperuser: true }), 'Desktop');
    expect(await chief.call('POST', all)).toEqual({ status: 200, body: { message: '2 sessions ended' } });
    expect([await desk.phone.isIn(), await desk.laptop.isIn(), await chief.isIn()]).toEqual([false, false, true]);
  });
});
