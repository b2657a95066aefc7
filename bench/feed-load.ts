// Does the live loop hold with 20,000 subscribed tokens on a hundred connections, which 10,000 opportunities follow? First
// with 15,000 level changes a second, for as long as is asked, then with 5,000 frames a second, then with 20,000 of them
// for four seconds, or ten. Budget: no change missed (the books in the end are the sender's), memory flat, the event loop never late
// by more than 20 ms (p99), 99 of 100 frames decided within 50 ms, and of 5,000 frames a second 35 % of a core of the thread
// that decides.
//
//     node_modules/.bin/node --expose-gc bench/feed-load.ts [seconds]
import { createHistogram, type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { MarketStream } from '@dutchbook/venues/venue.ts';
import { marketTokens, openDesk } from './feed/desk.ts';
import { type Game, readGame } from './feed/recorded-game.ts';
import { openSender, type Sender } from './feed/sender.ts';
import { type Row, say, tell } from './rows.ts';
import { percentIn10Minutes, type Sample } from './slope.ts';

const SECONDS = Number(process.argv[2] ?? 4);
const OPPORTUNITIES = 10_000;
const GAMES = 400;
const RECORDED_FRAMES = 6000;
const LONG_CHANGES_PER_SECOND = 15_000;
const WARM_UP = { changesPerSecond: LONG_CHANGES_PER_SECOND, seconds: 2 };
const DELAY_P99_MS_MAX = 20;
/** What the monitor of the event loop counts as well where nothing is late: the time between two of its samples. */
const DELAY_RESOLUTION_MS = 5;
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
  pace: { framesPerSecond: number } | { changesPerSecond: number };
  seconds: number;
  decidedMsMax: number | null;
  coreShareMax: number | null;
};

const LONG: Stage = {
  name: `${LONG_CHANGES_PER_SECOND.toLocaleString('en')} changes/s`,
  pace: { changesPerSecond: LONG_CHANGES_PER_SECOND },
  seconds: SECONDS,
  decidedMsMax: DECIDED_P99_MS_MAX,
  coreShareMax: null,
};
const SHORT: readonly Stage[] = [
  {
    name: '5,000 frames/s',
    pace: { framesPerSecond: 5000 },
    seconds: 4,
    decidedMsMax: DECIDED_P99_MS_MAX,
    coreShareMax: 35,
  },
  {
    name: 'burst of 20,000 frames/s',
    pace: { framesPerSecond: 20_000 },
    seconds: SECONDS < GROWTH_SECONDS_MIN ? 5 : 10,
    decidedMsMax: null,
    coreShareMax: null,
  },
];

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else await measure(game);

async function measure(played: Game): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  const floors = await measureFloors(sender);
  await using desk = await openDesk({ opportunities: OPPORTUNITIES, openStream: sender.openStream });
  const { tokens } = desk.quotes.health();
  await sender.whenSubscribed(tokens);
  await sender.play(WARM_UP);
  const named = ({ name }: Stage) => `${tokens.toLocaleString('en')} tokens, ${name}`;
  const held = await playStage(sender, desk.stream, LONG, named(LONG), floors);
  if (SECONDS >= GROWTH_SECONDS_MIN) {
    const inMb = (samples: readonly Sample[]) => samples.map(({ value }) => value.toFixed(0)).join(' ');
    say(`  heap in MB ${inMb(held.heapMb)}; RSS ${inMb(held.rssMb)}`);
    // Until the first part is over the loop's own code is still compiled, and the first prices are written.
    const grows = (samples: readonly Sample[]) => percentIn10Minutes(samples.slice(1));
    const question = `${named(LONG)}: heap in use grows in 10 minutes by`;
    tellRow(question, grows(held.heapMb), '%', GROWTH_PERCENT_PER_10_MIN_MAX);
    // Of the sender, too, which is a thread of the same process.
    tellRow(`${named(LONG)}: RSS grows in 10 minutes by`, grows(held.rssMb), '%', null);
  }
  for (const stage of SHORT) await playStage(sender, desk.stream, stage, named(stage), floors);
  await sender.close();
}

