// What a change of one price level costs, from the text of the frame to the decision about every opportunity it touches:
// a recorded game on many markets at once, through the real reader, books, pricing and trigger. Budget with 10,000
// opportunities of 4 positions: 2 us of processor time a level change, p99 below 1 ms a frame.
//
//     node_modules/.bin/node bench/frame-to-decision.ts [opportunities ...]
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import { onlyEngine } from '@dutchbook/server/engines/engines.ts';
import { readDraft } from '@dutchbook/server/opportunities/draft.ts';
import { insertDrafts } from '@dutchbook/server/opportunities/store.ts';
import { startLivePrices } from '@dutchbook/server/trading/prices/live-prices.ts';
import { startQuotes } from '@dutchbook/server/trading/quotes/quotes.ts';
import { readConfig } from '@dutchbook/server/world/config.ts';
import { openWorld } from '@dutchbook/server/world/open-world.ts';
import type { World } from '@dutchbook/server/world/world.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { POLYMARKET_DEFAULTS } from '@dutchbook/venues/polymarket/config.ts';
import { readMarketFrames } from '@dutchbook/venues/polymarket/market-frames.ts';
import { MarketShard } from '@dutchbook/venues/polymarket/market-shard.ts';
import { createTicks } from '@dutchbook/venues/polymarket/ticks.ts';
import { type MarketStreamEvents, type Venue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { WebSocketServer } from 'ws';
import { type Recording, readRecordedFrames, wireText } from './recorded-frames.ts';

const OPPORTUNITIES = process.argv.slice(2).map(Number);
const POSITIONS = 4;
/** Each token is in two opportunities on average. */
const TOKENS_PER_OPPORTUNITY = 2;
/** How many games are played at once; the other markets stand still. */
const GAMES = 40;
const RECORDED_FRAMES = 20_000;
const WARM_UP = 0.25;
const CPU_US_MAX = 2;
const P99_US_MAX = 1000;
const AT_ONCE = 500;
const NEVER_MS = 3_600_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Two tokens each; the first ones are those that are played. */
function makeMarkets(count: number): Market[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `0x${index.toString(16).padStart(64, '0')}`,
    question: `Will game ${index} be won?`,
    event: null,
    outcomes: ['Yes', 'No'].map((outcome, side) => ({ outcome, tokenId: `${10n ** 76n + BigInt(index * 2 + side)}` })),
    negRisk: false,
    endDate: null,
    closed: false,
    acceptingOrders: true,
    tick: tickFromText('0.01'),
    minOrderSize: sharesFromText('5'),
    feeRate: fractionFromText('0.03'),
  }));
}

const levelOf = (price: string) => ({ price: priceFromText(price), size: sharesFromText('1000') });

type Stage = { venue: Venue; shard: () => MarketShard; close: () => void };

/** A venue whose stream is one real shard on a silent socket: frames are handed to it as text. */
async function makeVenue(world: World, markets: readonly Market[]): Promise<Stage> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const byId = new Map(markets.map((market) => [market.id, market]));
  const asked = () => Promise.reject(new VenueUnavailable('nothing but the stream is here'));
  const stream = {
    ...POLYMARKET_DEFAULTS.stream,
    silenceMs: NEVER_MS,
    snapshotWaitMs: NEVER_MS,
    compareEveryMs: NEVER_MS,
  };
  let shard: MarketShard | null = null;
  const openMarketStream = (events: MarketStreamEvents) => {
    const opened = new MarketShard({
      url: `ws://127.0.0.1:${(server.address() as { port: number }).port}`,
      config: stream,
      world: { now: world.clock.now, random: world.dice.random, log: world.log },
      prices: { fetchBooks: asked, fetchQuotes: asked },
      ticks: createTicks(),
      events,
    });
    shard = opened;
    return {
      subscribe: (tokenIds: readonly string[]) => opened.add(tokenIds),
      unsubscribe: (tokenIds: readonly string[]) => opened.remove(tokenIds),
      book: (tokenId: string) => {
        const feed = opened.feed(tokenId);
        return feed?.wasSeen ? feed.streamed : undefined;
      },
      isConnected: () => opened.isConnected,
      health: () => ({ sockets: 1, connected: 1, tokens: opened.size, staleTokens: opened.staleTokens }),
      close: () => opened.close(),
    };
  };
  return {
    venue: {
      name: 'polymarket',
      trading: null,
      catalogue: {
        searchMarkets: asked,
        marketsById: async (ids) => new Map(ids.flatMap((id) => (byId.has(id) ? [[id, byId.get(id) as Market]] : []))),
      },
      prices: { fetchBooks: asked, fetchQuotes: asked },
      openMarketStream,
      openUserStream: () => ({ connected: () => false, close: async () => {} }),
      serverTime: async () => world.clock.now(),
      forget: () => {},
      close: async () => {},
    },
    shard: () => {
      if (shard === null) throw new Error('the stream is not open');
      return shard;
    },
    close: () => server.close(),
  };
}

