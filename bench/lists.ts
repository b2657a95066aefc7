// How fast is every list answered where there are 100,000 opportunities, 10,000 batches, 100,000 orders and 1,000,000
// notifications, whatever it is sorted by, and is each read from an index? Budget: p99 below 100 ms at 200 calls a second,
// no table of ten thousand rows or more read as a whole; at least 1,000 answers a second where nothing is left to wait for, to eight
// callers each of whom asks for a page of its own.
// Opportunities, batches and orders sorted by what no screen sorts by: half a second for one call.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/lists.ts [name of a list]
import { BATCH_SORTS } from '@dutchbook/contract/batches.ts';
import { BATCH_SCREEN_SORTS } from '@dutchbook/contract/list-values.ts';
import { NOTIFICATION_SORTS } from '@dutchbook/contract/notifications.ts';
import { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import { ORDER_SORTS } from '@dutchbook/contract/orders.ts';
import { DatabasePool } from '@dutchbook/server/database/pool.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { start } from '@dutchbook/server/start.ts';
import { openDatabase } from './databases.ts';
import { fill, largeTables } from './filled.ts';
import { load } from './http-load.ts';
import { databaseCpu } from './processes.ts';
import { recordQueries, type SeenQuery, sequentialScans } from './query-plans.ts';
import { say, tell } from './rows.ts';

const ROWS = {
  opportunities: 100_000,
  batches: 10_000,
  notifications: 1_000_000,
  auditEntries: 100_000,
  items: 10_000,
};
const CONNECTIONS = 16;
/** Of those who ask for other pages. */
const SKIPS = [10, 20, 30, 40, 50, 60, 70];
const STEADY_PER_SECOND = 200;
const P99_MS_MAX = 100;
const UNINDEXED_MS_MAX = 500;
const PER_SECOND_MIN = 1000;
const WARM_UP_MS = 100;
const STEADY_MS = 500;
const FASTEST_MS = 1000;
const COST_MS = 1000;

const OPPORTUNITY = '/arbitrage/opportunities?limit=10';
const LISTS: readonly [name: string, path: string][] = [
  ['opportunities', OPPORTUNITY],
  ['opportunities by profit', `${OPPORTUNITY}&sort_by=profit_percentage&sort_order=desc`],
  ['opportunities by profit, active', `${OPPORTUNITY}&sort_by=profit_percentage&sort_order=desc&active=true`],
  ['batches', '/arbitrage/batches?limit=10'],
  ['batches that failed', '/arbitrage/batches?limit=10&status=failed'],
  ['batches with exposure', '/arbitrage/batches?limit=10&unhedged=true'],
  ['batches active', '/arbitrage/batches/active/list'],
  ['batches to retry', '/arbitrage/batches/retryable/list'],
  ['orders', '/arbitrage/orders?limit=10'],
  ['orders that failed', '/arbitrage/orders?limit=10&status=failed'],
  ['orders by batch', '/arbitrage/orders?limit=10&group_by_batch=true&include_batch_summary=true'],
  ['notifications', '/notifications/records?limit=10'],
  ['notifications that failed', '/notifications/records?limit=10&status=failed'],
  ['notifications of a type', '/notifications/records?limit=10&notification_type=batch_completed'],
  ['notification figures', '/notifications/records/stats'],
  ['audit log', '/audit-log/?limit=10'],
  ['items', '/items/?limit=10'],
  ['users', '/users/?limit=10'],
  ['external orders', '/external-orders?limit=10'],
  ['overview', '/system/overview'],
];

/** What is found out about prices and no screen sorts by. */
const UNINDEXED_PRICES: readonly string[] = ['fees_per_set', 'triggered', 'last_checked', 'last_error', 'error_count'];
/** What the screens sort by; the others of these lists are sorted as they are asked for. */
const INDEXED: Record<'opportunities' | 'batches' | 'orders', readonly string[]> = {
  opportunities: OPPORTUNITY_SORTS.filter((sort) => !UNINDEXED_PRICES.includes(sort)),
  batches: BATCH_SCREEN_SORTS,
  orders: ['id', 'batch_id', 'opportunity_id', 'created_at'],
};
const SORTED: readonly [name: string, path: string, sorts: readonly string[], indexed: readonly string[]][] = [
  ['opportunities', OPPORTUNITY, OPPORTUNITY_SORTS, INDEXED.opportunities],
  ['batches', '/arbitrage/batches?limit=10', BATCH_SORTS, INDEXED.batches],
  ['orders', '/arbitrage/orders?limit=10', ORDER_SORTS, INDEXED.orders],
  ['orders by batch', '/arbitrage/orders?limit=10&group_by_batch=true', ORDER_SORTS, INDEXED.orders],
  ['notifications', '/notifications/records?limit=10', NOTIFICATION_SORTS, NOTIFICATION_SORTS],
];
/** Of so many calls the fastest tells which sort is the slowest. */
const CALLS = 3;

await using database = await openDatabase();
const filledAt = performance.now();
const { config, authorization } = await fill(database.variables, ROWS);
say(`filled in ${((performance.now() - filledAt) / 1000).toFixed(0)} s`);
const { runtime, close } = await openRuntime(config);
const large = await largeTables(runtime.db);
const countDatabase = await databaseCpu(runtime.db);
const seen = recordQueries(DatabasePool.prototype);
const { url, stop } = await start(config, () => {});
const isAsked = ([name]: readonly [string, ...unknown[]]) => process.argv.length < 3 || process.argv.includes(name);
for (const [name, path] of LISTS.filter(isAsked)) await measure(name, `${url}/api/v1${path}`);
for (const [name, path, sorts, indexed] of SORTED.filter(isAsked)) {
  await measureSorts(name, `${url}/api/v1${path}`, indexed);
  const others = sorts.filter((sort) => !indexed.includes(sort));
  if (others.length > 0) await measureUnindexed(name, `${url}/api/v1${path}`, others);
}
await stop();
await close();

async function measure(name: string, page: string): Promise<void> {
  const question = `list of ${name}`;
  tellScans(question, await scansFor(name, page));
  await measureSteadily(question, page);
  const others = page.includes('limit=10') ? SKIPS.map((skip) => `${page}&skip=${skip}`) : [];
  const plan = { url: page, others, authorization, connections: 1 + SKIPS.length, warmUpMs: WARM_UP_MS };
  const { perSecond } = await load({ ...plan, measureMs: FASTEST_MS });
  tell({
    question: `${question}: answers${others.length > 0 ? ', each a page of its own' : ''}`,
    figure: perSecond,
    unit: '/s',
    budget: { atLeast: PER_SECOND_MIN },
    floor: null,
  });
  await measureCost(question, page);
}

/** Processor time of a call that nobody shares, which other work on the machine changes less than how long it takes. */
async function measureCost(question: string, url: string): Promise<void> {
  const [own, databaseMs] = [process.threadCpuUsage(), countDatabase()];
  const plan = { url, authorization, connections: 1, warmUpMs: 0, measureMs: COST_MS };
  const calls = ((await load(plan)).perSecond * COST_MS) / 1000;
  const { user, system } = process.threadCpuUsage(own);
  const rest = { unit: 'ms', budget: null, floor: null };
  tell({ question: `${question}: processor time of a call`, figure: (user + system) / 1000 / calls, ...rest });
  tell({ question: `${question}: the same, of the database`, figure: databaseMs() / calls, ...rest });
}

/** Each is read from an index, both ways; the load is that of the slowest. */
async function measureSorts(name: string, page: string, sorts: readonly string[]): Promise<void> {
  let scans = 0;
  for (const sorted of bothWays(sorts)) scans += await scansFor(`${name} by ${sorted}`, `${page}&sort_by=${sorted}`);
  const question = `list of ${name} by each of ${sorts.length} values`;
  tellScans(question, scans);
  const { url } = await slowestOf(page, sorts);
  await measureSteadily(`${question}, slowest`, url);
}

/** By what nobody has a screen for, one call at a time. */
async function measureUnindexed(name: string, page: string, sorts: readonly string[]): Promise<void> {
  const { tookMs } = await slowestOf(page, sorts);
  tell({
    question: `list of ${name} by each of ${sorts.length} values without an index: slowest, one call`,
    figure: tookMs,
    unit: 'ms',
    budget: { atMost: UNINDEXED_MS_MAX },
    floor: null,
  });
}

async function slowestOf(page: string, sorts: readonly string[]): Promise<{ url: string; tookMs: number }> {
  let slowest = { url: '', tookMs: 0 };
  for (const sorted of bothWays(sorts)) {
    const url = `${page}&sort_by=${sorted}`;
    const tookMs = await fastestMs(url);
    if (tookMs > slowest.tookMs) slowest = { url, tookMs };
  }
  say(`  slowest: ${slowest.url.slice(slowest.url.indexOf('sort_by'))}, one call ${slowest.tookMs.toFixed(1)} ms`);
  return slowest;
}

function bothWays(sorts: readonly string[]): string[] {
  return sorts.flatMap((sort) => [`${sort}&sort_order=asc`, `${sort}&sort_order=desc`]);
}

function tellScans(question: string, scans: number): void {
  tell({
    question: `${question}: large tables read as a whole`,
    figure: scans,
    unit: '',
    budget: { atMost: 0 },
    floor: null,
  });
}

async function measureSteadily(question: string, url: string): Promise<void> {
  const plan = { url, authorization, connections: CONNECTIONS, warmUpMs: WARM_UP_MS };
  const { p99Ms } = await load({ ...plan, measureMs: STEADY_MS, perSecond: STEADY_PER_SECOND });
  tell({
    question: `${question}: p99 at ${STEADY_PER_SECOND}/s`,
    figure: p99Ms,
    unit: 'ms',
    budget: { atMost: P99_MS_MAX },
    floor: null,
  });
}

async function scansFor(name: string, page: string): Promise<number> {
  const scans = await sequentialScans(runtime.db, await queriesOf(page), large);
  for (const scan of scans) say(`  ${name}: ${scan}`);
  return scans.length;
}

async function fastestMs(page: string): Promise<number> {
  const took: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const askedAtMs = performance.now();
    await (await fetch(page, { headers: { authorization } })).arrayBuffer();
    took.push(performance.now() - askedAtMs);
  }
  return Math.min(...took);
}

/** What one call asks the database; others of the product's may be among them. */
async function queriesOf(page: string): Promise<readonly SeenQuery[]> {
  seen.length = 0;
  const answer = await fetch(page, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${page} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  return seen.filter(({ text }) => /^\s*\(?select/i.test(text));
}
