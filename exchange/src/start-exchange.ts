import type { AddressInfo } from 'node:net';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import { KalshiJournal } from './adapters/kalshi/journal.ts';
import { serveKalshi } from './adapters/kalshi/serve.ts';
import type { KalshiStream } from './adapters/kalshi/stream/stream.ts';
import { KalshiVenue } from './adapters/kalshi/venue.ts';
import { registerDataApi } from './adapters/polymarket/data-api/position-routes.ts';
import type { MarketStream } from './adapters/polymarket/market-stream.ts';
import { type PolymarketServer, servePolymarket } from './adapters/polymarket/serve.ts';
import { LISTED_EVENTS } from './catalogue/listed-events.ts';
import { buildCatalogue } from './catalogue/listing.ts';
import { Chain } from './chain/chain.ts';
import { keepChain, restoreChain } from './chain/chain-journal.ts';
import { Relayer } from './chain/relayer/relayer.ts';
import { registerRelayer } from './chain/relayer/routes.ts';
import { registerRpc } from './chain/rpc/routes.ts';
import { recordRedemption } from './chain/venue-redemptions.ts';
import { registerControl } from './control/control-routes.ts';
import { chainFaults } from './faults/chain-faults.ts';
import { Faults } from './faults/faults.ts';
import { matchingFaults } from './faults/matching-faults.ts';
import { Makers, type QuoteSource } from './makers/makers.ts';
import { seededRandom } from './makers/random.ts';
import { ExchangeClock, type Timers } from './matching-engine/clock.ts';
import { Journal } from './matching-engine/journal.ts';
import { MarketDirectory } from './matching-engine/market.ts';
import { MatchingEngine } from './matching-engine/matching-engine.ts';
import { type TradeRecord, tokensIn } from './matching-engine/records.ts';
import { Survival, withSurvival } from './paper/fills/survival.ts';
import { registerAccountControl } from './paper/kalshi/account-control.ts';
import { KalshiMirror } from './paper/kalshi/kalshi-mirror.ts';
import { registerMirroredListings } from './paper/kalshi/listing-routes.ts';
import { PaperMirror } from './paper/mirror.ts';
import type { PaperOptions } from './paper/options.ts';
import { type DrawnCase, drawCases, type PlantedCounts } from './planted/cases.ts';
import { Planted } from './planted/planted.ts';
import { RecordedBooks } from './replay/recorded-books.ts';
import { Replay, type ReplaySpeed } from './replay/replay.ts';
import { surveyRecording } from './replay/survey.ts';
import { type AutoRedeem, Positions } from './settlement/positions.ts';
import { Settlement, type SettlementFate } from './settlement/settlement.ts';

/** The exchange lends play money without a password, so it listens on this machine only. */
const LOOPBACK = '127.0.0.1';

export interface ExchangeOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Same seed, same catalogue, ids, keys and random. Default 1. */
  readonly seed?: number;
  /** Start with the makers (or the replay) held back until `POST /_control/resume`. */
  readonly paused?: boolean;
  /** Replay recordings instead of making markets. */
  readonly replay?: { readonly files: readonly string[]; readonly speed: ReplaySpeed };
  /** Keeps keys, orders, trades and balances in this file across restarts; in memory only without it. */
  readonly journalFile?: string;
  readonly timers?: Timers;
  /** What the account of a new key begins with. */
  readonly startingBalance?: Usd;
  /** Whether the venue redeems what has won for all accounts; not if absent. */
  readonly autoRedeem?: AutoRedeem;
  /** Events behind the others that are quoted wrong on purpose, or look so. */
  readonly planted?: PlantedCounts;
  /** Mirror a real venue instead of making markets. */
  readonly paper?: PaperOptions;
}

export interface RunningExchange {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const REAL_TIMERS: Timers = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout | undefined),
};

