// What a change of one price level costs, from the text of the frame to the decision about every opportunity it touches:
// a recorded game on many markets at once, through the real reader, books, pricing and trigger. Budget with 10,000
// opportunities of 4 positions: 2 us of processor time a level change, 4 us with the socket, p99 below 1 ms a frame.
//
//     node_modules/.bin/node --expose-gc bench/frame-to-decision.ts [opportunities ...]
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { IgnoredFrames } from '@dutchbook/venues/polymarket/ignored-frames.ts';
import { ComparisonTurns } from '@dutchbook/venues/polymarket/market-stream/comparison.ts';
import { readMarketFrames } from '@dutchbook/venues/polymarket/market-stream/market-frames.ts';
import { MarketShard } from '@dutchbook/venues/polymarket/market-stream/market-shard.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { WebSocketServer } from 'ws';
import { type Desk, type DeskPlan, marketTokens, openDesk } from './feed/desk.ts';
import { type Game, readGame, wireText } from './feed/recorded-game.ts';
import { openSender, venueRuntime } from './feed/sender.ts';
import { quantile, say, tell } from './rows.ts';

const OPPORTUNITIES = process.argv.slice(2).map(Number);
/** How many games are played at once; the other markets stand still. */
const GAMES = 40;
const RECORDED_FRAMES = 2000;
const WARM_UP = 0.25;
const MEASURED_OPPORTUNITIES = 10_000;
const CPU_US_MAX = 2;
const CPU_US_MAX_WITH_SOCKET = 4;
const P99_US_MAX = 1000;
const AT_ONCE = 500;
const NEVER_MS = 3_600_000;
/** Nobody answers on the silent socket. */
const UNDISTURBED = { pingEveryMs: NEVER_MS, silenceMs: NEVER_MS, snapshotWaitMs: NEVER_MS, compareEveryMs: NEVER_MS };
const SOCKET_FRAMES_PER_SECOND = 10_000;

const game = await readGame(RECORDED_FRAMES);
if (game === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else
  for (const count of OPPORTUNITIES.length > 0 ? OPPORTUNITIES : [100, MEASURED_OPPORTUNITIES, 100_000]) {
    await measureReading(game, count);
    if (count !== MEASURED_OPPORTUNITIES) continue;
    await measureSocket(game, count);
  }

async function measureReading(played: Game, count: number): Promise<void> {
  const opened = await openSilentShard();
  await using desk = await openDesk({ opportunities: count, openStream: opened.openStream });
  const shard = opened.shard();
  openBooks(shard, desk, played);
  await turn();
  const texts = makeTexts(played, desk);
  const warm = Math.floor(texts.length * WARM_UP);
  await play(shard, texts.slice(0, warm));
  const floorUs = parsingFloorUs(texts.slice(warm));
  const { cpuUs, bytes, p50, p99, p999 } = await play(shard, texts.slice(warm));
  const name = `level change, ${count.toLocaleString('en')} opportunities`;
  const isBudgeted = count === MEASURED_OPPORTUNITIES;
  const budget = isBudgeted ? { atMost: CPU_US_MAX } : null;
  const floor = { figure: floorUs, of: 'JSON.parse' };
  tell({ question: `${name}: processor time`, figure: cpuUs, unit: 'us', budget, floor });
  tell({ question: `${name}: allocated`, figure: bytes, unit: 'bytes', budget: null, floor: null });
  tell({ question: `${name}: frame p50`, figure: p50, unit: 'us', budget: null, floor: null });
  tell({ question: `${name}: frame p99`, figure: p99, unit: 'us', budget: { atMost: P99_US_MAX }, floor: null });
  tell({ question: `${name}: frame p99.9`, figure: p999, unit: 'us', budget: null, floor: null });
  opened.close();
  say(`  stale tokens at the end: ${desk.stream.health().staleTokens}`);
}

/** The same over as many connections as the product opens, from a sender on a thread of its own. */
async function measureSocket(played: Game, count: number): Promise<void> {
  const sender = await openSender({ game: played, games: GAMES });
  const plan = { framesPerSecond: SOCKET_FRAMES_PER_SECOND, seconds: 2 };
  const parsing = await sender.parsingCpuUs(marketTokens(count * 2), plan);
  await using desk = await openDesk({ opportunities: count, openStream: sender.openStream });
  await sender.whenSubscribed(desk.quotes.health().tokens);
  await sender.play(plan);
  const before = process.threadCpuUsage();
  const sent = await sender.play({ ...plan, seconds: 5 });
  const { user, system } = process.threadCpuUsage(before);
  const name = `level change with the socket, ${count.toLocaleString('en')} opportunities`;
  const budget = { atMost: CPU_US_MAX_WITH_SOCKET };
  tell({
    question: `${name}: processor time`,
    figure: (user + system) / sent.changes,
    unit: 'us',
    budget,
    floor: { figure: parsing, of: 'ws and JSON.parse of the same frames' },
  });
  const [p50, p99] = [quantile(sent.tookUs, 0.5), quantile(sent.tookUs, 0.99)];
  const floor = { figure: (await sender.echoUs()) / 2, of: 'half an echo over the socket' };
  tell({ question: `${name}: sent to decided, p50`, figure: p50, unit: 'us', budget: null, floor });
  tell({ question: `${name}: sent to decided, p99`, figure: p99, unit: 'us', budget: null, floor: null });
  await sender.close();
}

type SilentShard = { openStream: DeskPlan['openStream']; shard: () => MarketShard; close: () => void };

/** A stream that is one real shard on a silent socket: frames are handed to it as text. */
async function openSilentShard(): Promise<SilentShard> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const asked = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
  const opened: { shard?: MarketShard } = {};
  return {
    openStream: (events, runtime) => {
      const shard = new MarketShard({
        ignored: new IgnoredFrames('market', runtime),
        url: `ws://127.0.0.1:${port}`,
        config: { ...POLYMARKET_DEFAULTS.stream, ...UNDISTURBED },
        runtime: venueRuntime(runtime),
        prices: { fetchBooks: asked, fetchQuotes: asked },
        ticks: createTicks(),
        turns: new ComparisonTurns(1),
        events,
      });
      opened.shard = shard;
      return {
        subscribe: (tokenIds) => shard.add(tokenIds),
        unsubscribe: (tokenIds) => shard.remove(tokenIds),
        book: (tokenId) => {
          const feed = shard.feed(tokenId);
          return feed?.wasSeen ? feed.streamed : undefined;
        },
        isConnected: () => shard.isConnected,
        health: () => ({
          sockets: 1,
          connected: shard.isConnected ? 1 : 0,
          sound: shard.isSound ? 1 : 0,
          readsFail: false,
          tokens: shard.size,
          staleTokens: shard.staleTokens,
        }),
        close: () => shard.close(),
      };
    },
    shard: () => {
      if (opened.shard === undefined) throw new Error('the stream is not open');
      return opened.shard;
    },
    close: () => server.close(),
  };
}

