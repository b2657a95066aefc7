/** A desk whose superusers sign off what the others ask for. */
import type { Method } from '@dutchbook/contract/endpoint.ts';
import { eq } from 'drizzle-orm';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import { signedInWithFactor } from '../second-factor/second-factor.fixture.ts';
import { users } from '../users/table.ts';

type Answer = [status: number, body: Record<string, unknown>];

type Send = (method: Method, path: string, payload?: Record<string, unknown>) => Promise<Answer>;

export type Person = {
  user: UserRow;
  headers: Record<string, string>;
  send: Send;
  arm: () => Promise<Answer>;
  disarm: () => Promise<Answer>;
  setLimits: (limits: Record<string, number | null>) => Promise<Answer>;
  setSecurity: (settings: Record<string, unknown>) => Promise<Answer>;
  approve: (id: string) => Promise<Answer>;
  reject: (id: string, reason?: string) => Promise<Answer>;
  withdraw: (id: string) => Promise<Answer>;
  read: (id: string) => Promise<Record<string, unknown>>;
  count: (query?: string) => Promise<unknown>;
};

export async function personOf(
  app: TestApp,
  email: string,
  fields: Partial<UserRow> = { isSuperuser: true },
): Promise<Person> {
  const { user, headers } = await signedInWithFactor(app, { email, ...fields });
  const send: Send = (...call) => ask(app, headers, ...call);
  return {
    user,
    headers,
    send,
    arm: () => send('POST', '/system/arm', { confirmation: 'ARM' }),
    disarm: () => send('POST', '/system/disarm'),
    setLimits: (limits: Record<string, number | null>) => send('PUT', '/system-settings/limits', limits),
    setSecurity: (settings: Record<string, unknown>) => send('PUT', '/system-settings/security', settings),
    approve: (id: string) => send('POST', `/sign-offs/${id}/approve`),
    reject: (id: string, reason = 'Not today') => send('POST', `/sign-offs/${id}/reject`, { reason }),
    withdraw: (id: string) => send('POST', `/sign-offs/${id}/withdraw`),
    read: async (id: string) => (await send('GET', `/sign-offs/${id}`))[1],
    count: async (query = '') => (await send('GET', `/sign-offs/${query}`))[1].count,
  };
}

type Desk = AsyncDisposable & {
  app: TestApp;
  ada: Person;
  ben: Person;
  olga: Person;
  change: (person: Person, changed: Partial<UserRow>) => Promise<unknown>;
  isArmed: () => Promise<unknown>;
  limits: () => Promise<Record<string, unknown>>;
};

/** Ada asks, Ben signs off, Olga is an operator; trading is disarmed, and the settings are as given. */
export async function openDesk(settings: Record<string, unknown> = {}): Promise<Desk> {
  const app = await openTestApp({ variables: { VENUE: 'simulated' } });
  const [ada, ben] = [await personOf(app, 'ada@example.com'), await personOf(app, 'ben@example.com')];
  const olga = await personOf(app, 'olga@example.com', {});
  await ada.disarm();
  const [status, body] = await ada.setSecurity(settings);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return {
    ...{ app, ada, ben, olga },
    change: async ({ user }, changed) => app.test.runtime.db.update(users).set(changed).where(eq(users.id, user.id)),
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
