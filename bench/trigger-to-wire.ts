// How long from the frame that triggers to the signed orders on the wire, the commit of the attempt included: the whole
// product against the simulated exchange, which notes when the frame left and when the orders arrived; alone, and while
// 20 clients ask for lists and 50 live streams are told of every change. Budget: p50 1.5 times, p90 3 times of what parsing a
// frame, two signatures, one commit that waits for the disk and one call take one after the other in the same run. And what
// a trigger costs with all that follows: statements, and processor time of all threads and of PostgreSQL.
//
//     node_modules/.bin/node bench/trigger-to-wire.ts [--alone] [triggers]
//
// `--alone`: not beside others, and not what it costs.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { openPolymarket } from '@dutchbook/venues/polymarket/polymarket.ts';
import { Client } from 'pg';
import type { Exchange } from './exchange/exchange.ts';
import { openSets } from './exchange/sets.ts';
import { countStatements, type Statements } from './exchange/statements.ts';
import { CHEAP, PAIRS, pairsThatBuy, trigger } from './exchange/triggering.ts';
import { loadUntilStopped } from './http-load.ts';
import { cpuOfServer } from './processes.ts';
import { quantile, say, tell } from './rows.ts';
import type { TabsPlan } from './tabs/tabs-thread.ts';
import { openTradingProduct } from './trading-product.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { alone: { type: 'boolean', default: false } },
});
const TRIGGERS = Number(positionals[0] ?? 50);
const FLOOR_TIMES = { p50: 1.5, p90: 3 };
/** Before a batch is looked for again: its fills have been read, and it has ended. */
const NOTICED_MS = 2500;
const CLIENTS = { connections: 20, perSecond: 100, warmUpMs: 500 };
const STREAMS = 50;

await measure();
// What the streams listened to is kept for a minute after they have left, which would hold the process.
process.exit();

async function measure(): Promise<void> {
  const statements = countStatements();
  await using product = await openTradingProduct();
  const { exchange, authorization, url, api } = product;
  const opened = await openSets(api, authorization, exchange, PAIRS);
  await pause(NOTICED_MS);
  await using database = await openClient();
  const floorMs = await measureFloor(exchange, database);
  const pairs = await pairsThatBuy(exchange, opened);
  const stop = await countCosts(database, statements);
  const alone = await trigger(exchange, pairs, TRIGGERS);
  const costs = stop();
  tellRows('alone', alone, floorMs);
  if (options.alone) return;
  tellCosts(costs);
  const busy = await openBusiness(url, authorization);
  tellRows('20 clients and 50 streams busy', await trigger(exchange, pairs, TRIGGERS), floorMs);
  await busy.stop();
}

function tellRows(how: string, tookMs: readonly number[], floorMs: number): void {
  const question = `trigger to wire, ${how}`;
  const floor = { figure: floorMs, of: 'parse, sign two orders, one commit, one loopback call' };
  const row = (share: number, times: number | null) => ({
    question: `${question}: p${share * 100}`,
    figure: quantile(tookMs, share),
    unit: 'ms',
    budget: times === null ? null : { floorTimes: times },
    floor,
    felt: times !== null,
  });
  for (const each of [row(0.1, null), row(0.5, FLOOR_TIMES.p50), row(0.9, FLOOR_TIMES.p90)]) tell(each);
}

/** A connection of its own to the server that the product's database is on. */
async function openClient(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  await client.query('create table if not exists wire_floor (n integer)');
  return Object.assign(client, {
    [Symbol.asyncDispose]: async () => {
      await client.query('drop table wire_floor');
      await client.end();
    },
  });
}

type Costs = Statements & { threadMs: number; processMs: number; databaseMs: number };

/** What is used from now on, until what this answers is called. */
async function countCosts(database: Client, statements: () => Statements): Promise<() => Costs> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const endDatabase = cpuOfServer(rows[0]?.pid ?? 0)();
  const thread = process.threadCpuUsage();
  const all = process.cpuUsage();
  statements();
  return () => ({
    ...statements(),
    threadMs: millisecondsOf(process.threadCpuUsage(thread)),
    processMs: millisecondsOf(process.cpuUsage(all)),
    databaseMs: endDatabase(),
  });
}

