// How long 50,000 rows take to import where there are as many, and all 100,000 to export, by the whole product. Budget: 20 s,
// and 5 s for the export, not more than 80 MB of memory on top, and meanwhile p99 200 ms for the calls of others. Beside
// them: as many rows made by one statement, and all of them read by one.
import { load, startLoad } from '../load.ts';
import { rssMbOf } from '../processes.ts';
import { connect, openProduct, timed } from '../product.ts';
import { type Row, tell } from '../rows.ts';
import { fillDatabase } from './filled.ts';

const ROWS = 50_000;
const ALONE_MS = 1000;
const MEMORY_SAMPLE_MS = 100;
const COPY = 'insert into copied select * from opportunities';
const READ = 'select * from opportunities left join opportunity_prices on opportunity_id = id';

await using product = await openProduct({}, (database) => fillDatabase(database, { opportunities: ROWS, items: 100 }));
const { api, authorization, pid } = product;
const others = { urls: [`${api}/items/?limit=10`], authorization, connections: 8, perSecond: 50 };
const body = new FormData();
body.append('file', new Blob([csv()]), 'bench.csv');
const copying = { figure: await secondsOf(COPY), of: 'as many rows copied by one statement' };
await measure(`import of ${ROWS.toLocaleString('en')} rows`, 20, copying, '/arbitrage/import-csv', {
  method: 'POST',
  body,
});
const reading = { figure: await secondsOf(READ), of: 'as many rows read by one statement' };
await measure(`export of ${(ROWS * 2).toLocaleString('en')} rows`, 5, reading, '/arbitrage/export-csv');

/** A call that takes long: how long, what memory it takes, and how long the calls of others take meanwhile. */
async function measure(
  question: string,
  atMost: number,
  floor: NonNullable<Row['floor']>,
  path: string,
  init: RequestInit = {},
): Promise<void> {
  const alone = await load(others, ALONE_MS);
  const memoryBefore = rssMbOf(pid);
  let peak = memoryBefore;
  const sampling = setInterval(() => {
    peak = Math.max(peak, rssMbOf(pid));
  }, MEMORY_SAMPLE_MS);
  const meanwhile = startLoad(others);
  const tookMs = await timed(async () => {
    const answer = await fetch(`${api}${path}`, { headers: { authorization }, ...init });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  });
  const { p99Ms } = await meanwhile.stop();
  clearInterval(sampling);
  tell({ question, figure: tookMs / 1000, unit: 's', budget: { atMost }, floor });
  const more = { figure: peak - memoryBefore, unit: 'MB', budget: { atMost: 80 } };
  tell({ question: `${question}: more memory at most`, ...more });
  tell({
    question: `${question}: p99 of other calls meanwhile`,
    ...{ figure: p99Ms, unit: 'ms', budget: { atMost: 200 } },
    floor: { figure: alone.p99Ms, of: 'alone' },
  });
}

/** Of one statement on a connection of its own. */
async function secondsOf(statement: string): Promise<number> {
  await using client = await connect(product.database);
  await client.query('create temp table copied (like opportunities including indexes)');
  return (await timed(() => client.query(statement))) / 1000;
}

/** As large a file as is taken: one position a row, with the ids and texts that such files carry. */
function csv(): string {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const legs = [{ leg: 1, markets: [{ id: `0x${String(540_000 + index).padStart(64, '0')}`, outcome: 'Yes' }] }];
    return `"${JSON.stringify(legs).replaceAll('"', '""')}",0.9${index % 10},${index % 3 > 0},scanner,pair ${index}`;
  });
  return ['market_combinations,target_price,active,source,source_details', ...lines].join('\n');
}