export interface OpenExchange extends PolymarketServer {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly positions: Positions;
  readonly chain: Chain;
  /** The second venue; null on paper where it is not mirrored. */
  readonly kalshi: { readonly venue: KalshiVenue; readonly stream: KalshiStream } | null;
  /** Lets the makers, or the replay, begin. */
  resume(): void;
  close(): Promise<void>;
}

/**
 * The simulated exchange without a socket of its own: `app` answers what is injected, the streams take any connection.
 * @throws RecordingError for a recording, JournalError for a journal that cannot be read
 */
export async function openExchange(options: ExchangeOptions): Promise<OpenExchange> {
  const { seed = 1, timers = REAL_TIMERS } = options;
  const clock = new ExchangeClock(timers);
  const faults = new Faults(seededRandom(seed + 1).unit);
  const { paper } = options;
  const isMadeUp = options.replay === undefined && paper === undefined;
  const cases = options.planted === undefined || !isMadeUp ? [] : drawCases(seed, options.planted);
  const survival = new Survival();
  const { engine, positions, settlement } = await openEngine(options, cases, { clock, faults, survival });
  const listingsFile = options.journalFile && `${options.journalFile}.paper`;
  const mirror =
    paper?.upstream &&
    new PaperMirror({ options: { ...paper, upstream: paper.upstream }, engine, positions, survival, listingsFile });
  const journal = options.journalFile === undefined ? undefined : new Journal(options.journalFile, engine);
  const chain = new Chain({ engine, faultOf: chainFaults(faults) });
  const relayer = new Relayer(chain, faults);
  journal?.open(
    (trade) => settlement.resume(trade),
    (id, value) => restoreChain({ chain, relayer }, id, value),
  );
  if (journal !== undefined) keepChain({ chain, relayer }, journal);
  chain.resume();
  positions.onRedeemed = (redeemed) => recordRedemption(chain, redeemed);
  const server = servePolymarket({ engine, faults, timers, seed, mirror });
  const { app } = server;
  mirror?.serve(server, chain);
  const planted = cases.length === 0 ? undefined : plant(cases, engine, seed);
  const source =
    mirror ?? (paper === undefined ? quoteSource(options, engine, timers, server.marketStream) : NO_QUOTES);
  registerDataApi(app, { engine, faults, timers, accountAt: (wallet) => chain.wallets.accountAt(wallet) });
  registerRpc(app, { chain, faults });
  registerRelayer(app, { chain, faults, relayer });
  const kalshi = openKalshi(options, { clock, timers, server });
  if (paper !== undefined)
    app.get('/_control/paper', () => {
      const ofKalshi = kalshi?.mirror?.state();
      const venues = [...(mirror ? ['polymarket'] : []), ...(ofKalshi ? ['kalshi'] : [])];
      return { ...(mirror?.state() ?? ofKalshi), venues, kalshi: ofKalshi ?? null };
    });
  registerControl(app, { engine, faults, positions, chain, source, planted });
  const close = async () => {
    source.stop();
    kalshi?.stop();
    clock.stop();
    await app.close();
    journal?.close();
    kalshi?.close();
  };
  return {
    ...server,
    engine,
    faults,
    positions,
    chain,
    kalshi: kalshi ?? null,
    resume: () => {
      source.resume();
      if (options.replay === undefined) kalshi?.resume();
    },
    close,
  };
}

