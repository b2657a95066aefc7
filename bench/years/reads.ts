// While one user reads, how soon is another answered, and how soon is trading disarmed? Sixty callers of one viewer (of a superuser
// where a route is for those alone) ask for the same heavy route without a pause, of each in turn, over 20,000 batches with 200,000
// orders and as many ledger entries. Budgets: 250 ms for the p99 of GET /users/me, 200 ms for the slowest Disarm. Refusals (429)
// count as answers. Trading is disarmed already: a Disarm takes its locks, and changes nothing.
//
//     ROUTES=csv npm run bench -- reads        # the routes whose path has that text
import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { signedInCaller } from '@dutchbook/e2e/product/product.ts';
import { everyEndpoint } from '@dutchbook/server/platform/http/every-endpoint.fixture.ts';
import type { Runtime } from '@dutchbook/server/platform/runtime/runtime.ts';
import { sealEntries } from '@dutchbook/server/trading/ledger/seal.ts';
import { sql } from 'drizzle-orm';
import { startLoad } from '../load.ts';
import { openProduct, timed } from '../product.ts';
import { quantile, say, tell } from '../rows.ts';
import { fillDatabase } from './filled.ts';
import { fillReport } from './filled-report.ts';

const ROWS = { opportunities: 20_000, batches: 20_000, notifications: 50_000, auditEntries: 20_000, items: 20_000 };
const MISSED = { hits: 20_000, triggers: 20_000 };
const READERS = 60;
const BEGUN_MS = 700;
const MEASURED_MS = 4000;
const ASK_EVERY_MS = 15;
const DISARM_EVERY = 8;
/** Far down the list, where its rows are hardest to find; each caller asks for another page, as answers are shared otherwise. */
const SKIP = 15_000;

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
await using product = await openProduct({ RATE_LIMIT: 'on' }, (database) =>
  fillDatabase(database, ROWS, async (runtime, superuserId) => {
    await fillReport(runtime.db, MISSED, superuserId);
    await fillLedger(runtime);
  }),
);
const { api, call, authorization: chief } = product;
const firstIdOf = async (path: string) => ((await call('GET', path)) as { data: { id: string }[] }).data[0]?.id ?? '';
const [batchId, opportunityId] = [
  await firstIdOf('/arbitrage/batches?limit=1'),
  await firstIdOf('/arbitrage/opportunities?limit=1'),
];
/** What a route is asked for beside its page. */
const ASKED: Readonly<Record<string, string>> = {
  '/arbitrage/histories': `ids=${opportunityId}`,
  '/report/days': 'by=cash',
  '/arbitrage/orders': 'group_by_batch=true&include_batch_summary=true',
  '/relations/why': 'q=event',
  '/recordings/export': `from=${hoursAgo(12)}&until=${hoursAgo(0)}`,
};
const viewer = await signedIn({ is_viewer: true });
const operator = await signedIn({});
const reader = await signedIn({ is_superuser: true });
await call('POST', '/system/disarm');
const routes = (await everyEndpoint()).filter(({ heavy, path }) => heavy && path.includes(process.env.ROUTES ?? ''));
const figures: { p99: number; disarm: number }[] = [];
say('| route | GET /users/me p99 | slowest Disarm | read a second |\n| --- | --- | --- | --- |');
for (const endpoint of routes) figures.push(await measure(endpoint));
const slowest = (of: 'p99' | 'disarm') => Math.max(...figures.map((each) => each[of]));
const beside = `beside sixty reads at once of one user, the worst of ${routes.length} routes`;
tell({ question: `GET /users/me ${beside}: p99`, figure: slowest('p99'), unit: 'ms', budget: { atMost: 250 } });
tell({ question: `Disarm ${beside}: slowest`, figure: slowest('disarm'), unit: 'ms', budget: { atMost: 200 } });

async function measure({ method, path, query, access }: Endpoint): Promise<{ p99: number; disarm: number }> {
  const authorization = access === 'superuser' ? reader : viewer;
  const isPaged = 'shape' in query && 'skip' in (query.shape as object);
  const urls = Array.from({ length: READERS }, (_, nth) => {
    const asked = [isPaged ? `limit=1000&skip=${SKIP + nth}` : '', ASKED[path] ?? ''].filter((part) => part !== '');
    const filled = path.replaceAll('{opportunity_id}', opportunityId).replaceAll(/\{\w+\}/g, batchId);
    return `${api}${filled}?${asked.join('&')}`;
  });
  let status = await statusOf(method, urls[0] ?? '', authorization);
  // Files that were given up a moment ago may still be ending.
  for (let nth = 0; status === 429 && nth < 5; nth += 1) status = await statusOf(method, urls[0] ?? '', authorization);
  if (status === 422) throw new Error(`${method} ${urls[0]} answered 422: say in ASKED what for`);
  const reading = startLoad({ urls, authorization, connections: READERS, method, mayRefuse: true });
  await pause(BEGUN_MS);
  const [me, disarms] = [[] as number[], [] as number[]];
  const until = performance.now() + MEASURED_MS;
  for (let nth = 0; performance.now() < until || disarms.length === 0; nth += 1) {
    me.push(await answered('GET', '/users/me', operator));
    if (nth % DISARM_EVERY === 0) disarms.push(await answered('POST', '/system/disarm', chief));
    await pause(ASK_EVERY_MS);
  }
  const { perSecond } = await reading.stop();
  const [p99, disarm] = [quantile(me, 0.99), Math.max(...disarms)];
  const read = status === 200 ? perSecond.toFixed(1) : `answers ${status}`;
  say(`| ${method} ${path} | ${p99.toFixed(0)} | ${disarm.toFixed(0)} | ${read} |`);
  return { p99, disarm };
}

/** In ms; never answered in time where it is refused. */
async function answered(method: string, path: string, authorization: string): Promise<number> {
  let status = 0;
  const took = await timed(async () => {
    status = await statusOf(method, `${api}${path}`, authorization);
  });
  return status === 200 ? took : Number.POSITIVE_INFINITY;
}

async function statusOf(method: string, url: string, authorization: string): Promise<number> {
  const answer = await fetch(url, { method, headers: { authorization } });
  await answer.arrayBuffer();
  return answer.status;
}

async function signedIn(role: { is_viewer?: true; is_superuser?: true }): Promise<string> {
  const credentials = { username: `${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
  const account = { email: credentials.username, password: credentials.password, is_active: true };
  await call('POST', '/users/', { ...account, ...role });
  return `Bearer ${(await signedInCaller(product.url, credentials)).token}`;
}

/** What each order moved, as an entry of its own. */
async function fillLedger(runtime: Runtime): Promise<void> {
  await runtime.db.execute(sql`insert into ledger_entries (at, kind, lines, batch_id, order_id)
    select created_at, 'matched', jsonb_build_array(
      jsonb_build_object('account', 'cash', 'unit', 'usd', 'amount', -500000),
      jsonb_build_object('account', 'shares', 'unit', token_id, 'amount', 5000000)), batch_id, id from batch_orders`);
  await sealEntries(runtime);
  await runtime.db.execute(sql`vacuum analyze`);
}
