// What does a changed level cost where opportunities are valued by it: processor time of the server's process, all its threads,
// and of its PostgreSQL, beside that of a process that has the adapter and its books alone. Both at once, on the same frames: by
// rounds, what the server writes ten seconds late would be written late. Budget: twice adapter and books.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/paces/valued.ts

import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import { readConfig } from '@dutchbook/server/platform/config/config.ts';
import type { Db } from '@dutchbook/server/platform/runtime/runtime.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../databases.ts';
import { addOpportunities, marketsOf } from '../feed/markets.ts';
import { readGame } from '../feed/recorded-game.ts';
import { cpuMsOf } from '../processes.ts';
import { say, tell } from '../rows.ts';
import { openSender, type Sender } from './sender.ts';
import { atOnce, openSide, type Side } from './sides.ts';
import type { ValuedTask } from './valued-process.ts';

const BOOKS_TIMES_MAX = 2;
const OPPORTUNITIES = 10_000;
const POSITIONS = 4;
const TOKENS_PER_GAME = 12;
/** Each token is in two opportunities on average. */
const GAMES = Math.round((OPPORTUNITIES * POSITIONS) / 2 / TOKENS_PER_GAME);
const RECORDED_FRAMES = 6000;
const FILLING = { changesPerSecond: 10_000, seconds: 15 };
/** Before it is measured: as long as a price waits to be written. */
const WARM_UP_LOAD = { changesPerSecond: 5000, seconds: 10 };
const MEASURED = { changesPerSecond: 5000, seconds: 10 };
const ROUNDS = 2;

if ((await readGame(1)) === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else await measure();

async function measure(): Promise<void> {
  const tokens = GAMES * TOKENS_PER_GAME;
  const sender = await openSender({ games: GAMES, recordedFrames: RECORDED_FRAMES });
  const books = await openSide(sender, { name: 'books', script: 'books-process.ts', tokens });
  await using stack = new AsyncDisposableStack();
  const sides = [books, await openValued(sender, stack)];
  await atOnce(sides, FILLING, 1);
  await atOnce(sides, WARM_UP_LOAD, 1);
  const [booksUs = Number.NaN, valuedUs = Number.NaN] = await atOnce(sides, MEASURED, ROUNDS);
  const [of, changes, count] = [tokens, MEASURED.changesPerSecond, OPPORTUNITIES].map((one) =>
    one.toLocaleString('en'),
  );
  tell({
    question: `a changed level, ${of} tokens, ${changes} changes/s, ${count} opportunities: server and database`,
    figure: valuedUs,
    unit: 'us',
    budget: { floorTimes: BOOKS_TIMES_MAX },
    floor: { figure: booksUs, of: 'adapter and books' },
  });
  for (const side of sides) await side.close();
  sender.close();
}

/** A server over a database of its own; what that and its process take is counted together. */
async function openValued(sender: Sender, stack: AsyncDisposableStack): Promise<Side> {
  const { variables } = stack.use(await openDatabase());
  const { runtime, close } = await openRuntime(readConfig(variables));
  stack.defer(close);
  const markets = marketsOf({ opportunities: OPPORTUNITIES, positions: POSITIONS });
  await addOpportunities(runtime.db, markets, OPPORTUNITIES, POSITIONS);
  return openSide(sender, {
    name: 'valued',
    script: 'valued-process.ts',
    tokens: Math.min(OPPORTUNITIES * POSITIONS, markets.length * 2),
    more: { variables, opportunities: OPPORTUNITIES, positions: POSITIONS } satisfies ValuedTask,
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
