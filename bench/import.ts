// How long 50,000 rows take to import where there are as many, and all 100,000 to export; by the whole product, on both
// databases. Budget: 20 s, and 5 s for the export, not more than 80 MB of memory on top, and meanwhile p99 200 ms for the
// calls of others.
//
//     node_modules/.bin/node bench/import.ts [rows]
import { start } from '@dutchbook/server/start.ts';
import { openDatabase } from './databases.ts';
import { EMPTY, fill } from './filled.ts';
import { load, loadUntilStopped } from './http-load.ts';
import { tell } from './rows.ts';

const ROWS = Number(process.argv[2] ?? 50_000);
const SECONDS_MAX = 20;
const EXPORT_SECONDS_MAX = 5;
const MEMORY_SAMPLE_MS = 100;
const MEMORY_MB_MAX = 80;
const P99_MS_MAX = 200;
const OTHERS = { connections: 8, perSecond: 50, warmUpMs: 0 };
const ALONE = { warmUpMs: 200, measureMs: 1000 };

await measure();

async function measure(): Promise<void> {
  await using database = await openDatabase();
  const none = { ...EMPTY, opportunities: ROWS, items: 100 };
  const { config, authorization } = await fill(database.variables, none);
  const { url, stop } = await start(config, () => {});
  const api = `${url}/api/v1`;
  const others = { url: `${api}/items/?limit=10`, authorization, ...OTHERS };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(csv())]), 'bench.csv');
  const upload = { method: 'POST', headers: { authorization }, body: form };
  const imported = `import of ${ROWS.toLocaleString('en')} rows`;
  await timed(imported, SECONDS_MAX, `${api}/arbitrage/import-csv`, upload);
  const exported = `export of ${(ROWS * 2).toLocaleString('en')} rows`;
  await timed(exported, EXPORT_SECONDS_MAX, `${api}/arbitrage/export-csv`, { headers: { authorization } });
  await stop();

  /** A call that takes long: how long, what memory it takes, and how long the calls of others take meanwhile. */
  async function timed(question: string, atMost: number, address: string, init: RequestInit): Promise<void> {
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
    tell({ question, figure, unit: 's', budget: { atMost }, floor: null });
    const mb = (peak - memoryBefore) / 1e6;
    tell({
      question: `${question}: more memory at most`,
      figure: mb,
      unit: 'MB',
      budget: { atMost: MEMORY_MB_MAX },
      floor: null,
    });
    tell({
      question: `${question}: p99 of other calls meanwhile`,
      figure: p99Ms,
      unit: 'ms',
      budget: { atMost: P99_MS_MAX },
      floor: { figure: alone.p99Ms, of: 'alone' },
    });
  }
}

/** Sets of two and three positions, with the ids and texts that such files carry. */
function csv(): Buffer {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const legs = [1, 2, 3]
      .slice(0, 2 + (index % 2))
      .map((leg) => ({ leg, markets: [{ id: `${540_000 + index}${leg}`, outcome: leg === 1 ? 'Yes' : 'No' }] }));
    return `"${JSON.stringify(legs).replaceAll('"', '""')}",0.9${index % 10},${index % 3 > 0},scanner,pair ${index}`;
  });
  return Buffer.from(['market_combinations,target_price,active,source,source_details', ...lines].join('\n'));
}