/** The second venue, on the same clock; on paper it is there where it is mirrored. */
function openKalshi(
  options: ExchangeOptions,
  { clock, timers, server }: { clock: ExchangeClock; timers: Timers; server: PolymarketServer },
) {
  const { seed = 1, paper } = options;
  const upstream = paper?.kalshiUpstream;
  if (paper !== undefined && upstream === undefined) return undefined;
  const mirror = paper && upstream && new KalshiMirror({ ...paper, kalshiUpstream: upstream });
  const kalshiJournal = options.journalFile === undefined ? null : new KalshiJournal(`${options.journalFile}.kalshi`);
  const made = mirror ? undefined : kalshiJournal?.listings(clock.now());
  const venue = new KalshiVenue({ clock, timers, seed, ...(made && { listings: made }), ...(mirror && { mirror }) });
  if (mirror) mirror.open(venue);
  kalshiJournal?.keep(venue);
  const registerListings = mirror ? (app: FastifyInstance) => registerMirroredListings(app, mirror) : undefined;
  const stream = serveKalshi(server.app, server.upgrades, venue, registerListings);
  if (mirror)
    registerAccountControl(server.app, { venue, readBooks: (tickers: readonly string[]) => mirror.readBooks(tickers) });
  return {
    venue,
    stream,
    mirror: mirror || undefined,
    stop: () => {
      venue.makers.stop();
      if (mirror) mirror.stop();
    },
    resume: () => (mirror ? mirror.start(stream) : venue.makers.resume()),
    close: () => kalshiJournal?.close(),
  };
}

/** Polymarket is not mirrored: its wire is there, and lists nothing. */
const NO_QUOTES: QuoteSource = { pause: () => {}, resume: () => {}, stop: () => {} };

/** Starts the simulated exchange on a loopback port. @throws as `openExchange` does */
export async function startExchange(options: ExchangeOptions): Promise<RunningExchange> {
  const { app, resume, close } = await openExchange(options);
  try {
    await app.listen({ host: LOOPBACK, port: options.port ?? 0 });
  } catch (error) {
    await close();
    throw error;
  }
  if (options.paused !== true) resume();
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${LOOPBACK}:${port}`, port, close };
}

interface OpenEngine {
  readonly engine: MatchingEngine;
  readonly positions: Positions;
  readonly settlement: Settlement;
}

async function openEngine(
  { seed = 1, replay, autoRedeem, paper, startingBalance = paper?.cash }: ExchangeOptions,
  cases: readonly DrawnCase[],
  { clock, faults, survival }: { readonly clock: ExchangeClock; readonly faults: Faults; readonly survival: Survival },
): Promise<OpenEngine> {
  const now = clock.now();
  const listed = cases.flatMap(({ events }) => events);
  const events =
    paper !== undefined
      ? []
      : replay !== undefined
        ? await surveyRecording(replay.files, now)
        : buildCatalogue(seed, now, listed);
  const engine = new MatchingEngine({
    clock,
    directory: new MarketDirectory(events, now),
    faults: paper?.fills === 'survival' ? withSurvival(matchingFaults(faults), survival) : matchingFaults(faults),
    settle: (trade) => settlement.begin(trade),
    ...(startingBalance === undefined ? {} : { startingBalance }),
  });
  const positions = new Positions(engine, autoRedeem);
  const settlement = new Settlement(
    engine,
    (trade) => fateOf(faults, trade),
    (account) => positions.redeemResolved(account),
  );
  return { engine, positions, settlement };
}

/** Its events are the last of the catalogue. */
function plant(cases: readonly DrawnCase[], engine: MatchingEngine, seed: number): Planted {
  const listed = engine.directory.events.slice(LISTED_EVENTS.length);
  return new Planted(cases, listed, engine, seededRandom(seed + 3));
}

function quoteSource(
  { replay, seed = 1 }: ExchangeOptions,
  engine: MatchingEngine,
  timers: Timers,
  marketStream: MarketStream,
): QuoteSource {
  const made = engine.directory.events.slice(0, LISTED_EVENTS.length);
  if (replay === undefined) return new Makers(engine, made, seededRandom(seed), timers);
  const books = new RecordedBooks(engine);
  return new Replay({ ...replay, books, timers, isBehind: () => marketStream.isBehind(), onError: rethrow });
}

/** A broken invariant ends the process, as any uncaught error does. */
function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

function fateOf(faults: Faults, trade: TradeRecord): SettlementFate {
  const fault = faults.strike('fail_settlement', tokensIn(trade));
  if (fault === undefined) return 'confirms';
  return fault.recover === true ? 'retries and confirms' : 'fails';
}
