// How fast is the screen of the report over 10,000 batches with 100,000 fills and orders, beside 50,000 hits and as many missed
// triggers, with nine different filters one after another: all its calls at once? Budget: 200 ms in the median.
import { openProduct, timed } from '../product.ts';
import { median, tell } from '../rows.ts';
import { fillDatabase } from './filled.ts';
import { fillReport } from './filled-report.ts';

const BATCHES = 10_000;
const MISSED = { hits: 50_000, triggers: 50_000 };
const SCREENS = 50;
const SCREEN = ['summary?', 'days?by=cash&', 'exposure?', 'execution?', 'funnel?', 'batches?limit=50&'];

let superuserId = '';
await using product = await openProduct({}, async (database) => {
  superuserId = await fillDatabase(database, { opportunities: 1000, batches: BATCHES }, ({ db }, id) =>
    fillReport(db, MISSED, id),
  );
});
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const FILTERS = [
  '',
  `since=${dayOf(7)}`,
  `since=${dayOf(60)}&until=${dayOf(10)}`,
  `operator_id=${superuserId}`,
  'automatic=true',
  'event_id=event-7',
  'source=source%207',
  'structure=exactly_one',
  `structure=&automatic=false&since=${dayOf(40)}`,
];
const ask = (path: string, nth: number) => product.call('GET', `/report/${path}${FILTERS[nth % FILTERS.length]}`);
/** The first screen, for which all is compiled, does not count. */
const together: number[] = [];
for (let nth = 0; nth <= SCREENS; nth += 1)
  together.push(await timed(() => Promise.all(SCREEN.map((path) => ask(path, nth)))));
const alone: number[] = [];
for (const path of SCREEN) {
  const tookMs: number[] = [];
  for (const nth of FILTERS.keys()) tookMs.push(await timed(() => ask(path, nth)));
  alone.push(median(tookMs));
}
tell({
  question: `report of ${BATCHES.toLocaleString('en')} batches: the ${SCREEN.length} calls of its screen at once: p50`,
  ...{ figure: median(together.slice(1)), unit: 'ms', budget: { atMost: 200 } },
  floor: { figure: Math.max(...alone), of: 'the slowest of them alone' },
});
