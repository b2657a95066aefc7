// How fast is the screen of the report over 10,000 batches with 100,000 fills and orders, beside 50,000 hits and as many missed
// triggers, with nine different filters one after another: all its calls at once? Budget: 200 ms in the median.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/report/report-calls.ts
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { start } from '@dutchbook/server/start.ts';
import { timed } from '../calls.ts';
import { openDatabase } from '../databases.ts';
import { EMPTY, fillDatabase } from '../filled.ts';
import { median, quantile, say, tell } from '../rows.ts';
import { fillReport } from './filled-report.ts';

const ROWS = { ...EMPTY, opportunities: 1000, batches: 10_000 };
const REPORT = `report of ${ROWS.batches.toLocaleString('en')} batches`;
const MISSED = { hits: 50_000, triggers: 50_000 };
const SCREEN_MS_MAX = 200;
const SCREENS = 50;

await using database = await openDatabase();
const filledAt = performance.now();
const { config, authorization, superuserId } = await fillDatabase(database.variables, ROWS);
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
const { url, stop } = await start(config, () => {});
const urlOf = (path: string) => `${url}/api/v1/report/${path}`;
await measureScreen();
await stop();

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(urlOf(path), { headers: { authorization } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
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
  });
}
