// How fast a page of 10 opportunities is answered by the whole product: out of 100,000 in three orders, and out of 10,000.
// Budget: of the 100,000 1,500 answers per second with a p99 of 25 ms where nothing is left to wait for; of the 10,000
// 1,000 answers per second, and a p99 of 60 ms at 200 calls a second. All of them ask for one page, which is read once for
// many. Of eight different pages at once a call takes at most 1.5 times the processor time of a bare route: the same
// authentication and statement in the same process, and nothing else.
//
//     node_modules/.bin/node bench/opportunity-list.ts
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '@dutchbook/server/config/config.ts';
import { DatabasePool } from '@dutchbook/server/database/pool.ts';
import { openSessions } from '@dutchbook/server/login/sessions.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { pageOfOpportunities } from '@dutchbook/server/opportunities/store.ts';
import { start } from '@dutchbook/server/start.ts';
import { PgDialect } from 'drizzle-orm/pg-core';
import { openDatabase } from './databases.ts';
import { EMPTY, fill } from './filled.ts';
import { type Load, type LoadPlan, load } from './http-load.ts';
import { median, say, tell } from './rows.ts';

const BY_PROFIT = ['by profit', 'sort_by=profit_percentage&sort_order=desc'] as const;
const ACTIVE = ['by profit, active ones', 'sort_by=profit_percentage&sort_order=desc&active=true'] as const;
const BY_SOURCE = ['by source', 'sort_by=source&sort_order=desc'] as const;

/** `p99MsMax` where nothing is left to wait for; `steadyP99MsMax` at so many calls a second, where that is asked. */
type Size = {
  rows: number;
  pages: readonly (readonly [name: string, query: string])[];
  perSecondMin: number;
  p99MsMax: number | null;
  steadyP99MsMax: number | null;
};

const SIZES: readonly Size[] = [
  { rows: 10_000, pages: [BY_PROFIT], perSecondMin: 1000, p99MsMax: null, steadyP99MsMax: 60 },
  { rows: 100_000, pages: [BY_PROFIT, ACTIVE, BY_SOURCE], perSecondMin: 1500, p99MsMax: 25, steadyP99MsMax: null },
];
const CONNECTIONS = 16;
const STEADY_PER_SECOND = 200;
const QUIET_WITHIN_SECONDS = 20;
const QUIET_US_PER_SECOND = 200_000;
const WARM_UP_MS = 300;
const MEASURE_MS = 500;
const FLOOR = { connections: CONNECTIONS, warmUpMs: 200, measureMs: 500 };
const FLOOR_OF = 'the same bytes from a server that does nothing';

/** Each of eight connections asks for a page of its own: none is read for two callers. */
const DIFFERENT_SKIPS = [0, 10, 20, 30, 40, 50, 60, 70];
const TIMES_BARE_MAX = 1.5;
/** By turns; the first one of each is compiled while it runs, and does not count. */
const TURNS = 9;
const TURN = { connections: DIFFERENT_SKIPS.length, warmUpMs: 100, measureMs: 1000 };
const REST_MS = 500;

for (const size of SIZES) await measure(size);

async function measure(size: Size): Promise<void> {
  await using database = await openDatabase();
  const { config, authorization } = await fill(database.variables, { ...EMPTY, opportunities: size.rows });
  const { url, stop } = await start(config, () => {});
  await quiet();
  const pageOf = (query: string) => `${url}/api/v1/arbitrage/opportunities?limit=10&${query}`;
  const floor = await plainServerLoad({ url: pageOf(BY_PROFIT[1]), authorization });
  for (const [name, query] of size.pages) {
    const page = pageOf(query);
    const question = `page of 10 of ${size.rows.toLocaleString('en')} opportunities ${name}`;
    await measureFastest(question, { url: page, authorization }, size, floor);
    if (size.steadyP99MsMax !== null) {
      await measureSteady(question, { url: page, authorization }, size.steadyP99MsMax);
    }
  }
  if (size.rows === 100_000) await measureDifferent(config, url, authorization);
  await stop();
}

async function measureDifferent(config: Config, url: string, authorization: string): Promise<void> {
  await using bare = await bareRoute(config);
  const pages = (base: string) => DIFFERENT_SKIPS.map((skip) => `${base}?skip=${skip}&limit=10&${BY_PROFIT[1]}`);
  const took = { product: [] as number[], bare: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [side, base] of [
      ['product', `${url}/api/v1/arbitrage/opportunities`],
      ['bare', bare.url],
    ] as const) {
      const msOfCall = await processorMsOfCall(pages(base), authorization);
      if (turn > 0) took[side].push(msOfCall);
    }
  }
  const [figure, floor] = [median(took.product), median(took.bare)];
  tell({
    question: 'eight different pages of 100,000 opportunities at once: processor time of the server a call',
    figure,
    unit: 'ms',
    budget: { atMost: TIMES_BARE_MAX * floor },
    floor: { figure: floor, of: 'a bare route with the same authentication and statement' },
  });
}

