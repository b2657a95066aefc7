// How fast is every list answered where there are 100,000 opportunities, 10,000 batches, 100,000 orders and 1,000,000
// notifications, whatever it is sorted by, and is each read from an index? Budget: p99 below 100 ms at 200 calls a second,
// no table of ten thousand rows or more read as a whole; at least 1,000 answers a second where nothing is left to wait for.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/lists.ts [name of a list]
import { BATCH_SORTS } from '@dutchbook/contract/batches.ts';
import { NOTIFICATION_SORTS } from '@dutchbook/contract/notifications.ts';
import { OPPORTUNITY_SORTS } from '@dutchbook/contract/opportunities.ts';
import { ORDER_SORTS } from '@dutchbook/contract/orders.ts';
import { start } from '@dutchbook/server/start.ts';
import { LendingPool } from '@dutchbook/server/world/lending-pool.ts';
import { openWorld } from '@dutchbook/server/world/open-world.ts';
import { databaseKinds, openDatabase } from './databases.ts';
import { fill, largeTables } from './filled.ts';
import { load } from './http-load.ts';
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
const STEADY_PER_SECOND = 200;
const P99_MS_MAX = 100;
const PER_SECOND_MIN = 1000;
const WARM_UP_MS = 100;
const STEADY_MS = 500;
const FASTEST_MS = 250;

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

const SORTED: readonly [name: string, path: string, sorts: readonly string[]][] = [
  ['opportunities', OPPORTUNITY, OPPORTUNITY_SORTS],
  ['batches', '/arbitrage/batches?limit=10', BATCH_SORTS],
  ['orders', '/arbitrage/orders?limit=10', ORDER_SORTS],
  ['orders by batch', '/arbitrage/orders?limit=10&group_by_batch=true', ORDER_SORTS],
  ['notifications', '/notifications/records?limit=10', NOTIFICATION_SORTS],
];
/** Of so many calls the fastest tells which sort is the slowest. */
const CALLS = 3;

if (!databaseKinds.includes('PostgreSQL')) say('There is no PostgreSQL: TEST_DATABASE_URL names a server.');
else {
  await using database = await openDatabase('PostgreSQL');
  const filledAt = performance.now();
  const { config, authorization } = await fill(database.variables, ROWS);
  say(`filled in ${((performance.now() - filledAt) / 1000).toFixed(0)} s`);
  const { world, close } = await openWorld(config);
  const large = await largeTables(world.db);
  const seen = recordQueries(LendingPool.prototype);
  const { url, stop } = await start(config, () => {});
  const isAsked = ([name]: readonly [string, ...unknown[]]) => process.argv.length < 3 || process.argv.includes(name);
  for (const [name, path] of LISTS.filter(isAsked)) await measure(name, `${url}/api/v1${path}`);
  for (const [name, path, sorts] of SORTED.filter(isAsked)) {
    await measureSorts(name, `${url}/api/v1${path}`, sorts);
  }
  await stop();
  await close();

  async function measure(name: string, page: string): Promise<void> {
    const question = `list of ${name}, PostgreSQL`;
    tellScans(question, await scansFor(name, page));
    await measureSteadily(question, page);
    const plan = { url: page, authorization, connections: CONNECTIONS, warmUpMs: WARM_UP_MS };
    const { perSecond } = await load({ ...plan, measureMs: FASTEST_MS });
    tell({
      question: `${question}: answers`,
      figure: perSecond,
      unit: '/s',
      budget: { atLeast: PER_SECOND_MIN },
      floor: null,
    });
  }

  /** Both ways; the load is that of the slowest. */
  async function measureSorts(name: string, page: string, sorts: readonly string[]): Promise<void> {
    let [scans, slowestMs, slowest] = [0, 0, ''];
    for (const sorted of sorts.flatMap((sort) => [`${sort}&sort_order=asc`, `${sort}&sort_order=desc`])) {
      const sortedPage = `${page}&sort_by=${sorted}`;
      scans += await scansFor(`${name} by ${sorted}`, sortedPage);
      const tookMs = await fastestMs(sortedPage);
      if (tookMs > slowestMs) [slowestMs, slowest] = [tookMs, sortedPage];
    }
    const question = `list of ${name} by each of ${sorts.length} values, PostgreSQL`;
    tellScans(question, scans);
    say(`  slowest: ${slowest.slice(slowest.indexOf('sort_by'))}, one call ${slowestMs.toFixed(1)} ms`);
    await measureSteadily(`${question}, slowest`, slowest);
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
    const scans = await sequentialScans(world.db, await queriesOf(page), large);
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
}
