import { readdirSync } from 'node:fs';
import { API_PREFIX, type Endpoint } from '@dutchbook/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../opportunities/routes.fixture.ts';
import { users } from '../world/schema.ts';
import { openTestApp, type TestApp } from './app.fixture.ts';

const CONTRACT = new URL('../../../contract/src/', import.meta.url);
const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** What refuses somebody for who they are. */
const REFUSALS = {
  'no token': [401, 'Not authenticated'],
  'bad token': [403, 'Could not validate credentials'],
  inactive: [400, 'Inactive user'],
  'no superuser': [403, "The user doesn't have enough privileges"],
} as const;

const EXPECTED = {
  public: { anonymous: null, forger: null, inactive: null, ordinary: null, superuser: null },
  user: { anonymous: 'no token', forger: 'bad token', inactive: 'inactive', ordinary: null, superuser: null },
  superuser: {
    anonymous: 'no token',
    forger: 'bad token',
    inactive: 'inactive',
    ordinary: 'no superuser',
    superuser: null,
  },
} as const;

type Role = keyof (typeof EXPECTED)['public'];
const ROLES = Object.keys(EXPECTED.public) as Role[];

type Server = Pick<TestApp, 'http' | 'sessions' | 'test'>;

let app: TestApp;
/** Where the calls are served that need prices. */
let site: Site;
let servers: Server[];
beforeAll(async () => {
  app = await openTestApp('pglite', { variables: { RATE_LIMIT: 'off' } });
  site = await openSite('pglite');
  servers = [app, { ...site, test: site.desk.test }];
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

/** The headers of somebody new each time: some calls end the account they are made with. */
async function headersOf({ test, sessions }: Server, role: Role): Promise<Record<string, string>> {
  if (role === 'anonymous') return {};
  if (role === 'forger') return { authorization: 'Bearer made.up.token' };
  const { world } = test;
  const id = world.dice.uuid();
  const fields = { isSuperuser: role === 'superuser', isActive: role !== 'inactive', passwordHash: 'none' };
  const row = { ...fields, id, email: `${id}@example.com`, createdAt: world.clock.now() };
  const [user] = await world.db.insert(users).values(row).returning();
  if (!user) throw new Error('The user was not inserted');
  return { authorization: `Bearer ${await sessions.issue(user)}` };
}

/** Which of the refusals a role meets; null for whatever else the call has to say. */
async function refusalOf(server: Server, endpoint: Endpoint, role: Role): Promise<string | null> {
  const url = `${API_PREFIX}${endpoint.path.replaceAll(/\{\w+\}/g, SOME_ID)}`;
  const headers = await headersOf(server, role);
  const { statusCode, body } = await server.http.inject({ method: endpoint.method, url, headers });
  const known = Object.entries(REFUSALS).find(
    ([, [status, detail]]) => status === statusCode && body === JSON.stringify({ detail }),
  );
  return known?.[0] ?? null;
}

async function endpointsOfContract(): Promise<Endpoint[]> {
  const files = readdirSync(CONTRACT).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(
    files.map(async (name): Promise<Record<string, unknown>> => import(new URL(name, CONTRACT).href)),
  );
  return modules.flatMap((exported) => Object.values(exported).filter(isEndpoint));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value;
}

/** Undefined where nobody serves it. */
function serverOf({ method, path }: Endpoint): Server | undefined {
  // The router keeps its addresses without the slash at the end.
  const address = path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
  return servers.find(({ http }) => http.hasRoute({ method, url: `${API_PREFIX}${address}` }));
}

describe('who may make a call', () => {
  it('is as the contract says, for every call that places nothing', async () => {
    const served = (await endpointsOfContract()).filter((endpoint) => serverOf(endpoint) !== undefined);
    for (const path of [
      '/users/',
      '/users/{user_id}',
      '/users/me',
      '/users/signup',
      '/items/{id}',
      '/system-settings/',
      '/markets',
      '/arbitrage/opportunities',
      '/arbitrage/opportunities/{opportunity_id}',
      '/arbitrage/opportunities/{opportunity_id}/depth',
      '/arbitrage/opportunities/update-content-hashes',
      '/arbitrage/preview',
      '/arbitrage/import-csv',
      '/arbitrage/opportunities/{opportunity_id}/history',
      '/notifications/records',
      '/notifications/records/stats',
      '/notifications/records/{notification_id}',
      '/notifications/records/{notification_id}/retry',
    ])
      expect(served.map((endpoint) => endpoint.path)).toContain(path);
    const met: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const endpoint of served) {
      const server = serverOf(endpoint);
      if (server === undefined) continue;
      const name = `${endpoint.method} ${endpoint.path}`;
      const refusals = await Promise.all(ROLES.map((role) => refusalOf(server, endpoint, role)));
      met[name] = Object.fromEntries(ROLES.map((role, index) => [role, refusals[index]]));
      expected[name] = EXPECTED[endpoint.access];
    }
    expect(met).toEqual(expected);
  });

  it('is a superuser only, for every call about other people, settings and mail', async () => {
    const own = ['/users/me', '/users/me/password', '/users/signup'];
    const guarded = (await endpointsOfContract()).filter(
      ({ path }) =>
        (path.startsWith('/users/') && !own.includes(path)) ||
        ['/system-settings', '/audit-log', '/password-recovery-html', '/utils/test-email'].some((start) =>
          path.startsWith(start),
        ),
    );
    expect(guarded.length).toBeGreaterThan(10);
    expect(guarded.filter(({ access }) => access !== 'superuser')).toEqual([]);
  });
});
