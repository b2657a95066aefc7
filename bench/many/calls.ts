/** A page of opportunities, asked of one, two and three api processes in turn. */

import { setTimeout as pause } from 'node:timers/promises';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { buildProgramsWhenNeeded, SERVER_PROGRAM } from '@dutchbook/tools/start/program-build.ts';
import { openDatabase } from '../databases.ts';
import { EMPTY, fill } from '../filled.ts';
import { load } from '../http-load.ts';
import { cpuMsOf, databaseCpu } from '../processes.ts';
import { type Row, say, tell } from '../rows.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

const OPPORTUNITIES = 100_000;
const PAGE = '/api/v1/arbitrage/opportunities?limit=10&sort_by=profit_percentage&sort_order=desc';
const PROCESSES_MAX = 3;
const CONNECTIONS = 24;
const WARM_UP_MS = 3000;
const MEASURE_MS = 2000;
const REST_MS = 1500;
/** What is compiled in the background after a start is no part of a call. */
const REST_POLLS = 15;
const REST_SHARE_MAX = 0.1;
/** As many different pages are asked for: who asks for the same page at the same time would share one reading. */
const PAGES = 200;
const COST_RATIO_MAX = 1.25;

type Cost = { perSecond: number; apiMs: number; databaseMs: number; mostMs: number };

export async function measureCalls(): Promise<void> {
  if (!buildProgramsWhenNeeded()) throw new Error(`${SERVER_PROGRAM} could not be built`);
  await using database = await openDatabase();
  const { authorization, config } = await fill(database.variables, { ...EMPTY, opportunities: OPPORTUNITIES });
  const { runtime, close } = await openRuntime(config);
  const countDatabase = await databaseCpu(runtime.db);
  await using stack = new AsyncDisposableStack();
  stack.defer(close);
  const starting = Array.from({ length: PROCESSES_MAX }, () => startServer({ ...database.variables, ROLES: 'api' }));
  const apis = (await Promise.all(starting)).map((api) => stack.use(api));
  const costs: Cost[] = [];
  // What has just begun is slow: none of them is measured before all have run for a while.
  await load({ ...askedInTurn(apis, authorization), measureMs: WARM_UP_MS });
  const idleShare = await shareAtRest(apis);
  tellRow('an api process at rest: share of a core', idleShare * 100, '%');
  for (let count = 1; count <= PROCESSES_MAX; count += 1) {
    const cost = await costOf(apis.slice(0, count), authorization, { idleShare, countDatabase });
    costs.push(cost);
    tellCost(count, cost);
  }
  const [one, most] = [costs[0], costs.at(-1)];
  tellRow(`${PROCESSES_MAX} api processes: CPU for a call, against one`, ratio(most, one), 'times', {
    atMost: COST_RATIO_MAX,
  });
}

/** Processor time for each call: of all api processes together, of the one that had most, and of the database. */
async function costOf(
  apis: readonly ServerProcess[],
  authorization: string,
  { idleShare, countDatabase }: { idleShare: number; countDatabase: () => () => number },
): Promise<Cost> {
  const used = () => apis.map(({ pid }) => cpuMsOf(pid));
  const [before, databaseMs] = [used(), countDatabase()];
  const { perSecond } = await load({ ...askedInTurn(apis, authorization), measureMs: MEASURE_MS });
  const calls = (perSecond * MEASURE_MS) / 1000;
  // What each does all the time anyway is no part of a call, however few there are.
  const ownMs = idleShare * MEASURE_MS;
  const each = used().map((ms, nth) => (ms - (before[nth] ?? 0) - ownMs) / calls);
  return {
    perSecond,
    apiMs: each.reduce((sum, ms) => sum + ms, 0),
    mostMs: Math.max(...each),
    databaseMs: databaseMs() / calls,
  };
}

/** Of a core, on average, once they have come to rest. */
async function shareAtRest(apis: readonly ServerProcess[]): Promise<number> {
  const used = () => apis.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  let share = Number.POSITIVE_INFINITY;
  for (let polls = 0; polls < REST_POLLS && share > REST_SHARE_MAX; polls += 1) {
    const before = used();
    await pause(REST_MS);
    share = (used() - before) / REST_MS / apis.length;
  }
  return share;
}

function askedInTurn(apis: readonly ServerProcess[], authorization: string) {
  const pages = Array.from({ length: PAGES }, (_, page) => `${PAGE}&skip=${page * 10}`);
  const [url = '', ...others] = pages.flatMap((page) => apis.map((api) => `${api.url}${page}`));
  return { url, others, authorization, connections: CONNECTIONS, warmUpMs: 0 };
}

function tellCost(count: number, { perSecond, apiMs, mostMs, databaseMs }: Cost): void {
  const name = `${count} api process${count > 1 ? 'es' : ''}`;
  tellRow(`${name}: calls`, perSecond, '/s');
  tellRow(`${name}: CPU for a call, of all of them`, apiMs, 'ms');
  tellRow(`${name}: CPU for a call, of the database`, databaseMs, 'ms');
  say(
    `  the busiest takes ${mostMs.toFixed(3)} ms of each call: with a core each they would answer ${(1000 / mostMs).toFixed(0)}/s`,
  );
}

function ratio(cost: Cost | undefined, base: Cost | undefined): number {
  return (cost?.apiMs ?? Number.NaN) / (base?.apiMs ?? Number.NaN);
}

function tellRow(question: string, figure: number, unit: string, budget: Row['budget'] = null): void {
  tell({ question, figure, unit, budget, floor: null });
}
