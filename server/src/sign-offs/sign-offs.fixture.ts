/** A desk whose superusers sign off what the others ask for. */
import { eq } from 'drizzle-orm';
import { openTestApp, type TestApp } from '../http/app.fixture.ts';
import { ask } from '../http/ask.fixture.ts';
import type { UserRow } from '../parts.ts';
import { signedInWithFactor } from '../second-factor/second-factor.fixture.ts';
import { users } from '../users/table.ts';

type Answer = [status: number, body: Record<string, unknown>];

export type Person = Awaited<ReturnType<typeof personOf>>;

export async function personOf(app: TestApp, email: string, fields: Partial<UserRow> = { isSuperuser: true }) {
  const { user, headers } = await signedInWithFactor(app, { email, ...fields });
  const send = (...call: Parameters<typeof ask> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    ask(app, headers, ...call);
  return {
    user,
    headers,
    send,
    arm: (): Promise<Answer> => send('POST', '/system/arm', { confirmation: 'ARM' }),
    disarm: () => send('POST', '/system/disarm'),
    setLimits: (limits: Record<string, number | null>) => send('PUT', '/system-settings/limits', limits),
    setSecurity: (settings: Record<string, unknown>) => send('PUT', '/system-settings/security', settings),
    approve: (id: string) => send('POST', `/sign-offs/${id}/approve`),
    reject: (id: string, reason = 'Not today') => send('POST', `/sign-offs/${id}/reject`, { reason }),
    withdraw: (id: string) => send('POST', `/sign-offs/${id}/withdraw`),
    read: async (id: string) => (await send('GET', `/sign-offs/${id}`))[1],
    list: async (query = '') => {
      const [, { data, count }] = await send('GET', `/sign-offs/${query}`);
      return { rows: data as Record<string, unknown>[], count };
    },
  };
}

/** Ada asks, Ben signs off, Olga is an operator; trading is disarmed, and the settings are as given. */
export async function openDesk(settings: Record<string, unknown> = {}, variables: Record<string, string> = {}) {
  const app = await openTestApp({ variables: { VENUE: 'simulated', ...variables } });
  const [ada, ben] = [await personOf(app, 'ada@example.com'), await personOf(app, 'ben@example.com')];
  const olga = await personOf(app, 'olga@example.com', {});
  await ada.disarm();
  const [status, body] = await ada.setSecurity(settings);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return {
    ...{ app, ada, ben, olga },
    change: ({ user }: Person, changed: Partial<UserRow>) =>
      app.test.runtime.db.update(users).set(changed).where(eq(users.id, user.id)),
    isArmed: async () => (await ada.send('GET', '/system/status'))[1].armed,
    limits: async () => (await ada.send('GET', '/system-settings/limits'))[1],
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** The id of what was asked for. @throws when nothing was */
export function askedIn([status, body]: Answer): string {
  if (status !== 409 || typeof body.sign_off_id !== 'string') throw new Error(JSON.stringify([status, body]));
  return body.sign_off_id;
}
