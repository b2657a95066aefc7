// How long 50,000 rows take to import where there are as many, and all 100,000 to export, by the whole product. Budget: 20 s,
// and 5 s for the export, not more than 80 MB of memory on top, and meanwhile p99 200 ms for the calls of others. Beside
// them: as many rows made by one statement, and all of them read by one.
//
//     node_modules/.bin/node bench/import.ts [rows]
import type { Config } from '@dutchbook/server/platform/runtime/config.ts';
import { start } from '@dutchbook/server/start.ts';
import { Client } from 'pg';
import { openDatabase } from './databases.ts';
import { EMPTY, fillDatabase } from './filled.ts';
import { load, loadUntilStopped } from './http-load.ts';
import { type Row, tell } from './rows.ts';

const ROWS = Number(process.argv[2] ?? 50_000);
const SECONDS_MAX = 20;
const EXPORT_SECONDS_MAX = 5;
const MEMORY_SAMPLE_MS = 100;
const MEMORY_MB_MAX = 80;
const P99_MS_MAX = 200;
const COPY = 'insert into copied select * from opportunities';
const READ = 'select * from opportunities left join opportunity_prices on opportunity_id = id';
const OTHERS = { connections: 8, perSecond: 50, warmUpMs: 0 };
const ALONE = { warmUpMs: 200, measureMs: 1000 };

await measure();

async function measure(): Promise<void> {
  await using database = await openDatabase();
  const none = { ...EMPTY, opportunities: ROWS, items: 100 };
  const { config, authorization } = await fillDatabase(database.variables, none);
  const { url, stop } = await start(config, () => {});
  const api = `${url}/api/v1`;
  const others = { url: `${api}/items/?limit=10`, authorization, ...OTHERS };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(csv())]), 'bench.csv');
  const upload = { method: 'POST', headers: { authorization }, body: form };
  const imported = `import of ${ROWS.toLocaleString('en')} rows`;
  const copying = { figure: await secondsOf(config, COPY), of: 'as many rows copied by one statement' };
  await timed(imported, SECONDS_MAX, copying, `${api}/arbitrage/import-csv`, upload);
  const exported = `export of ${(ROWS * 2).toLocaleString('en')} rows`;
  const reading = { figure: await secondsOf(config, READ), of: 'as many rows read by one statement' };
  const asked = { headers: { authorization } };
  await timed(exported, EXPORT_SECONDS_MAX, reading, `${api}/arbitrage/export-csv`, asked);
  await stop();

  /** A call that takes long: how long, what memory it takes, and how long the calls of others take meanwhile. */
  async function timed(
    question: string,
    atMost: number,
    floor: NonNullable<Row['floor']>,
    address: string,
    init: RequestInit,
  ): Promise<void> {
    const alone = await load({ ...others, ...ALONE });
    globalThis.gc?.();
    const memoryBefore = process.memoryUsage.rss();
    let peak = memoryBefore;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, MEMORY_SAMPLE_MS);
    const meanwhile = loadUntilStopped(others);
    const begun = performance.now();
    const answer = await fetch(address, init);
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    const figure = (performance.now() - begun) / 1000;
    const { p99Ms } = await meanwhile.stop();
    clearInterval(sampling);
    tell({ question, figure, unit: 's', budget: { atMost }, floor });
    const mb = (peak - memoryBefore) / 1e6;
    tell({ question: `${question}: more memory at most`, figure: mb, unit: 'MB', budget: { atMost: MEMORY_MB_MAX } });
    tell({
      question: `${question}: p99 of other calls meanwhile`,
      figure: p99Ms,
      unit: 'ms',
      budget: { atMost: P99_MS_MAX },
      floor: { figure: alone.p99Ms, of: 'alone' },
    });
  }
}

/** Of one statement on a connection of its own. */
async function secondsOf({ databaseUrl }: Config, statement: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  await client.query('create temp table copied (like opportunities including indexes)');
  const begun = performance.now();
  await client.query(statement);
  const seconds = (performance.now() - begun) / 1000;
  await client.end();
  return seconds;
}

/** Sets of two and three positions, with the ids and texts that such files carry. */
function csv(): Buffer {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const legs = [1, 2, 3].slice(0, 2 + (index % 2)).map((leg) => ({
      leg,
      markets: [{ id: `0x${String(540_000 + index).padStart(63, '0')}${leg}`, outcome: leg === 1 ? 'Yes' : 'No' }],
    }));
    return `"${JSON.stringify(legs).replaceAll('"', '""')}",0.9${index % 10},${index % 3 > 0},scanner,pair ${index}`;
  });
  return Buffer.from(['market_combinations,target_price,active,source,source_details', ...lines].join('\n'));
}