/** Empty books for the games to fill, and one level on each side of all others. */
function openBooks(shard: MarketShard, { markets }: Desk, { books }: Game): void {
  const levelOf = (price: string) => ({ price: priceFromText(price), size: sharesFromText('1000') });
  shard.frame(instantFromMs(1));
  for (const [index, { outcomes }] of markets.entries()) {
    const isPlayed = index < GAMES * books.length;
    for (const { tokenId } of outcomes) {
      if (isPlayed) shard.book(tokenId, [], [], null);
      else shard.book(tokenId, [levelOf('0.49')], [levelOf('0.51')], null);
    }
  }
}

/** Every frame of every game, one game after the other for each recorded moment, each at a time of its own. */
function makeTexts({ frames, books }: Game, { markets }: Desk): string[] {
  return frames.flatMap(({ market: place, rows }, index) =>
    Array.from({ length: GAMES }, (_, nth) => {
      const market = markets[nth * books.length + place];
      const tokenIds = market?.outcomes.map(({ tokenId }) => tokenId) ?? [];
      // Flattened, as a text from a socket is.
      return Buffer.from(wireText(rows, market?.id ?? '', tokenIds, 1_000_000 + index * GAMES + nth)).toString();
    }),
  );
}

type Figures = { cpuUs: number; bytes: number; p50: number; p99: number; p999: number };

/** Hands the texts over, some at once and then a turn for everything else, which is not counted. */
async function play(shard: MarketShard, texts: readonly string[]): Promise<Figures> {
  const tookNs = new Float64Array(texts.length);
  const allocated: number[] = [];
  let cpuUs = 0;
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const part = texts.slice(from, from + AT_ONCE);
    const heapBefore = process.memoryUsage().heapUsed;
    const before = process.threadCpuUsage();
    for (const [index, text] of part.entries()) {
      const startedAt = process.hrtime.bigint();
      readMarketFrames(text, shard);
      tookNs[from + index] = Number(process.hrtime.bigint() - startedAt);
    }
    const { user, system } = process.threadCpuUsage(before);
    cpuUs += user + system;
    allocated.push((process.memoryUsage().heapUsed - heapBefore) / (part.length * 2));
    await turn();
  }
  const at = (share: number) => quantile(tookNs, share) / 1000;
  // A part in which memory was collected shows less than it allocated: the median is of one in which it was not.
  return {
    cpuUs: cpuUs / (texts.length * 2),
    bytes: quantile(allocated, 0.5),
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
  };
}

/** Processor time a level change, in us, of parsing the texts as JSON and doing nothing with them. */
function parsingFloorUs(texts: readonly string[]): number {
  const before = process.threadCpuUsage();
  let parsed = 0;
  for (const text of texts) parsed += (JSON.parse(text) as { price_changes: unknown[] }).price_changes.length;
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / parsed;
}
