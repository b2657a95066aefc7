// While one user reads, how soon is another answered, and how soon is trading disarmed? Sixty callers of one viewer (of a superuser
// where a route is for those alone) ask for the same heavy route without a pause, of each in turn, over 20,000 batches with 200,000
// orders and as many ledger entries. Budgets: 250 ms for the p99 of GET /users/me, 200 ms for the slowest Disarm. Refusals (429)
// count as answers. Trading is disarmed already: a Disarm takes its locks, and changes nothing.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/reads/beside-reads.ts
//     ROUTES=csv npm run bench -- reads        # the routes whose path has that text
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { openSessions } from '@dutchbook/server/people/login/sessions.ts';
import { users } from '@dutchbook/server/people/users/table.ts';
import { everyEndpoint } from '@dutchbook/server/platform/http/every-endpoint.fixture.ts';
import type { Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { sealEntries } from '@dutchbook/server/trading/ledger/seal.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { timed } from '../calls.ts';
import { openDatabase } from '../databases.ts';
import { fillDatabase, uuidOf } from '../filled.ts';
import { loadUntilStopped } from '../http-load.ts';
import { fillReport } from '../report/filled-report.ts';
import { quantile, say, tell } from '../rows.ts';
import { buildServer, startServer } from '../server-process.ts';

const ROWS = { opportunities: 20_000, batches: 20_000, notifications: 50_000, auditEntries: 20_000, items: 20_000 };
const MISSED = { hits: 20_000, triggers: 20_000 };
const READERS = 60;
const BEGUN_MS = 700;
const MEASURED_MS = 4000;
const ASK_EVERY_MS = 15;
const DISARM_EVERY = 8;
const ME_P99_MS = 250;
const DISARM_MS = 200;
/** Far down the list, where its rows are hardest to find; each caller asks for another page, as answers are shared otherwise. */
const SKIP = 15_000;

const ASKED_WITH_IDS = '/arbitrage/histories';
/** What a route is asked for beside its page. */
const ASKED: Readonly<Record<string, string>> = {
  '/report/days': 'by=cash',
  '/arbitrage/orders': 'group_by_batch=true&include_batch_summary=true',
  '/relations/why': 'q=event',
  '/recordings/export': `from=${hoursAgo(12)}&until=${hoursAgo(0)}`,
};

await using database = await openDatabase();
const variables = { ...database.variables, RATE_LIMIT: 'on' };
const filledAt = performance.now();
const { config, superuserId } = await fillDatabase(variables, ROWS);
const { runtime, close } = await openRuntime(config);
await fillReport(runtime.db, MISSED, superuserId);
await fillLedger(runtime);
const [viewer, operator, chief, reader] = [
  await signedIn(runtime, { isViewer: true }),
  await signedIn(runtime, {}),
  await signedIn(runtime, { isSuperuser: true }),
  await signedIn(runtime, { isSuperuser: true }),
];
const [batchId, opportunityId] = await firstIds(runtime);
await close();
say(`filled in ${((performance.now() - filledAt) / 1000).toFixed(0)} s`);

buildServer();
await using server = await startServer(variables);
const call = async (method: string, path: string, authorization: string) => {
  const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers: { authorization } });
  await answer.arrayBuffer();
  return answer.status;
};
for (let nth = 0; nth < 20; nth += 1)
  for (const each of [viewer, operator, reader]) await call('GET', '/users/me', each);
await call('POST', '/system/disarm', chief);

const routes = (await everyEndpoint()).filter(({ heavy, path }) => heavy && path.includes(process.env.ROUTES ?? ''));
const figures: { p99: number; disarm: number }[] = [];
say('| route | GET /users/me p99 | slowest Disarm | read a second | load |\n| --- | --- | --- | --- | --- |');
for (const endpoint of [null, ...routes]) {
  const { p99, disarm, perSecond } = await measure(endpoint);
  const name = endpoint === null ? 'none' : `${endpoint.method} ${endpoint.path}`;
  say(`| ${name} | ${p99.toFixed(0)} | ${disarm.toFixed(0)} | ${perSecond} | ${(loadavg()[0] ?? 0).toFixed(1)} |`);
  if (endpoint !== null) figures.push({ p99, disarm });
}
const slowest = (of: 'p99' | 'disarm') => Math.max(...figures.map((each) => each[of]));
const beside = `beside sixty reads at once of one user, the worst of ${routes.length} routes`;
tell({ question: `GET /users/me ${beside}: p99`, figure: slowest('p99'), unit: 'ms', budget: { atMost: ME_P99_MS } });
tell({ question: `Disarm ${beside}: slowest`, figure: slowest('disarm'), unit: 'ms', budget: { atMost: DISARM_MS } });

