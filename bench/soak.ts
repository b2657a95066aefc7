// Does the server grow while it does everything at once for an hour? Prices of all opportunities change, batches are
// bought and sold, rows are imported and deleted, lists are asked for and tabs listen. Its resident memory, files and
// sockets are looked at from outside, in a process of its own as `npm start` runs it. Budget after the first fifth of
// the time: memory rises by 1 % in ten minutes, files and sockets do not; nothing is rejected that nobody handles.
//
//     node_modules/.bin/node bench/soak.ts [--minutes 60]
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { type Call, callerOf } from './calls.ts';
import { openDatabase } from './databases.ts';
import { type Exchange, openExchangeThread } from './exchange/exchange.ts';
import { type OpenSet, openSets } from './exchange/sets.ts';
import { EMPTY, fill } from './filled.ts';
import { loadUntilStopped } from './http-load.ts';
import { median, say, tell } from './rows.ts';
import { buildWhatStarts, startServer } from './server-process.ts';
import { percentIn10Minutes, type Sample } from './slope.ts';
import type { TabsPlan } from './tabs/tabs-thread.ts';

const { values: chosen } = parseArgs({
  options: { minutes: { type: 'string', default: '60' } },
});
const MINUTES = Number(chosen.minutes);
const WARM_UP_SHARE = 0.2;
const POLL_MS = 1000;
const PERCENT_IN_10_MINUTES_MAX = 1;
/** Over a shorter time it is chance what the memory does. */
const MINUTES_TO_JUDGE = 30;
/** One that is just being opened is no leak. */
const MORE_OPEN_MAX = 3;
const KB_PER_MB = 1024;

const SETS = { sets: 20, positions: 2, ask: '0.6', targetPrice: 1 };
/** Those that are bought and sold; the prices of the others never let them pay. */
const BOUGHT = 5;
const PRICE_EVERY_MS = 20;
const DEAR_CENTS = { from: 55, count: 30 };
const CHEAP = '0.35';
const BUY_EVERY_MS = 500;
const BATCH_MS_MAX = 30_000;
const LISTS = { connections: 4, perSecond: 20, warmUpMs: 0 };
const TABS = 20;
const ROWS_IMPORTED = 50;
const IMPORT_EVERY_MS = 5000;

await soak().catch(brokenOff);
process.exit();

function brokenOff(error: unknown): never {
  say(String(error));
  process.exit(1);
}

async function soak(): Promise<void> {
  buildWhatStarts();
  await using exchange = await openExchangeThread();
  await using stored = await openDatabase();
  const variables = { ...stored.variables, ...exchange.variables };
  const { authorization } = await fill(variables, EMPTY);
  await using server = await startServer(variables);
  const call = callerOf(`${server.url}${API_PREFIX}`, authorization);
  await exchange.control('balance', { usd: '1000000' });
  await call('PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: false });
  const sets = await openSets(`${server.url}${API_PREFIX}`, authorization, exchange, SETS);
  const listening = await openTabs(server.url, authorization);
  const asking = loadUntilStopped({
    url: `${server.url}${API_PREFIX}/arbitrage/opportunities?limit=10`,
    authorization,
    ...LISTS,
  });
  const whole = { isBroken: false };
  const untilMs = performance.now() + MINUTES * 60_000;
  const goesOn = () => !whole.isBroken && performance.now() < untilMs && isAlive(server.pid);
  const works = [
    readMemory(server.pid, goesOn),
    movePrices(exchange, sets.slice(BOUGHT), goesOn),
    buyAndSell(call, exchange, sets.slice(0, BOUGHT), goesOn),
    importAndDelete(call, goesOn),
  ] as const;
  for (const work of works) {
    work.catch(() => {
      whole.isBroken = true;
    });
  }
  // All have ended before the server is stopped: who still asked it then would be heard instead of what went wrong.
  await Promise.allSettled(works);
  const { perSecond, p99Ms } = await asking.stop();
  await listening.terminate();
  const [readings, , batches, imports] = await Promise.all(works);
  say(
    `  ${batches} batches bought and sold, ${imports} imports deleted, ${perSecond.toFixed(0)} lists/s, p99 ${p99Ms.toFixed(0)} ms`,
  );
  tellAll(`${MINUTES} minutes of mixed work`, readings, isAlive(server.pid));
}

type Reading = { atMs: number; rssMb: number; files: number };

/** Of the server, as Linux sees it: its resident memory, and how many files and sockets it has open. */
async function readMemory(pid: number, goesOn: () => boolean): Promise<Reading[]> {
  const readings: Reading[] = [];
  while (goesOn()) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / KB_PER_MB;
    readings.push({ atMs: performance.now(), rssMb, files: readdirSync(`/proc/${pid}/fd`).length });
    await pause(POLL_MS);
  }
  return readings;
}