/** Positions spread over all tokens, those of the games among them; a target that no price reaches. */
async function addOpportunities(world: World, markets: readonly Market[], count: number): Promise<void> {
  const drafts = Array.from({ length: count }, (_, index) => {
    const legs = Array.from({ length: POSITIONS }, (_, leg) => {
      const place = (index * POSITIONS + leg * (count + 1)) % (markets.length * 2);
      const market = markets[place >> 1];
      return { leg: leg + 1, markets: [{ id: market?.id, outcome: market?.outcomes[place & 1]?.outcome }] };
    });
    const read = readDraft({ market_combinations: legs, target_price: 0.01 });
    if (read.kind === 'refused') throw new Error(`${read.field}: ${read.reason}`);
    return read.draft;
  });
  for (let from = 0; from < count; from += 5000) await insertDrafts(world, drafts.slice(from, from + 5000));
}

/** Every frame of every game, one game after the other for each recorded moment, each at a time of its own. */
function makeTexts({ frames, markets: recorded }: Recording, markets: readonly Market[]): string[] {
  const gameOf = new Map(recorded.flatMap((tokens, market) => tokens.map((token, side) => [token, { market, side }])));
  return frames.flatMap((frame, index) =>
    Array.from({ length: GAMES }, (_, game) => {
      const place = gameOf.get(frame.rows[0].asset_id);
      const market = markets[game * recorded.length + (place?.market ?? 0)];
      const tokenOf = (token: string) => market?.outcomes[gameOf.get(token)?.side ?? 0]?.tokenId ?? '';
      return wireText(frame, market?.id ?? '', tokenOf, frame.timestampMs * GAMES + game + index);
    }),
  );
}

type Figures = { cpuUs: number; p50: number; p99: number; p999: number };

/** Hands the texts over, some at once and then a turn for everything else, which is not counted. */
async function play(shard: MarketShard, texts: readonly string[]): Promise<Figures> {
  const tookNs = new Float64Array(texts.length);
  let cpuUs = 0;
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const part = texts.slice(from, from + AT_ONCE);
    const before = process.threadCpuUsage();
    for (const [index, text] of part.entries()) {
      const startedAt = process.hrtime.bigint();
      readMarketFrames(text, shard);
      tookNs[from + index] = Number(process.hrtime.bigint() - startedAt);
    }
    const { user, system } = process.threadCpuUsage(before);
    cpuUs += user + system;
    await turn();
  }
  const sorted = tookNs.toSorted();
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0) / 1000;
  return { cpuUs: cpuUs / (texts.length * 2), p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}

async function measure(recording: Recording, count: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', VENUE: 'polymarket' });
  const { world, close } = await openWorld(config);
  const markets = makeMarkets(Math.max(count * TOKENS_PER_OPPORTUNITY, GAMES * 12) / 2);
  await addOpportunities(world, markets, count);
  const { venue, shard, close: closeVenue } = await makeVenue(world, markets);
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]));
  const settings = {
    current: () => defaults as Settings,
    corrupt: () => [],
    refresh: async () => {},
    onChange: () => () => {},
  };
  const quotes = startQuotes(world, venue, settings);
  const stream = { publish: () => {}, watched: () => false };
  const { shares } = onlyEngine();
  const onTrigger = {
    isReady: () => true,
    placeAutomatically: async () => null,
    recordPlaced: async () => {},
    wake: () => {},
  };
  const live = await startLivePrices({
    world,
    quotes,
    settings,
    stream,
    shares,
    blockersOf: async () => [],
    onTrigger,
  });
  while (quotes.health().tokens < Math.min(count * TOKENS_PER_OPPORTUNITY, markets.length * 2) || !shard().isConnected)
    await turn();
  const opening = instantFromMs(1);
  shard().frame(opening);
  const played = GAMES * recording.markets.length;
  for (const [index, { outcomes }] of markets.entries()) {
    const [bids, asks] = index < played ? [[], []] : [[levelOf('0.49')], [levelOf('0.51')]];
    for (const { tokenId } of outcomes) shard().book(tokenId, bids, asks, null);
  }
  await turn();
  const texts = makeTexts(recording, markets);
  const warm = Math.floor(texts.length * WARM_UP);
  await play(shard(), texts.slice(0, warm));
  const { cpuUs, p50, p99, p999 } = await play(shard(), texts.slice(warm));
  const verdict = cpuUs <= CPU_US_MAX && p99 <= P99_US_MAX ? 'met' : 'missed';
  say(
    `${count.toLocaleString('en')} opportunities: ${cpuUs.toFixed(2)} us a level change; a frame p50 ${p50.toFixed(1)} us, ` +
      `p99 ${p99.toFixed(1)} us, p99.9 ${p999.toFixed(1)} us; ${verdict}`,
  );
  await live.stop();
  await quotes.stop();
  closeVenue();
  await close();
  rmSync(folder, { recursive: true });
}

const recording = await readRecordedFrames(RECORDED_FRAMES);
if (recording === null) say('The recording is not there: MARKET_DATA_DIR names where.');
else for (const count of OPPORTUNITIES.length > 0 ? OPPORTUNITIES : [100, 10_000]) await measure(recording, count);
