// How fast are eight different pages of 10 of 100,000 opportunities answered at once by the whole product? Of them a call takes at
// most 1.5 times the processor time of a bare route: the same authentication and statement in the same process, and nothing
// else. And how soon at 200 calls a second: p99 within 100 ms. None of the pages is read for two callers.
//
//     node_modules/.bin/node bench/opportunity-list.ts
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pageOfOpportunities } from '@dutchbook/server/market/opportunities/store.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { openSessions } from '@dutchbook/server/people/login/sessions.ts';
import { DatabasePool } from '@dutchbook/server/platform/database/pool.ts';
import type { Config } from '@dutchbook/server/platform/runtime/config.ts';
import { start } from '@dutchbook/server/start.ts';
import { PgDialect } from 'drizzle-orm/pg-core';
import { openDatabase } from './databases.ts';
import { EMPTY, fillDatabase } from './filled.ts';
import { type LoadPlan, load } from './http-load.ts';
import { median, say, tell } from './rows.ts';

const ROWS = { ...EMPTY, opportunities: 100_000 };
const BY_PROFIT = 'sort_by=profit_percentage&sort_order=desc';
const QUIET_WITHIN_SECONDS = 20;
const QUIET_US_PER_SECOND = 200_000;

/** Each of eight connections asks for a page of its own. */
const SKIPS = [0, 10, 20, 30, 40, 50, 60, 70];
const TIMES_BARE_MAX = 1.5;
const BARE = 'a bare route with the same authentication and statement';
/** Rounds; the first one of each side is a warm-up and does not count. */
const ROUNDS = 1 + 4;
const ROUND = { connections: SKIPS.length, warmUpMs: 100, measureMs: 1000 };
const STEADY = { connections: SKIPS.length, warmUpMs: 300, measureMs: 2000, perSecond: 200 };
const STEADY_P99_MS_MAX = 100;
const REST_MS = 500;

type Asked = Pick<LoadPlan, 'url' | 'others' | 'authorization'>;

await using database = await openDatabase();
const { config, authorization } = await fillDatabase(database.variables, ROWS);
const { url, stop } = await start(config, () => {});
await quiet();
const bare = await bareRoute(config);
await measure(pagesOf(`${url}/api/v1/arbitrage/opportunities`), pagesOf(bare.url));
await bare.close();
await stop();

function pagesOf(base: string): Asked {
  const [first = '', ...others] = SKIPS.map((skip) => `${base}?skip=${skip}&limit=10&${BY_PROFIT}`);
  return { url: first, others, authorization };
}

async function measure(product: Asked, plain: Asked): Promise<void> {
  const took = { product: [] as number[], plain: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ofProduct, ofPlain] = [await processorMsOfCall(product), await processorMsOfCall(plain)];
    if (round === 0) continue;
    took.product.push(ofProduct);
    took.plain.push(ofPlain);
  }
  const question = `${SKIPS.length} different pages of 10 of ${ROWS.opportunities.toLocaleString('en')} opportunities at once`;
  tell({
    question: `${question}: processor time of the server a call`,
    figure: median(took.product),
    unit: 'ms',
    budget: { floorTimes: TIMES_BARE_MAX },
    floor: { figure: median(took.plain), of: BARE },
  });
  const ratios = took.product.map((ms, round) => ms / (took.plain[round] ?? Number.NaN));
  say(`  by rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} times`);
  const [{ p99Ms }, floor] = [await load({ ...product, ...STEADY }), await load({ ...plain, ...STEADY })];
  tell({
    question: `${question}: p99 at ${STEADY.perSecond}/s`,
    figure: p99Ms,
    unit: 'ms',
    budget: { atMost: STEADY_P99_MS_MAX },
    floor: { figure: floor.p99Ms, of: BARE },
  });
}

/** Processor time of this process per call, less what it uses without calls. */
async function processorMsOfCall(asked: Asked): Promise<number> {
  const atRest = await busyWhile(() => pause(REST_MS));
  let calls = 0;
  const busy = await busyWhile(async () => {
    calls = (await load({ ...asked, ...ROUND })).asked;
  });
  return (busy.processorMs - (atRest.processorMs * busy.ms) / atRest.ms) / calls;
}

async function busyWhile(work: () => Promise<void>): Promise<{ ms: number; processorMs: number }> {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begunMs, processorMs: (user + system) / 1000 };
}

/** A bare route with the product's authentication and statement, which returns the rows unchanged. */
async function bareRoute(product: Config): Promise<{ url: string; close: () => Promise<void> }> {
  const { runtime, close } = await openRuntime(product);
  const sessions = openSessions(runtime);
  const pool = new DatabasePool({ connectionString: product.databaseUrl ?? '' });
  const dialect = new PgDialect();
  const statements = new Map(
    SKIPS.map((skip) => {
      const page = { skip, limit: 10, sortBy: 'profit_percentage', sortOrder: 'desc' } as const;
      const { sql: text, params: values } = dialect.sqlToQuery(pageOfOpportunities(runtime.db, {}, page).getSQL());
      return [String(skip), { name: `page_${skip}`, text, values }];
    }),
  );
  const server = createServer(async ({ headers, url: asked = '' }, reply) => {
    await sessions.require(headers.authorization, '127.0.0.1');
    const statement = statements.get(new URLSearchParams(asked.slice(asked.indexOf('?'))).get('skip') ?? '');
    if (statement === undefined) throw new Error(`${asked} is not asked for here`);
    const { rows } = await pool.query(statement);
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ data: rows, count: rows.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
      await close();
    },
  };
}

/** Waits until the process has finished compiling in the background after its start. */
async function quiet(): Promise<void> {
  for (let second = 1; second <= QUIET_WITHIN_SECONDS; second += 1) {
    const before = process.cpuUsage();
    await pause(1000);
    const { user, system } = process.cpuUsage(before);
    if (user + system < QUIET_US_PER_SECOND) return;
  }
}
