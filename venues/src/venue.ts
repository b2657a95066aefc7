/**
 * The port: what the product asks of an exchange, in the engine's words and units. Each venue has a folder with an
 * implementation; `conformance/` holds the numbered cases every one of them must pass.
 */
import type { Book } from '@dutchbook/engine/book/book.ts';
import type { Level, Side } from '@dutchbook/engine/book/level.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price, Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { VenueNetwork } from './network.ts';
import type { Pace } from './pace.ts';

/** Time and dice, handed in by the process so that tests own them. Timers are real. No `network`: the machine's own. */
export type VenueWorld = { now: () => Instant; random: () => number; log: VenueLog; network?: VenueNetwork };

export type VenueLog = {
  info: (facts: object, message: string) => void;
  warn: (facts: object, message: string) => void;
};

/** Raised by reads that did not succeed: nothing is known, and nothing may be concluded from the silence. */
export class VenueUnavailable extends Error {
  override readonly name = 'VenueUnavailable';
}

export type MarketQuery = { search?: string; event?: string; skip: number; limit: number };

export interface VenueCatalogue {
  /** Open markets whose question or event title contains `search`, or which belong to `event`, in a stable order. */
  searchMarkets(query: MarketQuery): Promise<{ data: Market[]; count: number }>;
  /** Markets by id; an id the venue does not know is absent from the map. */
  marketsById(ids: readonly string[]): Promise<Map<string, Market>>;
}

export type BookSnapshot = { tokenId: string; bids: Level[]; asks: Level[]; timestamp: Instant; tick: Tick | null };

/** What a midpoint-priced opportunity needs where the order book is not used. */
export type Quote = { tokenId: string; midpoint: Price | null; lastTrade: Price | null };

export interface VenuePrices {
  /** Order books over REST; a token without a book is absent. */
  fetchBooks(tokenIds: readonly string[]): Promise<Map<string, BookSnapshot>>;
  fetchQuotes(tokenIds: readonly string[]): Promise<Map<string, Quote>>;
}

/**
 * `live`: fed by a healthy socket. `verified`: live, and the venue's own snapshot has lately agreed with the book since
 * it was last begun or mended. `stale`: the socket, or this token's part of it, cannot be trusted just now.
 */
export type FeedTrust = 'live' | 'verified' | 'stale';

export type StreamedBook = { book: Book; trust: FeedTrust; receivedAt: Instant; venueTimestamp: Instant };

export type MarketStreamEvents = {
  /** Tokens whose books changed, once per group of whole frames that share a timestamp. */
  onBooks: (tokenIds: readonly string[]) => void;
  /** Tokens whose trust changed, whichever way. */
  onTrust: (tokenIds: readonly string[], trust: FeedTrust) => void;
  onTick: (tokenId: string, tick: Tick) => void;
  onResolved: (marketId: string, winningTokenId: string) => void;
  /** After every whole frame of changes, before its group is judged: for recorders and measurements, not for prices. */
  onFrame?: (venueTimestamp: Instant) => void;
};

export interface MarketStream {
  subscribe(tokenIds: readonly string[]): void;
  unsubscribe(tokenIds: readonly string[]): void;
  /** The book as of the last whole frame; undefined before its first snapshot. */
  book(tokenId: string): StreamedBook | undefined;
  isConnected(): boolean;
  /** Goes through every token. */
  health(): { sockets: number; connected: number; tokens: number; staleTokens: number };
  close(): Promise<void>;
}

/** A limit order, share-exact: buys at most, sells at least, at `price`; the size is in whole hundredths of a share. */
export type OrderRequest = {
  tokenId: string;
  market: Market;
  side: Side;
  price: Price;
  size: Shares;
  /** `rest`: what does not match at once stays in the book. `kill`: fill what can be filled, drop the rest. */
  remainder: 'rest' | 'kill';
};

/** A signed order, ready to be stored and sent. `orderHash` is what the venue will call it. */
export type SignedOrder = { orderHash: string; salt: string; payload: string };

