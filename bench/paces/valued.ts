// What does a changed level cost where opportunities are valued by it: processor time of the server's process, all its threads,
// and of its PostgreSQL, beside that of a process that has the adapter and its books alone. Both by turns, on the same frames.
// Long enough at every pace that whatever is written later is written within it. Budget: twice adapter and books.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/paces/valued.ts [--rounds 3] [--only 1000] [--seconds 20]
//       [--beside DIR]
//
// `--only`: of the stages, that with so many opportunities; `--beside`: another checkout, whose server takes its turns as well.
import { fork } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '@dutchbook/server/config/config.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import type { Db } from '@dutchbook/server/runtime.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../databases.ts';
import { addOpportunities, marketsOf } from '../feed/desk.ts';
import { readGame } from '../feed/recorded-game.ts';
import { cpuMsOf } from '../many/cpu.ts';
import { median, say, tell } from '../rows.ts';
import { answerOf, openSender, type Pace, type Sender } from './sender.ts';
import { openSide, type Side, type SideReport } from './sides.ts';
import type { ValuedTask } from './valued-process.ts';

const BOOKS_TIMES_MAX = 2;
const POSITIONS = 4;
const TOKENS_PER_GAME = 12;
const RECORDED_FRAMES = 6000;
const POLL_MS = 50;
const QUIET_POLLS = 40;
/** Of each token: after so many its book is as deep as that of a game under way. */
const WARM_UP_CHANGES = 20;
const WARM_UP_PER_SECOND = 10_000;
/** What a start leaves for later has been done by then; meanwhile frames keep the connections open. */
const SETTLING: Pace = { changesPerSecond: 2000, seconds: 60 };
const SATURATING_CHANGES = 200_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    beside: { type: 'string' },
  },
});
const seconds = Number(options.seconds);

const PACES: readonly { name: string; pace: Pace }[] = [
  ...[1000, 5000, 8000].map((changesPerSecond) => ({
    name: `${changesPerSecond.toLocaleString('en')} changes/s`,
    pace: { changesPerSecond, seconds },
  })),
  { name: 'saturated', pace: { changes: SATURATING_CHANGES } },
];

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
  const valued = await openValued(sender, stack, { name: 'valued', opportunities, root: null });
  const { beside: root } = options;
  const beside = root === undefined ? [] : [await openValued(sender, stack, { name: 'beside', opportunities, root })];
  const sides = [books, valued, ...beside];
  const filling = { changesPerSecond: WARM_UP_PER_SECOND, seconds: (WARM_UP_CHANGES * tokens) / WARM_UP_PER_SECOND };
  for (const side of sides) await side.cpuUs(filling);
  for (const side of sides) await side.cpuUs(SETTLING);
  for (const { name, pace } of PACES) {
    const [booksUs = Number.NaN, valuedUs = Number.NaN, besideUs] = await byTurns(sides, pace);
    const count = opportunities.toLocaleString('en');
    const question = `a changed level, ${tokens.toLocaleString('en')} tokens, ${name}, ${count} opportunities`;
    const floor = { figure: booksUs, of: 'adapter and books' };
    const budget = { atMost: booksUs * BOOKS_TIMES_MAX };
    tell({ question: `${question}: server and database`, figure: valuedUs, unit: 'us', budget, floor });
    if (besideUs !== undefined)
      tell({ question: `${question}: those of ${root}`, figure: besideUs, unit: 'us', budget: null, floor });
  }
  for (const side of sides) await side.close();
  sender.close();
}

/** The median of the rounds for each side. */
async function byTurns(sides: readonly Side[], pace: Pace): Promise<number[]> {
  const used = sides.map((): number[] => []);
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const [index, side] of sides.entries()) used[index]?.push(await side.cpuUs(pace));
  }
  return used.map(median);
}

/** A server over a database of its own; what that and its process take is counted together. */
async function openValued(
  sender: Sender,
  stack: AsyncDisposableStack,
  { name, opportunities, root }: { name: string; opportunities: number; root: string | null },
): Promise<Side> {
  const { variables } = stack.use(await openDatabase());
  const { runtime, close } = await openRuntime(readConfig(variables));
  stack.defer(close);
  await addOpportunities(runtime.db, marketsOf({ opportunities }), opportunities, POSITIONS);
  const folder = root === null ? import.meta.dirname : path.join(root, 'bench/paces');
  const task: ValuedTask = { variables, url: sender.url(name), opportunities };
  const child = fork(path.join(folder, 'valued-process.ts'), [JSON.stringify(task)], { execArgv: [] });
  const report = () => {
    const answer = answerOf<SideReport>(child);
    child.send('report');
    return answer;
  };
  await sender.whenSubscribed(name, Math.min(opportunities * POSITIONS, marketsOf({ opportunities }).length * 2));
  return {
    name,
    cpuUs: async (pace) => {
      const before = await report();
      const usedBefore = await databaseCpu(runtime.db);
      const { frames, changes } = await sender.play(name, pace);
      let now = await report();
      for (let quietPolls = 0; now.frames < frames && quietPolls < QUIET_POLLS; ) {
        await pause(POLL_MS);
        const next = await report();
        quietPolls = next.frames === now.frames ? quietPolls + 1 : 0;
        now = next;
      }
      // On a machine that is late, connections are given up and opened again.
      if (now.frames < frames) say(`  ${name}: ${frames - now.frames} frames were lost, read this figure with care`);
      const ownUs = (now.cpuUs - before.cpuUs) / changes;
      const usedAfter = await databaseCpu(runtime.db);
      const databaseMs = [...usedAfter].reduce((sum, [pid, ms]) => sum + ms - (usedBefore.get(pid) ?? 0), 0);
      const databaseUs = (databaseMs * 1000) / changes;
      say(`  ${name}: server ${ownUs.toFixed(1)}, database ${databaseUs.toFixed(1)} us`);
      return ownUs + databaseUs;
    },
    close: async () => void child.kill(),
  };
}

/** So far, in ms, of each process of the PostgreSQL server that works for this database, or for all. */
async function databaseCpu(db: Db): Promise<Map<number, number>> {
  const { rows } = (await db.execute(sql`
    select pid from pg_stat_activity where datname is null or datname = current_database()`)) as unknown as {
    rows: { pid: number }[];
  };
  return new Map(rows.map(({ pid }) => [pid, cpuMsOf(pid)]));
}
