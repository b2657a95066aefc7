import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../http/app.fixture.ts';
import { ask } from '../http/ask.fixture.ts';
import { users } from '../world/schema.ts';
import { testDatabases } from '../world/test-world.ts';

const LAST = [409, { detail: 'The last active superuser cannot be removed or demoted' }];

const leftIn = ({ test }: TestApp) =>
  test.world.db.$count(users, and(eq(users.isSuperuser, true), eq(users.isActive, true)));

describe.each(testDatabases)('the last active superuser, on %s', (kind) => {
  it('can be neither demoted nor deactivated, while another one can', async () => {
    await using app = await openTestApp(kind);
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

  it('stays when the last two resign at the same moment', async () => {
    await using app = await openTestApp(kind);
    const pair = await Promise.all([app.signedIn({ isSuperuser: true }), app.signedIn({ isSuperuser: true })]);
    const answers = await Promise.all(
      pair.map(({ user, headers }) => ask(app, headers, 'PATCH', `/users/${user.id}`, { is_superuser: false })),
    );
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409]);
    expect(answers).toContainEqual(LAST);
    expect(await leftIn(app)).toBe(1);
  });

  it.each([
    ['demote', 'PATCH', { is_superuser: false }],
    ['delete', 'DELETE', undefined],
  ] as const)('stays when the last two %s each other at the same moment', async (_, method, payload) => {
    await using app = await openTestApp(kind);
    const [one, other] = await Promise.all([app.signedIn({ isSuperuser: true }), app.signedIn({ isSuperuser: true })]);
    const answers = await Promise.all([
      ask(app, one.headers, method, `/users/${other.user.id}`, payload),
      ask(app, other.headers, method, `/users/${one.user.id}`, payload),
    ]);
    // Whoever is second finds the other one the last, or is no superuser any more when the call is looked at.
    const [won, lost] = answers.map(([status]) => status).toSorted();
    expect(won).toBe(200);
    expect([403, 409]).toContain(lost);
    expect(await leftIn(app)).toBe(1);
  });
});
