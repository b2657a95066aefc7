// How long does an engine take until the report has 100,000 batches with 1,000,000 fills that an earlier version recorded, and how
// long does anything else wait for its thread meanwhile? Budget: five minutes, and 50 ms.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/report/catch-up.ts [batches]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import type { Quotes } from '@dutchbook/server/parts.ts';
import { keepResults } from '@dutchbook/server/report/keep-results.ts';
import { batchResults } from '@dutchbook/server/report/table.ts';
import { openDatabase } from '../databases.ts';
import { EMPTY, fill, insertAtOnce } from '../filled.ts';
import { databaseCpu } from '../processes.ts';
import { say, tell } from '../rows.ts';
import { fills } from './filled-report.ts';

const BATCHES = Number(process.argv[2] ?? 100_000);
const MINUTES_MAX = 5;
const WAIT_MS_MAX = 50;
/** No market is followed. */
const QUOTES: Pick<Quotes, 'current'> = { current: () => [] };

await using database = await openDatabase();
const { config } = await fill(database.variables, { ...EMPTY, opportunities: 1000, batches: BATCHES });
const { runtime, close } = await openRuntime(config);
await insertAtOnce(runtime.db, [fills()]);
say('filled');
const waits = monitorEventLoopDelay({ resolution: 1 });
waits.enable();
const countDatabase = await databaseCpu(runtime.db);
const [begunMs, busy, databaseMs] = [performance.now(), process.cpuUsage(), countDatabase()];
while (await keepResults({ runtime, quotes: QUOTES, partitions: { held: () => null } }));
const tookMs = performance.now() - begunMs;
const { user, system } = process.cpuUsage(busy);
const inDatabase = databaseMs();
waits.disable();
const kept = await runtime.db.$count(batchResults);
if (kept !== BATCHES) throw new Error(`${kept} of ${BATCHES} batches were kept`);
await close();

const question = `report catches up with ${BATCHES.toLocaleString('en')} batches`;
const minutes = { atMost: MINUTES_MAX };
tell({ question, figure: tookMs / 60_000, unit: 'min', budget: minutes, floor: null });
const perBatch = (ms: number) => ({ figure: ms / BATCHES, unit: 'ms', budget: null, floor: null }) as const;
const inServer = (user + system) / 1000;
tell({ question: `${question}: processor time of a batch`, ...perBatch(inServer + inDatabase) });
tell({ question: `${question}: of that in the database`, ...perBatch(inDatabase) });
const longest = waits.max / 1e6;
const p99 = waits.percentile(99) / 1e6;
tell({
  question: `${question}: its thread is held, p99`,
  figure: p99,
  unit: 'ms',
  budget: { atMost: WAIT_MS_MAX },
  floor: null,
});
tell({ question: `${question}: longest`, figure: longest, unit: 'ms', budget: null, floor: null });