type Floors = { lateMs: number; echoMs: number; parsingUs: number };

/**
 * What the machine does with no desk at work: how late its event loop is, how long half an echo over the socket takes, and
 * the processor time of a level change where frames are received and parsed and no more.
 */
async function measureFloors(sender: Sender): Promise<Floors> {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  await pause(IDLE_MS);
  delay.disable();
  const parsingUs = await sender.parsingCpuUs(marketTokens(OPPORTUNITIES * 2), WARM_UP);
  return { lateMs: lateMs(delay), echoMs: (await sender.echoUs()) / 2000, parsingUs };
}

/** Tells what the stage came to; answers heap and RSS before and after each of its parts, in MB. */
async function playStage(sender: Sender, stream: MarketStream, stage: Stage, name: string, floors: Floors) {
  // Never disabled in between: enabled again, it would count the collection of the heap as a delay.
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  const used = { cpuUs: 0, ms: 0 };
  const held: Held = { heapMb: [], rssMb: [] };
  lookAtMemory(held);
  // Counted and not kept: of ten minutes they would be most of what the heap grows by.
  const tookUs = createHistogram();
  let changes = 0;
  delay.enable();
  for (let part = 0; part < PARTS; part += 1) {
    const before = process.threadCpuUsage();
    const begunMs = performance.now();
    const sent = await sender.play({ ...stage.pace, seconds: stage.seconds / PARTS });
    const { user, system } = process.threadCpuUsage(before);
    used.cpuUs += user + system;
    used.ms += performance.now() - begunMs;
    changes += sent.changes;
    for (const one of sent.tookUs) tookUs.record(Math.max(1, Math.round(one)));
    if (sent.lateMs > LATE_MS) say(`  the sender itself fell ${sent.lateMs.toFixed(0)} ms behind`);
    if (stage.seconds >= GROWTH_SECONDS_MIN) lookAtMemory(held);
  }
  delay.disable();
  tellRow(`${name}: books that differ in the end`, differing(await sender.books(), stream), '', 0);
  const idle = { figure: floors.lateMs, of: 'with nothing to do' };
  tellRow(`${name}: event loop late by, p99`, lateMs(delay), 'ms', DELAY_P99_MS_MAX, idle);
  const echo = { figure: floors.echoMs, of: 'half an echo over the socket' };
  tellRow(`${name}: frame sent to decided, p99`, tookUs.percentile(99) / 1000, 'ms', stage.decidedMsMax, echo);
  const parsing = {
    figure: (floors.parsingUs * changes) / (used.ms * 10),
    of: 'ws and JSON.parse of as many changes',
  };
  tellRow(
    `${name}: share of a core of the thread that decides`,
    used.cpuUs / (used.ms * 10),
    '%',
    stage.coreShareMax,
    parsing,
  );
  return held;
}

function lateMs(delay: IntervalHistogram): number {
  return Math.max(0, delay.percentile(99) / 1e6 - DELAY_RESOLUTION_MS);
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

type Held = { heapMb: Sample[]; rssMb: Sample[] };

/** After a full collection, so that it is what is held and not what was thrown away. */
function lookAtMemory({ heapMb, rssMb }: Held): void {
  globalThis.gc?.();
  const atMs = performance.now();
  const { heapUsed, rss } = process.memoryUsage();
  heapMb.push({ atMs, value: heapUsed / 1e6 });
  rssMb.push({ atMs, value: rss / 1e6 });
}

function differing(expected: ReadonlyMap<string, Book>, stream: MarketStream): number {
  let count = 0;
  for (const [tokenId, book] of expected) {
    const held = stream.book(tokenId);
    if (held === undefined || JSON.stringify(held.book) !== JSON.stringify(book)) count += 1;
  }
  return count;
}
