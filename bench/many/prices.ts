/** Prices of many tokens, followed by one, two and three engines that divide the opportunities among themselves. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readConfig } from '@dutchbook/server/config/config.ts';
import { openRuntime } from '@dutchbook/server/open-runtime.ts';
import type { Db } from '@dutchbook/server/runtime.ts';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../databases.ts';
import { addOpportunities, marketsOf } from '../feed/desk.ts';
import { type Game, readGame } from '../feed/recorded-game.ts';
import type { PlayPlan, SenderData, Sent, Wish } from '../feed/sender.ts';
import { databaseCpu } from '../processes.ts';
import { type Row, say, tell } from '../rows.ts';
import type { EngineReport, EngineTask } from './engine-process.ts';

const OPPORTUNITIES = 8000;
const POSITIONS = 4;
const MARKETS = marketsOf({ opportunities: OPPORTUNITIES, positions: POSITIONS });
const GAMES = 400;
const RECORDED_FRAMES = 3000;
const ENGINES_MAX = 3;
const WARM_UP = { framesPerSecond: 6000, seconds: 3 };
/** The same whatever their number, so that as many prices are written in the same time. */
const CHANGES_PER_SECOND = 2500;
const SECONDS = 3;
/** Finds out in how many frames a change is told, which rises with the engines that follow its token. */
const PROBE = { framesPerSecond: 2000, seconds: 0.5 };
const POLL_MS = 100;
const QUIET_POLLS = 10;
/** PostgreSQL's sessions hand in what they count once a second. */
const COUNTED_WITHIN_MS = 1100;
const BUSIEST_RATIO_MAX = 0.7;
const PARTITIONS = 64;

type Cost = { allUs: number; busiestUs: number };

export async function measurePrices(): Promise<void> {
  const game = await readGame(RECORDED_FRAMES);
  if (game === null) return say('The recording is not there: MARKET_DATA_DIR names where.');
  await using database = await openDatabase();
  const { runtime, close } = await openRuntime(readConfig(database.variables));
  await addOpportunities(runtime.db, MARKETS, OPPORTUNITIES, POSITIONS);
  const countDatabase = await databaseCpu(runtime.db);
  const venue = await openVenue(game);
  const task = { variables: database.variables, url: venue.url, opportunities: OPPORTUNITIES };
  const engines = Array.from({ length: ENGINES_MAX }, () => startEngine(task));
  const costs: Cost[] = [];
  // What has just begun is slow: none of them is measured before all have run for a while.
  await whenEven(engines, venue);
  await playThrough(venue, engines, WARM_UP);
  while (engines.length > 0) {
    await whenEven(engines, venue);
    costs.push(await costOf(venue, engines, { countDatabase, db: runtime.db }));
    const last = engines.pop();
    last?.send('stop');
    if (last !== undefined) await once(last, 'exit');
  }
  const [most, one] = [costs[0]?.busiestUs ?? Number.NaN, costs.at(-1)?.busiestUs ?? Number.NaN];
  tellRow(`${ENGINES_MAX} engines: CPU for a change of the busiest, against one alone`, most / one, 'times', {
    atMost: BUSIEST_RATIO_MAX,
  });
  await venue.close();
  await close();
}

type PlayedVenue = {
  url: string;
  ask: <Answer>(wish: Wish) => Promise<Answer>;
  /** All frames that were sent so far. */
  framesSent: () => number;
  play: (plan: PlayPlan) => Promise<Sent>;
  close: () => Promise<unknown>;
};

async function openVenue(game: Game): Promise<PlayedVenue> {
  const sentAtNs = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
  const workerData: SenderData = { game, games: GAMES, sentAtNs };
  const worker = new Worker(new URL('../feed/sender-thread.ts', import.meta.url), { workerData });
  const answer = async () => (await once(worker, 'message'))[0];
  const url = `ws://127.0.0.1:${await answer()}`;
  let sent: Sent = { frames: 0, changes: 0, lateMs: 0 };
  const ask = <Answer>(wish: Wish): Promise<Answer> => {
    worker.postMessage(wish);
    return answer();
  };
  return {
    url,
    ask,
    framesSent: () => sent.frames,
    play: async (plan) => {
      const before = sent;
      sent = await ask<Sent>({ kind: 'play', plan });
      return { ...sent, frames: sent.frames - before.frames, changes: sent.changes - before.changes };
    },
    close: () => worker.terminate(),
  };
}

function startEngine(task: EngineTask): ChildProcess {
  return fork(join(import.meta.dirname, 'engine-process.ts'), [JSON.stringify(task)]);
}

/** Asking for its `heap` as well takes it some tenths of a second. */
async function reportOf(engine: ChildProcess, wish: 'report' | 'heap' = 'report'): Promise<EngineReport> {
  engine.send(wish);
  return (await once(engine, 'message'))[0] as EngineReport;
}

