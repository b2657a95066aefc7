/** A recorded game played on many markets at once, its texts handed straight to the reader of a shard on a silent socket. */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { IgnoredFrames } from '@dutchbook/venues/polymarket/ignored-frames.ts';
import { ComparisonTurns } from '@dutchbook/venues/polymarket/market-stream/comparison.ts';
import { FrameGroups } from '@dutchbook/venues/polymarket/market-stream/frame-groups.ts';
import { readMarketFrames } from '@dutchbook/venues/polymarket/market-stream/market-frames.ts';
import { MarketShard } from '@dutchbook/venues/polymarket/market-stream/market-shard.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { WebSocketServer } from 'ws';
import { quantile } from '../rows.ts';
import { type Desk, type DeskPlan, openDesk } from './desk.ts';
import { type Game, wireText } from './recorded-game.ts';
import { venueRuntime } from './sender.ts';

/** How many games are played at once; the other markets stand still. */
const GAMES = 40;
const WARM_UP = 0.25;
const AT_ONCE = 500;
const NEVER_MS = 3_600_000;
/** Nobody answers on the silent socket. */
const UNDISTURBED = { pingEveryMs: NEVER_MS, silenceMs: NEVER_MS, snapshotWaitMs: NEVER_MS, compareEveryMs: NEVER_MS };

/** Of one change of a level: processor time in us, that of parsing it alone, bytes allocated; of a frame, quantiles in us. */
export type Reading = {
  cpuUs: number;
  parsingUs: number;
  bytes: number;
  p50: number;
  p99: number;
  p999: number;
  staleTokens: number;
};

/** From the text of a frame to the decision about each of so many opportunities. */
export async function measureReading(played: Game, opportunities: number): Promise<Reading> {
  const opened = await openSilentShard();
  await using desk = await openDesk({ opportunities, openStream: opened.openStream });
  const shard = opened.shard();
  openBooks(shard, desk, played);
  await turn();
  const texts = makeTexts(played, desk);
  const warm = Math.floor(texts.length * WARM_UP);
  await play(shard, texts.slice(0, warm));
  const parsingUs = parsingFloorUs(texts.slice(warm));
  const figures = await play(shard, texts.slice(warm));
  opened.close();
  return { ...figures, parsingUs, staleTokens: desk.stream.health().staleTokens };
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
        ticks: createTicks(runtime.clock.now),
        turns: new ComparisonTurns(1),
        groups: new FrameGroups(events, NEVER_MS, () => {}),
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

type Figures = Omit<Reading, 'parsingUs' | 'staleTokens'>;

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