function millisecondsOf({ user, system }: { user: number; system: number }): number {
  return (user + system) / 1000;
}

/** Of each trigger with all that follows, what goes on at rest included. */
function tellCosts({ ofTriggers, all, threadMs, processMs, databaseMs }: Costs): void {
  const rows = [
    ['statements until it is recorded', ofTriggers, ''],
    ['statements, with all that follows', all, ''],
    ['processor time of the thread that decides, with all that follows', threadMs, 'ms'],
    ['the same of all threads, the exchange and this tool among them', processMs, 'ms'],
    ['the same of PostgreSQL', databaseMs, 'ms'],
  ] as const;
  for (const [what, total, unit] of rows) {
    tell({ question: `a trigger: ${what}`, figure: total / TRIGGERS, unit });
  }
}

/** What of it cannot be done faster: parsing a frame, signing both orders, a commit, and a call that reaches the exchange. */
async function measureFloor(exchange: Exchange, database: Client): Promise<number> {
  const runtime = {
    now: () => instantFromMs(Date.now()),
    random: Math.random,
    log: { info: () => {}, warn: () => {} },
  };
  const venue = await openPolymarket(
    {
      ...POLYMARKET_DEFAULTS,
      clobUrl: exchange.url,
      gammaUrl: `${exchange.url}/gamma`,
      wsUrl: `${exchange.url.replace('http', 'ws')}/ws`,
      privateKey: `0x${'42'.repeat(32)}`,
    },
    runtime,
  );
  const { data } = await venue.catalogue.searchMarkets({ skip: 0, limit: 1 });
  const [market] = data;
  const { trading } = venue;
  if (market === undefined || trading === null) throw new Error('there is nothing to sign');
  const frame = JSON.stringify({
    event_type: 'price_change',
    price_changes: [{ price: '0.35', size: '100', side: 'SELL' }],
  });
  const order = {
    market,
    side: 'buy',
    price: priceFromText(CHEAP),
    size: sharesFromText('10'),
    remainder: 'rest',
  } as const;
  const agent = new Agent({ keepAlive: true });
  const tookMs: number[] = [];
  for (let nth = 0; nth < 60; nth += 1) {
    const tokenId = market.outcomes[0]?.tokenId ?? '';
    let begunNs = 0n;
    const found = await exchange.until('/floor', async () => {
      begunNs = process.hrtime.bigint();
      JSON.parse(frame);
      const signed = await Promise.all([order, order].map((one) => trading.signOrder({ ...one, tokenId })));
      await database.query({ name: 'floor', text: 'insert into wire_floor values ($1)', values: [nth] });
      request(`${exchange.url}/floor`, { method: 'POST', agent }, (answer) => answer.resume()).end(
        JSON.stringify(signed),
      );
    });
    if (found !== null) tookMs.push(Number(found.postedNs - begunNs) / 1e6);
    await pause(10);
  }
  agent.destroy();
  await venue.close();
  return quantile(tookMs.slice(10), 0.5);
}

/** Clients that ask for lists, and tabs that listen, until it is stopped. */
async function openBusiness(url: string, authorization: string): Promise<{ stop: () => Promise<void> }> {
  const plan: TabsPlan = {
    url: `${url.replace('http', 'ws')}/api/v1/stream`,
    token: authorization.replace('Bearer ', ''),
    tabs: STREAMS,
  };
  const tabs = new Worker(new URL('./tabs/tabs-thread.ts', import.meta.url), { workerData: plan });
  await once(tabs, 'message');
  const page = `${url}/api/v1/arbitrage/opportunities?limit=10`;
  const asking = loadUntilStopped({ url: page, authorization, ...CLIENTS });
  await pause(1000);
  return {
    stop: async () => {
      const { perSecond, p99Ms } = await asking.stop();
      say(`  meanwhile ${perSecond.toFixed(0)} lists/s, p99 ${p99Ms.toFixed(0)} ms`);
      await tabs.terminate();
    },
  };
}
