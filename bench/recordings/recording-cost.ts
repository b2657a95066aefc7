// What does it cost that books are recorded, and how soon is a frame decided meanwhile? A recorded game on many markets at once,
// over sockets, 1,500 frames a second: rounds with and without the recorder by turns. Budget: 1.1 times the processor time of
// the thread that decides, 99 of 100 frames decided within 1.05 of the time that it takes without, and within 50 ms.
//
//     node_modules/.bin/node --expose-gc bench/recordings/recording-cost.ts [rounds]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRecorder } from '@dutchbook/server/recordings/recorder.ts';
import { openWriterThread } from '@dutchbook/server/recordings/writer-thread.ts';
import { type Desk, openDesk } from '../feed/desk.ts';
import { type Game, readGame } from '../feed/recorded-game.ts';
import { openSender, type Sender } from '../feed/sender.ts';
import { median, quantile, say, tell } from '../rows.ts';

const ROUNDS = Number(process.argv[2] ?? 7);
const OPPORTUNITIES = 1000;
const GAMES = 40;
const RECORDED_FRAMES = 4000;
const FRAMES_PER_SECOND = 1500;
const SECONDS = 4;
const CPU_TIMES_MAX = 1.1;
const P99_TIMES_MAX = 1.05;
const DECIDED_P99_MS_MAX = 50;
const LIMITS = { maxBytes: 1_000_000_000, days: 1 };

/** Microseconds: processor time of a frame on this thread, and on all threads but the sender's; how long 99 of 100 took. */
type Round = { cpuUs: number; allUs: number; p99Us: number };

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else await measure(game);

async function measure(played: Game): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  await using desk = await openDesk({ opportunities: OPPORTUNITIES, openStream: sender.openStream });
  const { tokens } = desk.quotes.health();
  await sender.whenSubscribed(tokens);
  const without: Round[] = [];
  const recorded: Round[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await playWarm(sender));
    await recording(desk, async (written) => {
      recorded.push(await playWarm(sender));
      bytes.push(written() / 2);
    });
  }
  const echoUs = (await sender.echoUs()) / 2;
  await sender.close();
  const load = `${FRAMES_PER_SECOND.toLocaleString('en')} frames/s on ${tokens.toLocaleString('en')} tokens`;
  /** Beside the same without the recorder. */
  const row = (question: string, unit: 'ms' | 'us', of: (round: Round) => number) => {
    const [figure = Number.NaN, floor = Number.NaN] = [recorded, without].map((rounds) => median(rounds.map(of)));
    return { question: `${load}, ${question}`, figure, unit, floor: { figure: floor, of: 'not recorded' } };
  };
  const decided = row('recorded: frame sent to decided, p99', 'ms', ({ p99Us }) => p99Us / 1000);
  const echo = { figure: echoUs / 1000, of: 'half an echo over the socket' };
  tell({ ...decided, budget: { atMost: DECIDED_P99_MS_MAX }, floor: echo, felt: true });
  tell({ ...decided, question: `${decided.question}, beside not recorded`, budget: { floorTimes: P99_TIMES_MAX } });
  const ofThread = row('recorded: processor time of a frame, thread that decides', 'us', ({ cpuUs }) => cpuUs);
  tell({ ...ofThread, budget: { floorTimes: CPU_TIMES_MAX } });
  tell(row('recorded: processor time of a frame, all threads', 'us', ({ allUs }) => allUs));
  tell({ question: `${load}: written`, figure: median(bytes) / SECONDS / 1000, unit: 'kB/s' });
}

/** A product records from its start to its end: what a thread that has just begun takes to compile its code is no part of it. */
async function playWarm(sender: Sender): Promise<Round> {
  await playRound(sender);
  return await playRound(sender);
}

async function playRound(sender: Sender): Promise<Round> {
  global.gc?.();
  const [before, allBefore, sendersBefore] = [process.threadCpuUsage(), process.cpuUsage(), await sender.cpuUs()];
  const { frames, tookUs } = await sender.play({ framesPerSecond: FRAMES_PER_SECOND, seconds: SECONDS });
  const [own, all] = [process.threadCpuUsage(before), process.cpuUsage(allBefore)];
  const senders = (await sender.cpuUs()) - sendersBefore;
  const inUs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / frames;
  return { cpuUs: inUs(own), allUs: inUs(all) - senders / frames, p99Us: quantile(tookUs, 0.99) };
}

/** Begins to measure once every book was told whole, which is done a few at a time. */
async function recording({ runtime, quotes }: Desk, work: (written: () => number) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
  const plan = { folder, venue: 'bench', tokens: quotes.tokens, limits: LIMITS };
  const recorder = startRecorder(runtime, plan, openWriterThread);
  try {
    while (recorder.state().tokens < quotes.health().tokens) await new Promise((resolve) => setTimeout(resolve, 100));
    const { bytes } = recorder.state();
    await work(() => recorder.state().bytes - bytes);
  } finally {
    await recorder.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
