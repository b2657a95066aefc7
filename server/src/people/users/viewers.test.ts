import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, TEST_PASSWORD, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';
import { setUpAuthenticator, signedInWithFactor } from '../second-factor/second-factor.fixture.ts';

const LOOKS_ONLY = [409, { detail: 'Viewers can look, but not change anything.' }];
const TWO_ROLES = [422, { detail: [{ loc: ['body', 'is_viewer'], msg: 'A superuser cannot be a viewer' }] }];
const password = 'a long enough password';

describe('a viewer', () => {
  let app: TestApp;
  let root: Record<string, string>;
  beforeAll(async () => {
    app = await openTestApp();
    root = (await app.signedIn({ isSuperuser: true, email: 'root@example.com' })).headers;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('is made and unmade by a superuser, from the next call on, which is recorded', async () => {
    const { user, headers } = await app.signedIn({ email: 'vic@example.com' });
    const add = () => ask(app, headers, 'POST', '/items/', { title: 'A thing' });
    expect((await add())[0]).toBe(200);
    const [status, viewer] = await ask(app, root, 'PATCH', `/users/${user.id}`, { is_viewer: true });
    expect([status, viewer]).toMatchObject([200, { role: 'viewer', is_superuser: false }]);
    expect(await add()).toEqual(LOOKS_ONLY);
    expect(await ask(app, headers, 'GET', '/users/me')).toMatchObject([200, { role: 'viewer' }]);
    expect((await ask(app, headers, 'GET', '/items/'))[1].count).toBe(1);
    const again = await ask(app, root, 'PATCH', `/users/${user.id}`, { is_viewer: false });
    expect(again).toMatchObject([200, { role: 'operator' }]);
    expect((await add())[0]).toBe(200);
    expect(await recorded(app, 'vic@example.com')).toMatchObject([
      { action: 'user.changed', actor: 'root@example.com', before: { role: 'operator' }, after: { role: 'viewer' } },
      { action: 'user.changed', actor: 'root@example.com', before: { role: 'viewer' }, after: { role: 'operator' } },
    ]);
  });

  it('is created as one, and deleted and brought back as one', async () => {
    const form = { email: 'ned@example.com', password, is_viewer: true, is_active: true };
    const [status, { id, role }] = await ask(app, root, 'POST', '/users/', form);
    expect([status, role]).toEqual([200, 'viewer']);
    await ask(app, root, 'DELETE', `/users/${id}`);
    expect(await ask(app, root, 'POST', `/users/${id}/restore`)).toMatchObject([200, { role: 'viewer' }]);
  });

  it('is never a superuser, whichever was said first', async () => {
    const both = { email: 'two@example.com', password, is_superuser: true, is_viewer: true };
    expect(await ask(app, root, 'POST', '/users/', both)).toMatchObject(TWO_ROLES);
    const viewer = await app.addUser({ isViewer: true });
    const chief = await app.signedIn({ isSuperuser: true });
    const change = (id: string, changes: Record<string, unknown>) => ask(app, root, 'PATCH', `/users/${id}`, changes);
    expect(await change(viewer.id, { is_superuser: true })).toMatchObject(TWO_ROLES);
    expect(await change(chief.user.id, { is_viewer: true })).toMatchObject(TWO_ROLES);
    expect(await ask(app, chief.headers, 'PATCH', `/users/${chief.user.id}`, { is_viewer: true })).toMatchObject(
      TWO_ROLES,
    );
    expect(await change(viewer.id, { is_superuser: true, is_viewer: false })).toMatchObject([
      200,
      { role: 'superuser' },
    ]);
    expect(await change(chief.user.id, { is_superuser: false, is_viewer: true })).toMatchObject([
      200,
      { role: 'viewer' },
    ]);
    expect(await ask(app, chief.headers, 'GET', '/users/')).toEqual([
      403,
      { detail: "The user doesn't have enough privileges" },
    ]);
  });

  it('keeps their own account: name, password, sessions, and the way out', async () => {
    const { headers } = await app.signedIn({ isViewer: true });
    const renamed = await ask(app, headers, 'PATCH', '/users/me', { full_name: 'Vera', is_viewer: false });
    expect(renamed).toMatchObject([200, { full_name: 'Vera', role: 'viewer' }]);
    const chosen = { current_password: TEST_PASSWORD, new_password: password };
    expect((await ask(app, headers, 'PATCH', '/users/me/password', chosen))[0]).toBe(200);
    expect((await ask(app, headers, 'POST', '/users/me/sessions/end-others'))[0]).toBe(200);
    expect((await ask(app, headers, 'POST', '/users/me/second-factor/start', { password }))[0]).toBe(200);
    expect((await ask(app, headers, 'DELETE', '/users/me'))[0]).toBe(200);
    expect(await ask(app, headers, 'GET', '/users/me')).toEqual([403, { detail: 'Could not validate credentials' }]);
  });
});

it('is asked for a second factor where all users are, and sets one up', async () => {
  await using app = await openTestApp({ variables: { VENUE: 'simulated' } });
  const chief = await signedInWithFactor(app, { isSuperuser: true });
  const { headers } = await app.signedIn({ isViewer: true });
  const forAll = await ask(app, chief.headers, 'PUT', '/system-settings/security', { second_factor_for_all: true });
  expect(forAll[0]).toBe(200);
  expect(await ask(app, headers, 'GET', '/users/me')).toMatchObject([200, { second_factor_missing: true }]);
  expect(await ask(app, headers, 'POST', '/items/', { title: 'A thing' })).toEqual(LOOKS_ONLY);
  await setUpAuthenticator(app, headers);
  expect((await ask(app, headers, 'GET', '/users/me'))[1]).not.toHaveProperty('second_factor_missing');
});

it('is not what the last active superuser becomes', async () => {
  await using app = await openTestApp();
  const { user, headers } = await app.signedIn({ isSuperuser: true });
  const changes = { is_superuser: false, is_viewer: true };
  expect(await ask(app, headers, 'PATCH', `/users/${user.id}`, changes)).toEqual([
    409,
    { detail: 'The last active superuser cannot be removed or demoted' },
  ]);
});
