import type { AddressInfo } from 'node:net';
import { buildCatalogue } from './catalogue/listing.ts';
import { registerControl } from './control/control-routes.ts';
import type { MarketStream } from './dialects/polymarket/market-stream.ts';
import { type PolymarketServer, servePolymarket } from './dialects/polymarket/serve.ts';
import { Faults } from './faults/faults.ts';
import { ExchangeClock, type Timers } from './floor/clock.ts';
import { Floor } from './floor/floor.ts';
import { Journal } from './floor/journal.ts';
import { MarketDirectory } from './floor/market.ts';
import type { TradeRecord } from './floor/records.ts';
import { seededDice } from './makers/dice.ts';
import { Makers, type QuoteSource } from './makers/makers.ts';
import { RecordedBooks } from './replay/recorded-books.ts';
import { Replay, type ReplaySpeed } from './replay/replay.ts';
import { surveyRecording } from './replay/survey.ts';
import { Positions } from './settlement/positions.ts';
import { Settlement, type SettlementFate } from './settlement/settlement.ts';

/** It lends out play money without a password, so no other machine reaches it. */
const LOOPBACK = '127.0.0.1';

export interface ExchangeOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Same seed, same catalogue, ids, keys and dice. Default 1. */
  readonly seed?: number;
  /** Start with the makers (or the replay) held back until `POST /_control/resume`. */
  readonly paused?: boolean;
  /** Replay recordings instead of making markets. */
  readonly replay?: { readonly files: readonly string[]; readonly speed: ReplaySpeed };
  /** Keeps keys, orders, trades and balances in this file across restarts; in memory only without it. */
  readonly journalFile?: string;
  readonly timers?: Timers;
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
  readonly floor: Floor;
  readonly faults: Faults;
  readonly positions: Positions;
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
  const faults = new Faults(seededDice(seed + 1).unit);
  const { floor, positions, settlement } = await openFloor(options, clock, faults);
  const journal = options.journalFile === undefined ? undefined : new Journal(options.journalFile, floor);
  journal?.open((trade) => settlement.resume(trade));
  const server = servePolymarket({ floor, faults, timers, seed });
  const { app } = server;
  const source = quoteSource(options, floor, timers, server.marketStream);
  registerControl(app, { floor, faults, positions, source });
  const close = async () => {
    source.stop();
    clock.stop();
    await app.close();
    journal?.close();
  };
  return { ...server, floor, faults, positions, resume: () => source.resume(), close };
}

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

interface OpenFloor {
  readonly floor: Floor;
  readonly positions: Positions;
  readonly settlement: Settlement;
}

async function openFloor(
  { seed = 1, replay }: ExchangeOptions,
  clock: ExchangeClock,
  faults: Faults,
): Promise<OpenFloor> {
  const now = clock.now();
  const events = replay === undefined ? buildCatalogue(seed, now) : await surveyRecording(replay.files, now);
  const floor = new Floor({
    clock,
    directory: new MarketDirectory(events, now),
    faults: { partialFill: (tokenId) => partialFillOf(faults, tokenId) },
    settle: (trade) => settlement.begin(trade),
  });
  const positions = new Positions(floor);
  const settlement = new Settlement(
    floor,
    (trade) => fateOf(faults, trade),
    (account) => positions.redeemResolved(account),
  );
  return { floor, positions, settlement };
}

function quoteSource(
  { replay, seed = 1 }: ExchangeOptions,
  floor: Floor,
  timers: Timers,
  marketStream: MarketStream,
): QuoteSource {
  if (replay === undefined) return new Makers(floor, seededDice(seed), timers);
  const books = new RecordedBooks(floor);
  return new Replay({ ...replay, books, timers, isBehind: () => marketStream.isBehind(), onError: rethrow });
}

/** A broken invariant ends the process, as any uncaught error does. */
function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

const HALF = 0.5;

function partialFillOf(faults: Faults, tokenId: string): number | undefined {
  const fault = faults.strike('partial_fill', [tokenId]);
  return fault && (fault.fraction ?? HALF);
}

function fateOf(faults: Faults, trade: TradeRecord): SettlementFate {
  const fault = faults.strike('fail_settlement', [trade.taker.tokenId, trade.maker.tokenId]);
  if (fault === undefined) return 'confirms';
  return fault.recover === true ? 'retries and confirms' : 'fails';
}