/** Resolves when the engines have about as many partitions each, and the books of all their tokens have been asked for. */
async function whenEven(engines: readonly ChildProcess[], venue: PlayedVenue): Promise<void> {
  let last = '';
  for (;;) {
    const reports = await Promise.all(engines.map((engine) => reportOf(engine)));
    const held = reports.map(({ partitions }) => partitions);
    const isEven =
      held.reduce((sum, partitions) => sum + partitions, 0) === PARTITIONS &&
      Math.max(...held) - Math.min(...held) <= 1;
    const tokens = reports.map((report) => report.tokens).join(' ');
    const isComplete = (await venue.ask<number>({ kind: 'subscribed' })) >= 2 * MARKETS.length;
    if (isEven && isComplete && tokens === last) return;
    last = tokens;
    await pause(POLL_MS);
  }
}

/** Plays, and resolves when all that was sent has been read, or nothing more comes: what a partition that moves meanwhile had coming is lost. */
async function playThrough(venue: PlayedVenue, engines: readonly ChildProcess[], plan: PlayPlan) {
  const reportAll = () => Promise.all(engines.map((engine) => reportOf(engine)));
  const readBy = (reports: readonly EngineReport[]) => reports.reduce((sum, { frames }) => sum + frames, 0);
  const before = await reportAll();
  const begunMs = performance.now();
  const sent = await venue.play(plan);
  let after = await reportAll();
  for (let quietPolls = 0; readBy(after) - readBy(before) < sent.frames && quietPolls < QUIET_POLLS; ) {
    await pause(POLL_MS);
    const next = await reportAll();
    quietPolls = readBy(next) === readBy(after) ? quietPolls + 1 : 0;
    after = next;
  }
  const missed = sent.frames - readBy(after) + readBy(before);
  if (missed > 0) say(`  ${missed} of ${sent.frames} frames were on their way to engines whose partitions moved`);
  return { sent, before, after, seconds: (performance.now() - begunMs) / 1000 };
}

async function costOf(
  venue: PlayedVenue,
  engines: readonly ChildProcess[],
  { countDatabase, db }: { countDatabase: () => () => number; db: Db },
): Promise<Cost> {
  const probe = (await playThrough(venue, engines, PROBE)).sent;
  const writtenBefore = await rowsWritten(db);
  const databaseMs = countDatabase();
  const { sent, before, after, seconds } = await playThrough(venue, engines, {
    framesPerSecond: (CHANGES_PER_SECOND * probe.frames) / probe.changes,
    seconds: SECONDS,
  });
  const databaseUs = databaseMs() * 1000;
  const written = (await rowsWritten(db)) - writtenBefore;
  const each = after.map(({ cpuUs }, nth) => (cpuUs - (before[nth]?.cpuUs ?? 0)) / sent.changes);
  const cost = { allUs: each.reduce((sum, us) => sum + us, 0), busiestUs: Math.max(...each) };
  const name = `${engines.length} engine${engines.length > 1 ? 's' : ''}`;
  tellRow(`${name}: level changes decided`, sent.changes / seconds, '/s');
  tellRow(`${name}: CPU for a change, of all of them`, cost.allUs, 'us');
  tellRow(`${name}: CPU for a change, of the busiest`, cost.busiestUs, 'us');
  tellRow(`${name}: CPU for a row written, of the database`, databaseUs / written, 'us');
  const held = await Promise.all(engines.map((engine) => reportOf(engine, 'heap')));
  const list = (figure: (report: EngineReport) => number) => held.map((report) => figure(report).toFixed(0)).join(' ');
  say(
    `  frames for a change ${(sent.frames / sent.changes).toFixed(2)}, ${(written / seconds).toFixed(0)} rows written/s`,
  );
  say(`  tokens ${list(({ tokens }) => tokens)}, held for them in MB ${list(({ heapMb }) => heapMb)}`);
  say(`  with a core each they would decide ${(1e6 / cost.busiestUs).toFixed(0)} changes/s`);
  return cost;
}

/** Prices, and points of their history, so far; the server counts them some moments late. */
async function rowsWritten(db: Db): Promise<number> {
  await pause(COUNTED_WITHIN_MS);
  const { rows } = (await db.execute(sql`
    select sum(n_tup_ins + n_tup_upd)::int as count from pg_stat_user_tables
      where relname in ('opportunity_prices', 'price_points')`)) as unknown as { rows: { count: number }[] };
  return rows[0]?.count ?? 0;
}

function tellRow(question: string, figure: number, unit: string, budget: Row['budget'] = null): void {
  tell({ question, figure, unit, budget, floor: null });
}