/** A rejection that nobody handles ends the server. */
function tellAll(question: string, readings: readonly Reading[], stillRuns: boolean): void {
  const warm = readings.slice(Math.floor(readings.length * WARM_UP_SHARE));
  const rss: Sample[] = warm.map(({ atMs, rssMb }) => ({ atMs, value: rssMb }));
  const part = Math.ceil(warm.length / 4);
  const filesIn = (some: readonly Reading[]) => median(some.map(({ files }) => files));
  const isLong = MINUTES >= MINUTES_TO_JUDGE;
  const rows: [what: string, figure: number, unit: string, atMost: number | null][] = [
    ['memory (RSS) grows in 10 minutes by', percentIn10Minutes(rss), '%', isLong ? PERCENT_IN_10_MINUTES_MAX : null],
    ['memory (RSS) in the end', warm.at(-1)?.rssMb ?? Number.NaN, 'MB', null],
    [
      'more files and sockets open in the end',
      filesIn(warm.slice(-part)) - filesIn(warm.slice(0, part)),
      '',
      MORE_OPEN_MAX,
    ],
    ['rejections that nobody handled', stillRuns ? 0 : 1, '', 0],
  ];
  for (const [what, figure, unit, atMost] of rows) {
    tell({ question: `${question}: ${what}`, figure, unit, budget: atMost === null ? null : { atMost }, floor: null });
  }
}

async function movePrices(exchange: Exchange, sets: readonly OpenSet[], goesOn: () => boolean): Promise<void> {
  const tokenIds = sets.flatMap((set) => set.tokenIds);
  for (let nth = 0; goesOn(); nth += 1) {
    const cents = DEAR_CENTS.from + (nth % DEAR_CENTS.count);
    exchange.setBook({ tokenId: tokenIds[nth % tokenIds.length] ?? '', ask: (cents / 100).toFixed(2) });
    await pause(PRICE_EVERY_MS);
  }
}

/** One batch after the other, each sold as soon as it is complete. Answers how many. */
async function buyAndSell(
  call: Call,
  exchange: Exchange,
  sets: readonly OpenSet[],
  goesOn: () => boolean,
): Promise<number> {
  for (const { tokenIds } of sets) for (const tokenId of tokenIds) exchange.setBook({ tokenId, ask: CHEAP });
  let sold = 0;
  for (let nth = 0; goesOn(); nth += 1) {
    await pause(BUY_EVERY_MS);
    const opportunity = `${sets[nth % sets.length]?.id}`;
    // Refused until the price that is shown has followed the books.
    const batch = await onceNotRefused(() => call('POST', `/arbitrage/place-order/${opportunity}`));
    const { id } = batch as { id: string };
    if (!(await isReached(call, id, 'completed'))) continue;
    // Refused until the venue shows what was bought.
    await onceNotRefused(() => call('POST', `/arbitrage/batch/${id}/sell-all?simulate=false`));
    if (await isReached(call, id, 'sold')) sold += 1;
  }
  return sold;
}

async function onceNotRefused(ask: () => Promise<unknown>): Promise<unknown> {
  const begunMs = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (refusal) {
      if (performance.now() - begunMs > BATCH_MS_MAX) throw refusal;
    }
    await pause(100);
  }
}

async function isReached(call: Call, batchId: string, wanted: string): Promise<boolean> {
  const begunMs = performance.now();
  for (let status = ''; status !== wanted; ) {
    if (performance.now() - begunMs > BATCH_MS_MAX) {
      say(`  batch ${batchId} is ${status} and not ${wanted} after ${BATCH_MS_MAX / 1000} s`);
      return false;
    }
    await pause(100);
    ({ status } = (await call('GET', `/arbitrage/batches/${batchId}`)) as { status: string });
  }
  return true;
}

/** New rows every time, all deleted again. Answers how often. */
async function importAndDelete(call: Call, goesOn: () => boolean): Promise<number> {
  let times = 0;
  for (; goesOn(); times += 1) {
    const lines = Array.from({ length: ROWS_IMPORTED }, (_, row) => {
      const legs = [{ leg: 1, markets: [{ id: `soak ${times} ${row}`, outcome: 'Yes' }] }];
      return `"${JSON.stringify(legs).replaceAll('"', '""')}",0.95,true`;
    });
    const form = new FormData();
    form.append('file', new Blob([['market_combinations,target_price,active', ...lines].join('\n')]), 'soak.csv');
    const { opportunity_ids } = (await call('POST', '/arbitrage/import-csv', form)) as { opportunity_ids: string[] };
    await pause(IMPORT_EVERY_MS);
    for (const id of opportunity_ids) await call('DELETE', `/arbitrage/opportunities/${id}`);
  }
  return times;
}

async function openTabs(url: string, authorization: string): Promise<Worker> {
  const token = authorization.replace('Bearer ', '');
  const plan: TabsPlan = { url: `${url.replace('http', 'ws')}${API_PREFIX}/stream`, token, tabs: TABS };
  const tabs = new Worker(new URL('./tabs/tabs-thread.ts', import.meta.url), { workerData: plan });
  await once(tabs, 'message');
  return tabs;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
