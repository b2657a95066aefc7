// What does it cost that books are recorded? A recorded game on many markets at once, over sockets, 1,500 frames a second: rounds
// with and without the recorder by turns. Budget: 10 % more processor time of the thread that decides, and 99 of 100 frames
// decided within 1.05 of the time that it takes without.
//
//     node_modules/.bin/node --expose-gc bench/recordings/recording-cost.ts [rounds]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRecorder } from '@dutchbook/server/recordings/recorder.ts';
import { type Desk, openDesk } from '../feed/desk.ts';
import { type Game, readGame } from '../feed/recorded-game.ts';
import { openSender, type Sender } from '../feed/sender.ts';
import { median, quantile, say, tell } from '../rows.ts';

const ROUNDS = Number(process.argv[2] ?? 7);
const OPPORTUNITIES = 1000;
const GAMES = 40;
const RECORDED_FRAMES = 4000;
const FRAMES_PER_SECOND = 1500;
const SECONDS = 6;
const CPU_PERCENT_MAX = 10;
const P99_RATIO_MAX = 1.05;
const LIMITS = { maxBytes: 1_000_000_000, days: 1 };

/** Microseconds: processor time of a frame on this thread, and of all threads but the sender's; how long 99 of 100 took. */
type Round = { cpuUs: number; p99Us: number };

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else await measure(game);

async function measure(played: Game): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  await using desk = await openDesk({ opportunities: OPPORTUNITIES, openStream: sender.openStream });
  const { tokens } = desk.quotes.health();
  await sender.whenSubscribed(tokens);
  await playRound(sender);
  const without: Round[] = [];
  const recorded: Round[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await playRound(sender));
    await recording(desk, async (written) => {
      recorded.push(await playRound(sender));
      bytes.push(written());
    });
  }
  await sender.close();
  const name = `${tokens.toLocaleString('en')} tokens, ${FRAMES_PER_SECOND.toLocaleString('en')} frames/s`;
  const [cpu, cpuRecorded] = [without, recorded].map((rounds) => median(rounds.map(({ cpuUs }) => cpuUs)));
  const [p99, p99Recorded] = [without, recorded].map((rounds) => median(rounds.map(({ p99Us }) => p99Us)));
  const figures = { cpu: cpu ?? 0, cpuRecorded: cpuRecorded ?? 0, p99: p99 ?? 0, p99Recorded: p99Recorded ?? 0 };
  row(`${name}: processor time of a frame`, figures.cpu, 'us');
  row(`${name}: the same while it is recorded`, figures.cpuRecorded, 'us');
  row(`${name}: more of it by`, 100 * (figures.cpuRecorded / figures.cpu - 1), '%', CPU_PERCENT_MAX);
  row(`${name}: frame sent to decided, p99`, figures.p99, 'us');
  row(`${name}: the same while it is recorded, times`, figures.p99Recorded / figures.p99, '', P99_RATIO_MAX);
  row(`${name}: written`, median(bytes) / SECONDS / 1000, 'kB/s');
}

function row(question: string, figure: number, unit: string, atMost?: number): void {
  tell({ question, figure, unit, budget: atMost === undefined ? null : { atMost }, floor: null });
}

async function playRound(sender: Sender): Promise<Round> {
  global.gc?.();
  const before = process.threadCpuUsage();
  const sent = await sender.play({ framesPerSecond: FRAMES_PER_SECOND, seconds: SECONDS });
  const { user, system } = process.threadCpuUsage(before);
  return { cpuUs: (user + system) / sent.frames, p99Us: quantile(sent.tookUs, 0.99) };
}

/** Begins to measure once every book was told whole, which is done a few at a time. */
async function recording({ runtime, quotes }: Desk, work: (written: () => number) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
  const recorder = startRecorder(runtime, { folder, venue: 'bench', tokens: quotes.tokens, limits: LIMITS });
  try {
    while (recorder.state().tokens < quotes.health().tokens) await new Promise((resolve) => setTimeout(resolve, 100));
    const { bytes } = recorder.state();
    await work(() => recorder.state().bytes - bytes);
  } finally {
    await recorder.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
