// What does a changed level cost where opportunities are valued by it: processor time of the server's process, all its threads,
// and of its PostgreSQL, beside that of a process that has the adapter and its books alone. Both at once, on the same frames: by
// turns, what the server writes ten seconds late would be written when it is not its turn. Budget: twice adapter and books.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/paces/valued.ts [--rounds 3] [--only 1000] [--seconds 20]
//       [--paces 1000,5000,8000,saturated] [--filling 40] [--beside DIR]
//
// `--only`: of the stages, that with so many opportunities; `--filling`: for how long before all books are filled; `--beside`:
// another checkout, whose server takes part as well.
import { parseArgs } from 'node:util';
import { readConfig } from '@dutchbook/server/config/config.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import type { Db } from '@dutchbook/server/runtime.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../databases.ts';
import { addOpportunities, marketsOf } from '../feed/desk.ts';
import { readGame } from '../feed/recorded-game.ts';
import { cpuMsOf } from '../processes.ts';
import { say, tell } from '../rows.ts';
import { openSender, type Pace, type Sender } from './sender.ts';
import { atOnce, byTurns, openSide, type Side } from './sides.ts';
import type { ValuedTask } from './valued-process.ts';

const BOOKS_TIMES_MAX = 2;
const POSITIONS = 4;
const TOKENS_PER_GAME = 12;
const RECORDED_FRAMES = 6000;
const FILLING_PER_SECOND = 10_000;
/** Before each pace: as long as a price waits to be written. */
const SETTLING_SECONDS = 10;
/** By turns: two sides at once would wait for each other. */
const SATURATING_CHANGES = 200_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    paces: { type: 'string', default: '1000,5000,8000,saturated' },
    filling: { type: 'string', default: '40' },
    beside: { type: 'string' },
  },
});
const seconds = Number(options.seconds);

const PACES = options.paces.split(',').map((name): { name: string; pace: Pace } => {
  if (name === 'saturated') return { name, pace: { changes: SATURATING_CHANGES } };
  const changesPerSecond = Number(name);
  return { name: `${changesPerSecond.toLocaleString('en')} changes/s`, pace: { changesPerSecond, seconds } };
});

/** Each token is in two opportunities on average. */
const STAGES = [1000, 10_000].map((opportunities) => ({
  opportunities,
  games: Math.round((opportunities * POSITIONS) / 2 / TOKENS_PER_GAME),
}));

if ((await readGame(1)) === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else
  for (const stage of STAGES)
    if (options.only === undefined || Number(options.only) === stage.opportunities) await measure(stage);

async function measure({ opportunities, games }: (typeof STAGES)[number]): Promise<void> {
  const tokens = games * TOKENS_PER_GAME;
  const sender = await openSender({ games, recordedFrames: RECORDED_FRAMES });
  const books = await openSide(sender, { name: 'books', script: 'books-process.ts', tokens });
  await using stack = new AsyncDisposableStack();
  const valued = await openValued(sender, stack, { name: 'valued', opportunities });
  const { beside: root } = options;
  const beside = root === undefined ? [] : [await openValued(sender, stack, { name: 'beside', opportunities, root })];
  const sides = [books, valued, ...beside];
  await atOnce(sides, { changesPerSecond: FILLING_PER_SECOND, seconds: Number(options.filling) }, 1);
  for (const { name, pace } of PACES) {
    const [booksUs = Number.NaN, valuedUs = Number.NaN, besideUs] = await measurePace(sides, pace);
    const count = opportunities.toLocaleString('en');
    const question = `a changed level, ${tokens.toLocaleString('en')} tokens, ${name}, ${count} opportunities`;
    const floor = { figure: booksUs, of: 'adapter and books' };
    const budget = { floorTimes: BOOKS_TIMES_MAX };
    tell({ question: `${question}: server and database`, figure: valuedUs, unit: 'us', budget, floor, felt: true });
    if (besideUs !== undefined)
      tell({ question: `${question}: those of ${root}`, figure: besideUs, unit: 'us', floor });
  }
  for (const side of sides) await side.close();
  sender.close();
}

async function measurePace(sides: readonly Side[], pace: Pace): Promise<number[]> {
  const rounds = Number(options.rounds);
  if ('changes' in pace) return byTurns(sides, pace, rounds);
  await atOnce(sides, { ...pace, seconds: SETTLING_SECONDS }, 1);
  return atOnce(sides, pace, rounds);
}

/** A server over a database of its own; what that and its process take is counted together. */
async function openValued(
  sender: Sender,
  stack: AsyncDisposableStack,
  { name, opportunities, root }: { name: string; opportunities: number; root?: string },
): Promise<Side> {
  const { variables } = stack.use(await openDatabase());
  const { runtime, close } = await openRuntime(readConfig(variables));
  stack.defer(close);
  const markets = marketsOf({ opportunities });
  await addOpportunities(runtime.db, markets, opportunities, POSITIONS);
  return openSide(sender, {
    name,
    script: 'valued-process.ts',
    tokens: Math.min(opportunities * POSITIONS, markets.length * 2),
    root,
    more: { variables, opportunities } satisfies ValuedTask,
    also: async () => {
      const before = await databaseMs(runtime.db);
      return async () =>
        [...(await databaseMs(runtime.db))].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0) * 1000;
    },
  });
}

/** So far of each process of the PostgreSQL server that works for this database, or for all. */
async function databaseMs(db: Db): Promise<Map<number, number>> {
  const { rows } = (await db.execute(sql`
    select pid from pg_stat_activity where datname is null or datname = current_database()`)) as unknown as {
    rows: { pid: number }[];
  };
  return new Map(rows.map(({ pid }) => [pid, cpuMsOf(pid)]));
}
