import type { AddressInfo } from 'node:net';
import { buildCatalogue } from './catalogue/listing.ts';
import { registerControl } from './control/control-routes.ts';
import { servePolymarket } from './dialects/polymarket/serve.ts';
import { Faults } from './faults/faults.ts';
import { ExchangeClock, type Timers } from './floor/clock.ts';
import { Floor } from './floor/floor.ts';
import { MarketDirectory } from './floor/market.ts';
import type { TradeRecord } from './floor/records.ts';
import { seededDice } from './makers/dice.ts';
import { Makers } from './makers/makers.ts';
import { RecordedBooks } from './replay/recorded-books.ts';
import { Replay, type ReplaySpeed } from './replay/replay.ts';
import { surveyRecording } from './replay/survey.ts';
import { Positions } from './settlement/positions.ts';
import { Settlement, type SettlementFate } from './settlement/settlement.ts';

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

/** Starts the simulated exchange on a loopback port. */
export async function startExchange(options: ExchangeOptions): Promise<RunningExchange> {
  const seed = options.seed ?? 1;
  const timers = options.timers ?? REAL_TIMERS;
  const clock = new ExchangeClock(timers);
  const faults = new Faults(seededDice(seed + 1).unit);
  const { replay } = options;
  const now = clock.now();
  const events = replay === undefined ? buildCatalogue(seed, now) : await surveyRecording(replay.files, now);
  const directory = new MarketDirectory(events, now);
  const floor = new Floor({
    clock,
    directory,
    faults: { partialFill: (tokenId) => partialFillOf(faults, tokenId) },
    settle: (trade) => settlement.begin(trade),
  });
  const positions = new Positions(floor);
  const settlement = new Settlement(
    floor,
    (trade) => fateOf(faults, trade),
    (account) => positions.redeemResolved(account),
  );
  const { app, marketStream } = servePolymarket({ floor, faults, timers, seed });
  const source =
    replay === undefined
      ? new Makers(floor, seededDice(seed), timers)
      : new Replay({
          ...replay,
          books: new RecordedBooks(floor),
          timers,
          isBehind: () => marketStream.isBehind(),
          onError: rethrow,
        });
  registerControl(app, { floor, faults, positions, source });
  await app.listen({ host: LOOPBACK, port: options.port ?? 0 });
  if (options.paused !== true) source.resume();
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${port}`,
    port,
    close: async () => {
      source.stop();
      clock.stop();
      await app.close();
    },
  };
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