/** `endpoint`: null for nothing beside it. */
async function measure(endpoint: Endpoint | null): Promise<{ p99: number; disarm: number; perSecond: string }> {
  const stopReading = endpoint === null ? async () => '' : await keepReading(endpoint);
  await pause(BEGUN_MS);
  const [me, disarms] = [[] as number[], [] as number[]];
  const until = performance.now() + MEASURED_MS;
  for (let nth = 0; performance.now() < until || disarms.length === 0; nth += 1) {
    me.push(await answered('GET', '/users/me', operator));
    if (nth % DISARM_EVERY === 0) disarms.push(await answered('POST', '/system/disarm', chief));
    await pause(ASK_EVERY_MS);
  }
  const perSecond = await stopReading();
  return { p99: quantile(me, 0.99), disarm: Math.max(...disarms), perSecond };
}

/** Never answered in time where it is refused. */
async function answered(method: string, path: string, authorization: string): Promise<number> {
  let status = 0;
  const took = await timed(async () => {
    status = await call(method, path, authorization);
  });
  return status === 200 ? took : Number.POSITIVE_INFINITY;
}

async function keepReading({ method, path, query, access }: Endpoint): Promise<() => Promise<string>> {
  const authorization = access === 'superuser' ? reader : viewer;
  const isPaged = 'shape' in query && 'skip' in (query.shape as object);
  const urlOf = (nth: number) => {
    const page = isPaged ? `limit=1000&skip=${SKIP + nth}` : '';
    const asked = [page, askedOf(path)].filter((part) => part !== '').join('&');
    return `${path.replaceAll('{opportunity_id}', opportunityId).replaceAll(/\{\w+\}/g, batchId)}?${asked}`;
  };
  let status = await call(method, urlOf(0), authorization);
  // Files that were given up a moment ago may still be ending.
  for (let nth = 0; status === 429 && nth < 5; nth += 1) status = await call(method, urlOf(0), authorization);
  if (status === 422) throw new Error(`${method} ${urlOf(0)} answered 422: say in ASKED what for`);
  const [url = '', ...others] = Array.from({ length: READERS }, (_, nth) => `${server.url}/api/v1${urlOf(nth)}`);
  const plan = {
    url,
    others,
    authorization,
    connections: READERS,
    warmUpMs: BEGUN_MS,
    method,
    mayRefuse: true,
  } as const;
  const reading = loadUntilStopped(plan);
  return async () => {
    const { perSecond } = await reading.stop();
    return status === 200 ? perSecond.toFixed(1) : `answers ${status}`;
  };
}

/** What each order moved, as an entry of its own. */
async function fillLedger(on: Runtime): Promise<void> {
  const { db } = on;
  await db.execute(sql`insert into ledger_entries (at, kind, lines, batch_id, order_id)
    select created_at, 'matched', jsonb_build_array(
      jsonb_build_object('account', 'cash', 'unit', 'usd', 'amount', -500000),
      jsonb_build_object('account', 'shares', 'unit', token_id, 'amount', 5000000)), batch_id, id from batch_orders`);
  await sealEntries(on);
  await db.execute(sql`vacuum analyze`);
}

/** Of a batch, and of an opportunity. */
async function firstIds({ db }: Runtime): Promise<[string, string]> {
  const ids = sql`select ${uuidOf(sql`'batch ' || 1`)}::text as batch, ${uuidOf(sql`'opportunity ' || 1`)}::text as opportunity`;
  const { rows } = (await db.execute(ids)) as unknown as { rows: { batch: string; opportunity: string }[] };
  return [rows[0]?.batch ?? '', rows[0]?.opportunity ?? ''];
}

function askedOf(path: string): string {
  return path === ASKED_WITH_IDS ? `ids=${opportunityId}` : (ASKED[path] ?? '');
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

async function signedIn(on: Runtime, role: { isViewer?: true; isSuperuser?: true }): Promise<string> {
  const id = on.random.uuid();
  const person = { id, email: `${id}@example.com`, passwordHash: 'none', isActive: true, isSuperuser: false, ...role };
  const [user] = await on.db
    .insert(users)
    .values({ ...person, createdAt: instantFromMs(Date.now()) })
    .returning();
  if (user === undefined) throw new Error('the user was not inserted');
  return `Bearer ${await openSessions(on).issue(user)}`;
}
