// How fast is each call of the report answered over 100,000 batches with 1,000,000 fills and orders, beside 50,000 hits and as
// many missed triggers, with nine different filters in turn? Budget: p99 of 200 ms, one call at a time, and as long in the
// median for all that the screen asks for at once.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/report/report-calls.ts [--screen] [--batches 100000]
//
// `--screen`: what the screen asks for alone.
import { parseArgs } from 'node:util';
import { BATCH_RESULT_SORTS } from '@dutchbook/contract/report.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { start } from '@dutchbook/server/start.ts';
import { timed } from '../calls.ts';
import { openDatabase } from '../databases.ts';
import { EMPTY, fill } from '../filled.ts';
import { load } from '../http-load.ts';
import { median, quantile, say, tell } from '../rows.ts';
import { fillReport } from './filled-report.ts';

const { values: options } = parseArgs({
  options: { screen: { type: 'boolean', default: false }, batches: { type: 'string', default: '100000' } },
});
const ROWS = { ...EMPTY, opportunities: 1000, batches: Number(options.batches) };
const REPORT = `report of ${ROWS.batches.toLocaleString('en')} batches`;
const MISSED = { hits: 50_000, triggers: 50_000 };
const P99_MS_MAX = 200;
const SCREEN_MS_MAX = 200;
const WARM_UP_MS = 1000;
const MEASURE_MS = 10_000;
const SCREENS = 50;

await using database = await openDatabase();
const filledAt = performance.now();
const { config, authorization, superuserId } = await fill(database.variables, ROWS);
const { runtime, close } = await openRuntime(config);
await fillReport(runtime.db, MISSED, superuserId);
await close();
say(`filled in ${((performance.now() - filledAt) / 1000).toFixed(0)} s`);

const today = Date.now();
const dayOf = (daysAgo: number) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);
const FILTERS = [
  '',
  `since=${dayOf(7)}`,
  `since=${dayOf(60)}&until=${dayOf(10)}`,
  `operator_id=${superuserId}`,
  'automatic=true',
  'event_id=event%207',
  'source=source%207',
  'structure=exactly_one',
  `structure=&automatic=false&since=${dayOf(40)}`,
];
const SCREEN = ['summary?', 'days?by=cash&', 'exposure?', 'execution?', 'funnel?', 'batches?limit=50&'];
const CALLS: readonly [name: string, path: string][] = [
  ['summary', 'summary?'],
  ['days by cash', 'days?by=cash&'],
  ['days by lock', 'days?by=lock&'],
  ['exposure', 'exposure?'],
  ['execution', 'execution?'],
  ['funnel', 'funnel?'],
  ['batches', 'batches?limit=50&'],
  ['batches of a band that are open', 'batches?limit=50&size_band=1000&is_open=true&'],
];

const { url, stop } = await start(config, () => {});
const urlOf = (path: string) => `${url}/api/v1/report/${path}`;
if (!options.screen) await measureEach();
await measureScreen();
await stop();

async function measureEach(): Promise<void> {
  for (const [name, path] of CALLS)
    await measure(
      name,
      FILTERS.map((filter) => urlOf(`${path}${filter}`)),
    );
  const sorts = BATCH_RESULT_SORTS.flatMap((sort) => [`${sort}&sort_order=asc`, `${sort}&sort_order=desc`]);
  await measure(
    `batches by each of ${BATCH_RESULT_SORTS.length} values`,
    sorts.map((sort) => urlOf(`batches?limit=50&sort_by=${sort}`)),
  );
  await measure('a batch with its legs', await urlsOfBatches());
}

async function measure(name: string, urls: readonly string[]): Promise<void> {
  const [first = '', ...others] = urls;
  const plan = { url: first, others, authorization, connections: 1, warmUpMs: WARM_UP_MS, measureMs: MEASURE_MS };
  const { p50Ms, p99Ms } = await load(plan);
  tell({ question: `${REPORT}: ${name}: p99`, figure: p99Ms, unit: 'ms', budget: { atMost: P99_MS_MAX } });
  tell({ question: `${REPORT}: ${name}: p50`, figure: p50Ms, unit: 'ms' });
}

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(urlOf(path), { headers: { authorization } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

async function urlsOfBatches(): Promise<string[]> {
  const { data } = (await ask('batches?limit=50')) as { data: { batch_id: string }[] };
  return data.map(({ batch_id: id }) => urlOf(`batches/${id}`));
}

/** Until the last of its calls is answered, all of which begin together; the first screen, for which all is compiled, does not count. */
async function measureScreen(): Promise<void> {
  const [together, alone] = [[] as number[], SCREEN.map((): number[] => [])];
  for (let nth = 0; nth <= SCREENS; nth += 1) {
    const filter = FILTERS[nth % FILTERS.length];
    const took = await timed(() => Promise.all(SCREEN.map((path) => ask(`${path}${filter}`))));
    if (nth > 0) together.push(took);
  }
  for (const filter of FILTERS)
    for (const [index, path] of SCREEN.entries()) alone[index]?.push(await timed(() => ask(`${path}${filter}`)));
  const question = `${REPORT}: the ${SCREEN.length} calls of its screen at once`;
  tell({
    question: `${question}: p50`,
    figure: quantile(together, 0.5),
    unit: 'ms',
    budget: { atMost: SCREEN_MS_MAX },
    floor: { figure: Math.max(...alone.map(median)), of: 'the slowest of them alone' },
    felt: true,
  });
  tell({ question: `${question}: slowest of ${SCREENS}`, figure: Math.max(...together), unit: 'ms' });
}