/** Of this process, without what it takes by itself meanwhile. */
async function processorMsOfCall(urls: readonly string[], authorization: string): Promise<number> {
  const [first = '', ...others] = urls;
  const atRest = await busyWhile(() => pause(REST_MS));
  let asked = 0;
  const busy = await busyWhile(async () => {
    ({ asked } = await load({ url: first, others, authorization, ...TURN }));
  });
  return (busy.processorMs - (atRest.processorMs * busy.ms) / atRest.ms) / asked;
}

async function busyWhile(work: () => Promise<void>): Promise<{ ms: number; processorMs: number }> {
  const [begunMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begunMs, processorMs: (user + system) / 1000 };
}

/** Who calls is proven as the product does, the statement is the product's, and its rows are written as they come. */
async function bareRoute(config: Config): Promise<AsyncDisposable & { url: string }> {
  const { runtime, close } = await openRuntime(config);
  const sessions = openSessions(runtime);
  const pool = new DatabasePool({ connectionString: config.databaseUrl ?? '' });
  const dialect = new PgDialect();
  const statements = new Map(
    DIFFERENT_SKIPS.map((skip) => {
      const page = { skip, limit: 10, sortBy: 'profit_percentage', sortOrder: 'desc' } as const;
      const { sql: text, params: values } = dialect.sqlToQuery(pageOfOpportunities(runtime.db, {}, page).getSQL());
      return [String(skip), { name: `page_${skip}`, text, values }];
    }),
  );
  const server = createServer(async ({ headers, url = '' }, reply) => {
    await sessions.require(headers.authorization, '127.0.0.1');
    const statement = statements.get(new URLSearchParams(url.slice(url.indexOf('?'))).get('skip') ?? '');
    if (statement === undefined) throw new Error(`${url} is not asked for here`);
    const { rows } = await pool.query(statement);
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ data: rows, count: rows.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await pool.end();
      await close();
    },
  };
}

/** For some seconds after its start the process still compiles in the background, on a core of its own. */
async function quiet(): Promise<void> {
  for (let second = 1; second <= QUIET_WITHIN_SECONDS; second += 1) {
    const before = process.cpuUsage();
    await pause(1000);
    const { user, system } = process.cpuUsage(before);
    if (user + system < QUIET_US_PER_SECOND) return;
  }
}

type Asked = Pick<LoadPlan, 'url' | 'authorization'>;

async function measureFastest(
  question: string,
  asked: Asked,
  { perSecondMin, p99MsMax }: Size,
  floor: Load,
): Promise<void> {
  const before = process.cpuUsage();
  const found = await load({ ...asked, connections: CONNECTIONS, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS });
  const { user, system } = process.cpuUsage(before);
  tell({
    question: `${question}: answers`,
    figure: found.perSecond,
    unit: '/s',
    budget: { atLeast: perSecondMin },
    floor: { figure: floor.perSecond, of: FLOOR_OF },
  });
  tell({
    question: `${question}: p99`,
    figure: found.p99Ms,
    unit: 'ms',
    budget: p99MsMax === null ? null : { atMost: p99MsMax },
    floor: { figure: floor.p99Ms, of: FLOOR_OF },
  });
  say(`  processor time of the server a call: ${((user + system) / found.asked / 1000).toFixed(2)} ms`);
}

async function measureSteady(question: string, asked: Asked, atMost: number): Promise<void> {
  const perSecond = STEADY_PER_SECOND;
  const floor = await plainServerLoad(asked, perSecond);
  const plan = { connections: CONNECTIONS, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS, perSecond };
  const { p99Ms } = await load({ ...asked, ...plan });
  tell({
    question: `${question}: p99 at ${perSecond}/s`,
    figure: p99Ms,
    unit: 'ms',
    budget: { atMost },
    floor: { figure: floor.p99Ms, of: FLOOR_OF },
  });
}

async function plainServerLoad({ url, authorization }: Asked, perSecond?: number): Promise<Load> {
  const answer = Buffer.from(await (await fetch(url, { headers: { authorization } })).arrayBuffer());
  const server = createServer((_, reply) => reply.setHeader('content-type', 'application/json').end(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const plain = { url: `http://127.0.0.1:${port}/`, authorization };
  const found = await load({ ...plain, ...FLOOR, ...(perSecond !== undefined && { perSecond }) });
  server.closeAllConnections();
  server.close();
  return found;
}
