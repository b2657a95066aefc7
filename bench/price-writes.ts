// What does it cost the database to write a price? Of 20,000 opportunities a thousand at a time are written, each with a new
// price, and then once more with the same one; what the database's own process took is compared with how many were written.
// No budget.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/price-writes.ts
import { readFileSync } from 'node:fs';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { pagesOfOpportunities, type StoredOpportunity } from '@dutchbook/server/opportunities/store.ts';
import { writePrices } from '@dutchbook/server/prices/price-writer.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from './databases.ts';
import { EMPTY, fill } from './filled.ts';
import { say, tell } from './rows.ts';

const OPPORTUNITIES = 20_000;
const AT_ONCE = 1000;
const ROUNDS = 3;
/** Of a tick of the processor's clock, as Linux counts them. */
const TICK_US = 10_000;

await using database = await openDatabase();
const { config } = await fill(database.variables, { ...EMPTY, opportunities: OPPORTUNITIES });
const { runtime, close } = await openRuntime(config);
const rows: StoredOpportunity[] = [];
for await (const page of pagesOfOpportunities(runtime.db, {})) rows.push(...page);
let seconds = 0;

for (const [name, moves] of [
  ['with a new price', true],
  ['with the same price', false],
] as const) {
  const before = await written();
  const begun = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let start = 0; start < rows.length; start += AT_ONCE) await writeOnce(start, moves);
  }
  const lasted = (performance.now() - begun) / 1000;
  const after = await written();
  const count = (ROUNDS * rows.length) / 1000;
  const hot = (after.hot - before.hot) / (after.rows - before.rows);
  say(`${name}: ${((count * 1000) / lasted).toFixed(0)} rows/s, ${(hot * 100).toFixed(0)} % of them touch no index`);
  tell({
    question: `1,000 price writes ${name}: processor time of the database`,
    figure: (after.cpuUs - before.cpuUs) / 1000 / count,
    unit: 'ms',
    budget: null,
    floor: null,
  });
  tell({
    question: `1,000 price writes ${name}: log of the database`,
    figure: (after.logBytes - before.logBytes) / 1e6 / count,
    unit: 'MB',
    budget: null,
    floor: null,
  });
}
await close();

async function writeOnce(start: number, moves: boolean): Promise<void> {
  seconds += 1;
  const writes = rows.slice(start, start + AT_ONCE).map((row, nth) => {
    row.lastChecked = (runtime.clock.now() + seconds) as Instant;
    if (moves) {
      row.currentPrice = (900_000 + ((nth * 7919 + seconds * 104_729) % 90_000)) as Price;
      row.profitPercentage = (5_000_000 - ((nth * 7919 + seconds * 15_485_863) % 9_000_000)) as Percent;
    }
    return { row, falls: false, isPointDue: false, claim: null };
  });
  const outcomes = await writePrices(runtime.db, writes);
  const refused = [...outcomes.values()].filter((outcome) => outcome !== 'written').length;
  if (refused > 0) throw new Error(`${refused} prices were not written`);
}

/** So far: of all that serve this database, its own processor time; the rows, and how much was logged. */
async function written() {
  await runtime.db.execute(sql`select pg_stat_force_next_flush()`);
  const { rows: found } = (await runtime.db.execute(sql`
    select (select json_agg(pid) from pg_stat_activity where datname = current_database()) as pids,
      (select sum(n_tup_upd)::int from pg_stat_user_tables where relname like 'opportunit%') as rows,
      (select sum(n_tup_hot_upd)::int from pg_stat_user_tables where relname like 'opportunit%') as hot,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log`)) as unknown as {
    rows: [{ pids: number[]; rows: number; hot: number; log: number }];
  };
  const [{ pids, rows: count, hot, log }] = found;
  const cpuUs = pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  return { rows: count, hot, cpuUs, logBytes: log };
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}
