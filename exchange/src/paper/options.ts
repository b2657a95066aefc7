import type { Usd } from '@dutchbook/units/usd.ts';

/** What orders of the paper account are matched with; the README of the exchange explains each. */
export const FILL_MODELS = ['touch', 'latency', 'survival'] as const;
export type FillModel = (typeof FILL_MODELS)[number];

/** Where the venue that is mirrored answers; `/market` is appended to `ws`. */
export interface UpstreamAddresses {
  readonly gamma: string;
  readonly clob: string;
  readonly ws: string;
}

export const REAL_UPSTREAM: UpstreamAddresses = {
  gamma: 'https://gamma-api.polymarket.com',
  clob: 'https://clob.polymarket.com',
  ws: 'wss://ws-subscriptions-clob.polymarket.com/ws',
};

/** Where Kalshi answers, without a key. */
export const REAL_KALSHI = 'https://external-api.kalshi.com/trade-api/v2';

/** At least one of both venues is mirrored. */
export interface PaperOptions {
  /** Polymarket; it is not mirrored where this is absent. */
  readonly upstream?: UpstreamAddresses;
  /** The REST interface of Kalshi; it is not mirrored where this is absent. */
  readonly kalshiUpstream?: string;
  readonly fills: FillModel;
  /** The account's first cash, at each venue. */
  readonly cash: Usd;
  readonly pace?: Partial<Pace>;
  readonly kalshiPace?: Partial<KalshiPace>;
  /** Instead of the measured latency. */
  readonly latencyMs?: number;
}

/** How the mirror paces what it asks and hears. */
export interface Pace {
  /** Items of a page; a page that breaks is asked for again in smaller ones. */
  readonly pageItems: number;
  /** Calls for the catalogue, of about 30 that the venue takes in a second. */
  readonly callsPerSecond: number;
  /** How often a call is made before it is given up. */
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** From the end of one reading of the whole catalogue to the next. */
  readonly rereadMs: number;
  /** How often the markets listed last, and those that matter here, are read. */
  readonly newestMs: number;
  readonly tokensPerSocket: number;
  readonly pingEveryMs: number;
  /** How long after a keep-alive its answer may come before the connection is given up. */
  readonly pongWithinMs: number;
  /** A connection that brings nothing for so long is opened again: a frozen one answers keep-alives too. Doubles up to the maximum. */
  readonly silenceMs: number;
  readonly silenceMaxMs: number;
  /** How long a token waits for its book on the stream before REST is asked. */
  readonly snapshotWaitMs: number;
  /** How long a token stays subscribed after the last client has left it. */
  readonly lingerMs: number;
  /** How long an order waits for the book of its token. */
  readonly bookWaitMs: number;
  /** How often the latency is measured. */
  readonly latencyEveryMs: number;
}

export const PACE: Pace = {
  pageItems: 50,
  callsPerSecond: 8,
  attempts: 6,
  timeoutMs: 20_000,
  backoffMinMs: 250,
  backoffMaxMs: 30_000,
  rereadMs: 300_000,
  newestMs: 30_000,
  tokensPerSocket: 200,
  pingEveryMs: 10_000,
  pongWithinMs: 10_000,
  silenceMs: 60_000,
  silenceMaxMs: 900_000,
  snapshotWaitMs: 3_000,
  lingerMs: 60_000,
  bookWaitMs: 2_000,
  latencyEveryMs: 10_000,
};

/** How the mirror of Kalshi paces itself: the smallest tier of accounts takes 20 reads a second, and without a key none is promised. */
export interface KalshiPace {
  /** Whole books and trades; those that an order waits for are among them. */
  readonly bookCallsPerSecond: number;
  readonly listCallsPerSecond: number;
  /** Number of followed markets whose whole books are read, in turn; of others the best level of each side is known. */
  readonly wholeBooks: number;
  /** A book is not read again before, unless an order waits for it. */
  readonly bookEveryMs: number;
  /** How often the list tells how followed markets stand. */
  readonly touchEveryMs: number;
  readonly tradesEveryMs: number;
  /** How long a market stays followed after an order or a look at its book. */
  readonly lingerMs: number;
  /** After so long without an answer no book is trusted. */
  readonly cutAfterMs: number;
  readonly bookTimeoutMs: number;
  /** How long an order, or a question for a book, waits for the book: one that has not come by then is out of reach. */
  readonly bookWaitMs: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
}

export const KALSHI_PACE: KalshiPace = {
  bookCallsPerSecond: 8,
  listCallsPerSecond: 4,
  wholeBooks: 80,
  bookEveryMs: 1_000,
  touchEveryMs: 2_000,
  tradesEveryMs: 2_000,
  lingerMs: 60_000,
  cutAfterMs: 10_000,
  bookTimeoutMs: 3_000,
  bookWaitMs: 3_000,
  backoffMinMs: 250,
  backoffMaxMs: 10_000,
};
