// Does the live loop hold with 20,000 subscribed tokens on a hundred connections and 15,000 level changes a second, for
// as long as is asked? 10,000 opportunities follow them. Budget: no change missed (the books in the end are the sender's),
// memory flat, the event loop never late by more than 20 ms (p99), 99 of 100 frames decided within 50 ms.
//
//     node_modules/.bin/node --expose-gc bench/feed-load.ts [seconds]
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { MarketStream } from '@dutchbook/venues/venue.ts';
import { type DatabaseKind, databaseKinds } from './databases.ts';
import { openDesk } from './feed/desk.ts';
import { type Game, readGame } from './feed/recorded-game.ts';
import { openSender } from './feed/sender.ts';
import { quantile, say, tell } from './rows.ts';

const SECONDS = Number(process.argv[2] ?? 15);
const OPPORTUNITIES = 10_000;
const GAMES = 400;
const RECORDED_FRAMES = 6000;
/** Of two changes each. */
const FRAMES_PER_SECOND = 7500;
const WARM_UP_SECONDS = 5;
const DELAY_P99_MS_MAX = 20;
const DECIDED_P99_MS_MAX = 50;
const GROWTH_PERCENT_PER_10_MIN_MAX = 1;
const CORE_SHARE_MAX = 35;
const PARTS = 10;

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else for (const kind of databaseKinds) await measure(game, kind);

async function measure(played: Game, kind: DatabaseKind): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  await using desk = await openDesk(kind, OPPORTUNITIES, sender.openStream);
  const { tokens } = desk.quotes.health();
  await sender.whenSubscribed(tokens);
  await sender.play({ framesPerSecond: FRAMES_PER_SECOND, seconds: WARM_UP_SECONDS });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const before = process.threadCpuUsage();
  const heap = [heapMb()];
  const tookUs: number[] = [];
  let changes = 0;
  for (let part = 0; part < PARTS; part += 1) {
    const sent = await sender.play({ framesPerSecond: FRAMES_PER_SECOND, seconds: SECONDS / PARTS });
    changes += sent.changes;
    for (const one of sent.tookUs) tookUs.push(one);
    if (sent.lateMs > 100) say(`  the sender itself fell ${sent.lateMs.toFixed(0)} ms behind`);
    heap.push(heapMb());
  }
  delay.disable();
  const { user, system } = process.threadCpuUsage(before);
  const name = `${tokens.toLocaleString('en')} tokens, ${((changes / SECONDS) | 0).toLocaleString('en')} changes/s, ${kind}`;
  tell({
    question: `20,000 tokens, 15,000 changes/s, ${kind}: books that differ in the end`,
    figure: differing(await sender.books(), desk.stream),
    unit: '',
    budget: { atMost: 0 },
    floor: null,
  });
  say(`  ${name}, ${SECONDS} s; heap in MB ${heap.map((mb) => mb.toFixed(0)).join(' ')}`);
  const ms = (part: string, figure: number, atMost: number) =>
    tell({
      question: `20,000 tokens, 15,000 changes/s, ${kind}: ${part}`,
      figure,
      unit: 'ms',
      budget: { atMost },
      floor: null,
    });
  ms('event loop late by, p99', delay.percentile(99) / 1e6, DELAY_P99_MS_MAX);
  ms('frame sent to decided, p99', quantile(tookUs, 0.99) / 1000, DECIDED_P99_MS_MAX);
  tell({
    question: `20,000 tokens, 15,000 changes/s, ${kind}: share of a core`,
    figure: (user + system) / (SECONDS * 10_000),
    unit: '%',
    budget: { atMost: CORE_SHARE_MAX },
    floor: null,
  });
  tell({
    question: `20,000 tokens, 15,000 changes/s, ${kind}: heap in use grows in 10 minutes by`,
    figure: growthPercent(heap) * (600 / SECONDS),
    unit: '%',
    budget: SECONDS < 300 ? null : { atMost: GROWTH_PERCENT_PER_10_MIN_MAX },
    floor: null,
  });
  await sender.close();
}

/** After a full collection, so that it is what is held and not what was thrown away. */
function heapMb(): number {
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
