// How long is the event loop held, so that nobody else is served, by the largest that a call may send or ask for?
// Budget: 50 ms of the main thread's own work. By the clock it may be longer where others have the processor.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/hold.ts [part of a name]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '@dutchbook/server/config/config.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from './databases.ts';
import { fill } from './filled.ts';
import { type Call, HARD_CALLS } from './hold/calls.ts';
import { HARD_FILES } from './hold/files.ts';
import { openGamma } from './hold/gamma.ts';
import type { Wish } from './hold/held-process.ts';
import { measurePrices } from './hold/prices.ts';
import { CPU_MS_MAX, type Hold } from './hold/watch.ts';
import { say, tell } from './rows.ts';

const ROWS = { opportunities: 2000, batches: 1000, notifications: 1000, auditEntries: 3000, items: 1000 };
/** What an answer leaves to be done: opportunities that were stored are followed. */
const AFTERWARDS_MS = 2000;

const part = process.argv[2] ?? '';
await using gamma = await openGamma();
await using database = await openDatabase();
const variables = { ...database.variables, POLYMARKET_GAMMA_URL: gamma.url };
const { authorization } = await fill(variables, ROWS);
await fatten();
let { child, url } = await startProduct();
// What is compiled, connected or listed at the first call only is not what a call costs.
for (const { name, path } of HARD_CALLS) if (name.includes(part)) await call({ name, path });
for (const hard of HARD_CALLS) await measure(hard.name, () => call(hard));
// What the lists have left to collect would be counted against the files.
await stopProduct();
({ child, url } = await startProduct());
await upload(Buffer.from('market_combinations\na\n'.repeat(3000)));
for (const [name, file] of HARD_FILES) {
  const bytes = file();
  await measure(`file: ${name}`, () => upload(bytes));
}
await stopProduct();
if ('prices'.includes(part)) await measurePrices();

async function measure(name: string, work: () => Promise<string>): Promise<void> {
  if (!name.includes(part)) return;
  wish('begin');
  const said = await work();
  await pause(AFTERWARDS_MS);
  const { cpuMs, wallMs, collectingMs } = await report();
  tell({ question: name, figure: cpuMs, unit: 'ms', budget: { atMost: CPU_MS_MAX }, floor: null });
  say(
    `  by the clock ${wallMs.toFixed(0)} ms, collecting garbage ${collectingMs.toFixed(0)} ms; load ${loadavg()[0]?.toFixed(1)}; answered ${said}`,
  );
}

async function startProduct() {
  const started = fork(path.join(import.meta.dirname, 'hold/held-process.ts'), [JSON.stringify(variables)]);
  const [listensOn] = (await once(started, 'message')) as [string];
  return { child: started, url: listensOn };
}

async function stopProduct(): Promise<void> {
  wish('stop');
  await once(child, 'exit');
}

function wish(wished: Wish): void {
  child.send(wished);
}

async function report(): Promise<Hold> {
  wish('report');
  const [hold] = (await once(child, 'message')) as [Hold];
  return hold;
}

async function call({ path, method = 'GET', body, type = 'application/json' }: Call): Promise<string> {
  const headers = { authorization, ...(body !== undefined && { 'content-type': type }) };
  return await answered(fetch(`${url}/api/v1${path}`, { method, headers, ...(body !== undefined && { body }) }));
}

async function upload(file: Buffer): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(file)]), 'x.csv');
  return await answered(
    fetch(`${url}/api/v1/arbitrage/import-csv`, { method: 'POST', headers: { authorization }, body }),
  );
}

/** Who sends more than is read may find the connection closed. */
async function answered(reply: Promise<Response>): Promise<string> {
  try {
    const { status, ...rest } = await reply.then(async (given) => ({ status: given.status, text: await given.text() }));
    return `${status}, ${rest.text.length} characters`;
  } catch (error) {
    return String(error);
  }
}

/** Every row as long as it may be, and batches of fifty orders. */
async function fatten(): Promise<void> {
  const { runtime, close } = await openRuntime(readConfig(variables));
  const { db } = runtime;
  await db.execute(sql`
    update opportunities set active = false, source = repeat('s', 200),
      source_details = repeat('d', 2000), market_combinations = (
        select jsonb_agg(jsonb_build_object('leg', n, 'markets',
          jsonb_build_array(jsonb_build_object('id', repeat('m', 90) || n, 'outcome', repeat('o', 100)))))
        from generate_series(1, 50) as n)`);
  await db.execute(sql`update opportunity_prices set last_error = repeat('e', 2000)`);
  await db.execute(sql`
    update notifications set message = repeat('m', 4000), data = (
      select jsonb_object_agg('k' || n, jsonb_build_array(n, n)) from generate_series(1, 450) as n)`);
  await db.execute(sql`update items set title = repeat('t', 200), description = repeat('d', 2000)`);
  await db.execute(sql`
    insert into batch_orders (id, batch_id, opportunity_id, leg, ordinal, market_id, market_name, token_id, outcome, side,
      size, price, fee_rate, status, filled_size, filled_cost, fee, created_at, updated_at)
    select gen_random_uuid(), b.id, b.opportunity_id, n, n, 'market ' || n, 'Will it happen? ' || n, 'token ' || n, 'Yes',
      'buy', 5000000, 100000 + (n * 7919) % 800000, 30000, 'filled', 5000000, 500000, 1000, b.created_at, b.updated_at
    from batches b cross join generate_series(11, 50) as n`);
  await db.execute(sql`vacuum analyze`);
  await close();
}