/**
 * `status`: `open` rests (fully or in part), `matched` is done, `delayed` is held by the venue and not a fill yet.
 * `turned_away`: the venue wants fewer calls and did not look at the order; it may be sent when its turn comes again.
 */
export type PostOutcome =
  | { kind: 'accepted'; orderHash: string; status: 'open' | 'matched' | 'delayed' }
  | { kind: 'refused'; reason: string }
  | { kind: 'turned_away'; reason: string }
  | { kind: 'unknown'; reason: string };

export type VenueOrderStatus = 'open' | 'matched' | 'delayed' | 'canceled' | 'invalid';

export type VenueOrder = {
  orderHash: string;
  /** Null where the venue did not say. */
  marketId: string | null;
  tokenId: string;
  side: Side;
  price: Price;
  originalSize: Shares;
  matchedSize: Shares;
  status: VenueOrderStatus;
};

/** `absent`: the venue answered and does not have it. `unknown`: it did not answer, or not clearly. */
export type OrderLookup =
  | { kind: 'found'; order: VenueOrder }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type Settlement = 'matched' | 'mined' | 'confirmed' | 'retrying' | 'failed';

/** Our part of one trade. (tradeId, orderHash) is its identity; the venue repeats it as its settlement moves on. */
export type VenueFill = {
  tradeId: string;
  orderHash: string;
  tokenId: string;
  side: Side;
  price: Price;
  size: Shares;
  fee: Usd;
  settlement: Settlement;
  matchedAt: Instant;
};

/**
 * `canceled`: its rest is off the book. `refused`: the venue says why there is nothing to cancel. `unknown`: it did not
 * answer for this order.
 */
export type CancelOutcome = { orderHash: string; kind: 'canceled' | 'refused' | 'unknown'; reason: string | null };

export interface VenueTrading {
  /** Asked before anything is posted or canceled; it knows what the venue answered to what left. */
  readonly pace: Pace;
  /** Signs without sending. Throws only on a request the venue could never take (off the tick grid, size not whole cents). */
  signOrder(request: OrderRequest): Promise<SignedOrder>;
  /** Sends signed orders in one call where they fit; answers in their order, and never throws. */
  postOrders(orders: readonly SignedOrder[]): Promise<PostOutcome[]>;
  cancelOrders(orderHashes: readonly string[]): Promise<CancelOutcome[]>;
  /** `marketId`, where it is known, spares reading the account's trades in all markets. */
  lookupOrder(orderHash: string, marketId?: string): Promise<OrderLookup>;
  openOrders(): Promise<VenueOrder[]>;
  /** Our fills of one order. Throws VenueUnavailable. */
  fillsOfOrder(orderHash: string, marketId: string): Promise<VenueFill[]>;
  /** Our fills matched at or after `since`. Throws VenueUnavailable. */
  fillsSince(since: Instant): Promise<VenueFill[]>;
  /** Cash that is free to spend. Throws VenueUnavailable. */
  cashBalance(): Promise<Usd>;
  /** Shares held of a token. Throws VenueUnavailable. */
  holding(tokenId: string): Promise<Shares>;
}

export type UserStreamEvents = {
  onOrder: (order: VenueOrder) => void;
  onFill: (fill: VenueFill) => void;
  /** The stream is up again after a gap: everything not final must be read once. */
  onReconnect: () => void;
};

export interface UserStream {
  connected(): boolean;
  close(): Promise<void>;
}

export interface Venue {
  readonly name: 'polymarket';
  readonly catalogue: VenueCatalogue;
  readonly prices: VenuePrices;
  /** null when the venue is read only. */
  readonly trading: VenueTrading | null;
  /** The venue's own clock, in whole seconds. Throws VenueUnavailable. */
  serverTime(): Promise<Instant>;
  openMarketStream(events: MarketStreamEvents): MarketStream;
  openUserStream(events: UserStreamEvents): UserStream;
  /** The venue itself answers the next question about any market, whatever is kept of it here. */
  forget(): void;
  close(): Promise<void>;
}
