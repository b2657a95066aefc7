// Does the live loop hold with 20,000 subscribed tokens on a hundred connections, which 10,000 opportunities follow? First
// with 15,000 level changes a second, for as long as is asked, then with 5,000 frames a second, then with 20,000 of them
// for ten seconds. Budget: no change missed (the books in the end are the sender's), memory flat, the event loop never late
// by more than 20 ms (p99), 99 of 100 frames decided within 50 ms, and of 5,000 frames a second 35 % of a core.
//
//     node_modules/.bin/node --expose-gc bench/feed-load.ts [seconds]
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { MarketStream } from '@dutchbook/venues/venue.ts';
import { type DatabaseKind, databaseKinds } from './databases.ts';
import { openDesk } from './feed/desk.ts';
import { type Game, readGame } from './feed/recorded-game.ts';
import { openSender, type Sender } from './feed/sender.ts';
import { quantile, type Row, say, tell } from './rows.ts';

const SECONDS = Number(process.argv[2] ?? 5);
const OPPORTUNITIES = 10_000;
const GAMES = 400;
const RECORDED_FRAMES = 6000;
const CHANGES_PER_FRAME = 2;
const WARM_UP = { framesPerSecond: 7500, seconds: 2 };
const DELAY_P99_MS_MAX = 20;
/** What the monitor of the event loop counts as well where nothing is late: the time between two of its looks. */
const DELAY_LOOK_MS = 5;
const DECIDED_P99_MS_MAX = 50;
const GROWTH_PERCENT_PER_10_MIN_MAX = 1;
/** Over a shorter time it is chance what the heap does. */
const GROWTH_SECONDS_MIN = 300;
const PARTS = 10;
const LATE_MS = 100;
const IDLE_MS = 1000;

/** `delayMsMax` and `decidedMsMax`: p99. */
type Stage = {
  name: string;
  framesPerSecond: number;
  seconds: number;
  decidedMsMax: number | null;
  coreShareMax: number | null;
};

const LONG: Stage = {
  name: `${(WARM_UP.framesPerSecond * CHANGES_PER_FRAME).toLocaleString('en')} changes/s`,
  framesPerSecond: WARM_UP.framesPerSecond,
  seconds: SECONDS,
  decidedMsMax: DECIDED_P99_MS_MAX,
  coreShareMax: null,
};
const SHORT: readonly Stage[] = [
  { name: '5,000 frames/s', framesPerSecond: 5000, seconds: 4, decidedMsMax: DECIDED_P99_MS_MAX, coreShareMax: 35 },
  { name: 'burst of 20,000 frames/s', framesPerSecond: 20_000, seconds: 10, decidedMsMax: null, coreShareMax: null },
];

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else for (const kind of databaseKinds) await measure(game, kind);

async function measure(played: Game, kind: DatabaseKind): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  await using desk = await openDesk({ kind, opportunities: OPPORTUNITIES, openStream: sender.openStream });
  const { tokens } = desk.quotes.health();
  await sender.whenSubscribed(tokens);
  await sender.play(WARM_UP);
  const named = ({ name }: Stage) => `${tokens.toLocaleString('en')} tokens, ${name}, ${kind}`;
  const floors = await measureFloors(sender);
  const heapMb = await playStage(sender, desk.stream, LONG, named(LONG), floors);
  say(`  heap in MB ${heapMb.map((mb) => mb.toFixed(0)).join(' ')}`);
  if (SECONDS >= GROWTH_SECONDS_MIN) {
    const growth = growthPercent(heapMb) * (600 / SECONDS);
    const question = `${named(LONG)}: heap in use grows in 10 minutes by`;
    tellRow(question, growth, '%', GROWTH_PERCENT_PER_10_MIN_MAX);
  }
  for (const stage of SHORT) await playStage(sender, desk.stream, stage, named(stage), floors);
  await sender.close();
}

type Floors = { lateMs: number; echoMs: number };

/** What the machine does with nobody at work: how late its event loop is, and how long half an echo over the socket takes. */
async function measureFloors(sender: Sender): Promise<Floors> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_LOOK_MS });
  delay.enable();
  await pause(IDLE_MS);
  delay.disable();
  return { lateMs: lateMs(delay), echoMs: (await sender.echoUs()) / 2000 };
}

/** Tells what the stage came to; answers the heap before and after each of its parts, in MB. */
async function playStage(sender: Sender, stream: MarketStream, stage: Stage, name: string, floors: Floors) {
  const delay = monitorEventLoopDelay({ resolution: DELAY_LOOK_MS });
  const used = { cpuUs: 0, ms: 0 };
  const heapMb = [heapHeldMb()];
  const tookUs: number[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    const before = process.threadCpuUsage();
    const begunMs = performance.now();
    delay.enable();
    const sent = await sender.play({ framesPerSecond: stage.framesPerSecond, seconds: stage.seconds / PARTS });
    delay.disable();
    const { user, system } = process.threadCpuUsage(before);
    used.cpuUs += user + system;
    used.ms += performance.now() - begunMs;
    for (const one of sent.tookUs) tookUs.push(one);
    if (sent.lateMs > LATE_MS) say(`  the sender itself fell ${sent.lateMs.toFixed(0)} ms behind`);
    heapMb.push(heapHeldMb());
  }
  tellRow(`${name}: books that differ in the end`, differing(await sender.books(), stream), '', 0);
  const idle = { figure: floors.lateMs, of: 'with nothing to do' };
  tellRow(`${name}: event loop late by, p99`, lateMs(delay), 'ms', DELAY_P99_MS_MAX, idle);
  const echo = { figure: floors.echoMs, of: 'half an echo over the socket' };
  tellRow(`${name}: frame sent to decided, p99`, quantile(tookUs, 0.99) / 1000, 'ms', stage.decidedMsMax, echo);
  tellRow(`${name}: share of a core`, used.cpuUs / (used.ms * 10), '%', stage.coreShareMax);
  return heapMb;
}

function lateMs(delay: IntervalHistogram): number {
  return Math.max(0, delay.percentile(99) / 1e6 - DELAY_LOOK_MS);
}

function tellRow(
  question: string,
  figure: number,
  unit: string,
  atMost: number | null,
  floor: Row['floor'] = null,
): void {
  tell({ question, figure, unit, budget: atMost === null ? null : { atMost }, floor });
}

/** After a full collection, so that it is what is held and not what was thrown away. */
function heapHeldMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
/** From the mean of the first half to that of the second, over half the time: as if it were a straight line. */
function growthPercent(values: readonly number[]): number {
  const middle = Math.floor(values.length / 2);
  const mean = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length;
  const [first, second] = [mean(values.slice(0, middle)), mean(values.slice(middle))];
  return ((second - first) / first) * 200;
}

function differing(expected: ReadonlyMap<string, Book>, stream: MarketStream): number {
  let count = 0;
  for (const [tokenId, book] of expected) {
    const held = stream.book(tokenId);
    if (held === undefined || JSON.stringify(held.book) !== JSON.stringify(book)) count += 1;
  }
  return count;
}
