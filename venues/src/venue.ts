/**
 * The port: what the product asks of an exchange, in the engine's words and units. Each venue has a folder with an
 * implementation; `conformance/` holds the numbered cases every one of them must pass.
 */

import type { KeptBook } from '@dutchbook/engine/book/book.ts';
import type { Level, Side } from '@dutchbook/engine/book/level.ts';
import type { Market, MarketEvent } from '@dutchbook/engine/market/market.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { Allowances } from '@dutchbook/engine/risk/allowance.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { EventId, MarketId, OrderName, TokenId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price, Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { VenueNetwork } from './network.ts';
import type { Pace } from './pace.ts';
import type { ReadPriority } from './read-budget.ts';
import type { VenueChain } from './venue-chain.ts';
import type { Pockets } from './venue-pockets.ts';

/** Time and random, handed in by the process so that tests own them. Timers are real. No `network`: the machine's own. */
export type VenueRuntime = { now: () => Instant; random: () => number; log: VenueLog; network?: VenueNetwork };

export type VenueLog = {
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
};

/** Raised by reads that did not succeed: nothing is known, and nothing may be concluded from the silence. */
export class VenueUnavailable extends Error {
  override readonly name = 'VenueUnavailable';
}

/** A read was not sent: so many others were asked for that the rest of what the venue takes is kept for trading. */
export class VenueBusy extends VenueUnavailable {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** One of our own trades came in a form that cannot be read: what was filled of its order is not known. */
export class UnreadableTrade extends VenueUnavailable {
  readonly tradeId: string;

  constructor(tradeId: string, why: string) {
    super(`trade ${tradeId} cannot be read: ${why}`);
    this.tradeId = tradeId;
  }
}

export type MarketQuery = { search?: string; event?: EventId; skip: number; limit: number };

/** An open market that cannot be traded here; `question` is empty where not even that could be read. */
export type LeftOutMarket = { id: MarketId; question: string; event: MarketEvent | null; reason: string };

/** How a list of another tool may name a market: `capitals` is its id in capital letters, `page` the address of its page. */
export type ReferenceKind = 'capitals' | 'page' | 'slug' | 'token_id' | 'gamma_id';

/** What such a name stands for, `outcome` where it is of one; or why it stands for no market: the venue knows none, or several. */
export type MarketReference =
  | { kind: ReferenceKind; marketId: MarketId; outcome: string | null }
  | { kind: ReferenceKind; marketId: null; isKnown: boolean; reason: string };

export type MarketReferences = {
  /** Null of a market's id, and of what is no name that can be looked up. */
  kindOf: (name: string) => ReferenceKind | null;
  /** Finds markets by those names that have a kind. @throws VenueUnavailable */
  find: (names: readonly string[], priority: ReadPriority) => Promise<Map<string, MarketReference>>;
  /** The ids that no market of the venue has. @throws VenueUnavailable */
  unknownIds: (ids: readonly MarketId[], priority: ReadPriority) => Promise<Set<MarketId>>;
};

export interface VenueCatalogue {
  /** Left out where markets have no names but their ids. */
  readonly references?: MarketReferences;
  /** Open markets whose question or event title contains `search`, or which belong to `event`, in a stable order. */
  searchMarkets(query: MarketQuery): Promise<{ data: Market[]; count: number }>;
  /** Searches the markets that the catalogue leaves out. */
  searchLeftOut(query: MarketQuery): Promise<{ data: LeftOutMarket[]; count: number }>;
  /** Markets by id; an id the venue does not know is absent from the map. */
  marketsById(ids: readonly MarketId[], priority?: ReadPriority): Promise<Map<MarketId, Market>>;
  /**
   * Calls the listener with markets whose data changed outside of a read: a comparison of their sources has found it.
   */
  onCompared(listener: (markets: readonly Market[]) => void): void;
  /** Why a market that the venue has cannot be traded here, as last read; null where nothing is known against it. */
  whyLeftOut(marketId: MarketId): string | null;
  /**
   * The venue's open events, page by page, each whole with its closed members. `cursor` goes on behind the page, null at the end.
   * `venue`: behind the port of several, which of them.
   * Throws VenueUnavailable, also for a cursor that the venue does not take any more.
   */
  readEvents(
    cursor: string | null,
    venue?: VenueName,
  ): AsyncGenerator<{ events: CatalogueEvent[]; cursor: string | null }>;
  /**
   * The open markets that the venue has listed last, newest first, without the first `skip`: a hundred at most, none where there are no
   * more, with the event of each. Left out where it cannot be asked for them. Throws VenueUnavailable.
   */
  newestMarkets?(skip: number, venue?: VenueName): Promise<{ marketId: MarketId; eventId: EventId }[]>;
  /**
   * A market as it was read last with its event, without asking the venue, and what has been traded in it, in dollars; null where it has not
   * been read. Left out where nothing is kept.
   */
  listed?(marketId: MarketId): { market: Market; dollars: number } | null;
  /** The address at which people read about a market of an event; left out where the venue has no pages. */
  pageOf?(event: Pick<CatalogueEvent, 'id' | 'slug' | 'series'>, member: Pick<EventMember, 'slug'>): string | null;
  /** Events by their ids, open or closed; those that the venue does not know are absent. Throws VenueUnavailable. */
  eventsById(ids: readonly EventId[], priority: ReadPriority): Promise<CatalogueEvent[]>;
}

export type BookSnapshot = { tokenId: TokenId; bids: Level[]; asks: Level[]; timestamp: Instant; tick: Tick | null };

/** What a midpoint-priced opportunity needs where the order book is not used. */
export type Quote = { tokenId: TokenId; midpoint: Price | null; lastTrade: Price | null };

/** Reads are for trading unless a lower priority is given: those wait a while for a slot, then throw `VenueBusy`. */
export interface VenuePrices {
  /** Order books over REST; a token without a book is absent. */
  fetchBooks(tokenIds: readonly TokenId[], priority?: ReadPriority): Promise<Map<TokenId, BookSnapshot>>;
  fetchQuotes(tokenIds: readonly TokenId[], priority?: ReadPriority): Promise<Map<TokenId, Quote>>;
}

/**
 * `live`: fed by a healthy socket, and lately shown to be right by its data or by the venue's own snapshot; this ends by
 * itself where nothing renews it. `verified`: live, and the snapshot has lately agreed with the book since it was last begun
 * or mended. `stale`: the socket, or this token's part of it, cannot be trusted just now.
 */
export type FeedTrust = 'live' | 'verified' | 'stale';

export type StreamedBook = { book: KeptBook; trust: FeedTrust; receivedAt: Instant; venueTimestamp: Instant };

export type MarketStreamEvents = {
  /** Tokens whose books changed, once per group of whole frames that share a timestamp. */
  onBooks: (tokenIds: readonly TokenId[]) => void;
  /** Tokens whose trust changed, whichever way. */
  onTrust: (tokenIds: readonly TokenId[], trust: FeedTrust) => void;
  onTick: (tokenId: TokenId, tick: Tick) => void;
  onResolved: (marketId: MarketId, winningTokenId: TokenId) => void;
  /** After every whole frame of changes, before its group is judged: for recorders and measurements, not for prices. */
  onFrame?: (venueTimestamp: Instant) => void;
};

/**
 * `sound`: sockets that stand and are not late. `readsFail`: the venue's books, which the stream is begun from and compared
 * with, cannot be read. `staleTokens` counts also those that the venue has no book of, and says nothing of the venue.
 */
export type StreamHealth = {
  sockets: number;
  connected: number;
  sound: number;
  readsFail: boolean;
  tokens: number;
  staleTokens: number;
};

export interface MarketStream {
  subscribe(tokenIds: readonly TokenId[]): void;
  unsubscribe(tokenIds: readonly TokenId[]): void;
  /** The last published book; undefined before its first snapshot. */
  book(tokenId: TokenId): StreamedBook | undefined;
  /** At the venue of this token. */
  isConnected(tokenId: TokenId): boolean;
  /** Goes through every token; of all venues where none is named. */
  health(venue?: VenueName): StreamHealth;
  close(): Promise<void>;
}

/** A limit order, share-exact: buys at most, sells at least, at `price`; the size is in whole hundredths of a share. */
export type OrderRequest = {
  tokenId: TokenId;
  market: Market;
  side: Side;
  price: Price;
  size: Shares;
  /**
   * Of a buy with fewer shares than its market lets rest: these dollars are spent at once, at `price` at most, and bring more shares than
   * `size` where prices are better. Left out, or null: `size` is what counts.
   */
  spends?: Usd | null;
  /** `rest`: what does not match at once stays in the book. `kill`: fill what can be filled, drop the rest. */
  remainder: 'rest' | 'kill';
  /** For a resting order: refused where it would match at once. */
  postOnly?: boolean;
  /** For a resting order: the venue cancels it then, at the latest. */
  expiresAt?: Instant;
};

/** A signed order, ready to be stored and sent. `orderHash` is our name of it, by which the venue finds it too. */
export type SignedOrder = { orderHash: OrderName; salt: string; payload: string };

/** `size`: for how many shares it was signed; of one that spends dollars, how many these buy at its price. */
export type NewOrder = SignedOrder & { size: Shares };

/**
 * `accepted`: it is proven that the venue took the order, also where it says so only of a copy, and shows it no more.
 * `venueName`: what the venue calls it; left out where that is our name. `status`: `open` rests (fully or in part) for all that is known, `matched` is done, `delayed` is held by the venue and not a fill yet.
 * `rate_limited`: the venue wants fewer calls and did not look at the order; it may be sent when its next slot comes.
 */
export type PostOutcome =
  | { kind: 'accepted'; orderHash: OrderName; venueName?: string; status: 'open' | 'matched' | 'delayed' }
  | { kind: 'rejected'; reason: string }
  | { kind: 'rate_limited'; reason: string }
  | { kind: 'unknown'; reason: string };

export type VenueOrderStatus = 'open' | 'matched' | 'delayed' | 'canceled' | 'invalid';

export type VenueOrder = {
  orderHash: OrderName;
  /** What the venue calls it; left out where that is our name. */
  venueName?: string;
  /** Null where the venue did not say. */
  marketId: MarketId | null;
  tokenId: TokenId;
  side: Side;
  price: Price;
  originalSize: Shares;
  matchedSize: Shares;
  status: VenueOrderStatus;
};

/** `byTradesOnly`: nothing but its trades tells of it. `absent`: the venue answered and does not have it. `unknown`: it did not answer, or not clearly. */
export type OrderLookup =
  | { kind: 'found'; order: VenueOrder; byTradesOnly?: true }
  | { kind: 'absent' }
  | { kind: 'unknown'; reason: string };

export type Settlement = 'matched' | 'mined' | 'confirmed' | 'retrying' | 'failed';

/** Our part of one trade. (tradeId, orderHash) is its identity; the venue repeats it as its settlement moves on. */
export type VenueFill = {
  tradeId: string;
  orderHash: OrderName;
  tokenId: TokenId;
  side: Side;
  /** The average over all that was met; `cost` is exact. */
  price: Price;
  size: Shares;
  /** What was paid for the shares, or for a sale received, before the fee: the venue's books, match by match. */
  cost: Usd;
  fee: Usd;
  settlement: Settlement;
  matchedAt: Instant;
};

/**
 * `canceled`: its rest is off the book. `refused`: the venue says why there is nothing to cancel. `unknown`: it did not
 * answer for this order.
 */
export type CancelOutcome = { orderHash: OrderName; kind: 'canceled' | 'refused' | 'unknown'; reason: string | null };

/**
 * `taken`: the venue keeps our orders for the next ten seconds. `unsupported`: it has no such call. `failed`: whether it received it
 * us is not known, or it refused.
 */
export type HeartbeatOutcome = { kind: 'taken' } | { kind: 'unsupported' | 'failed'; reason: string };

/**
 * Shares of one token that the account holds, bought here or elsewhere; `outcome` is empty where the venue does not name it.
 * `redeemable`: its market is resolved, won or lost, and the shares are still there. `resolvedValue`: what one of them came to be
 * worth; null while the market is open or that may still be changed, and where the venue does not say.
 */
export type VenuePosition = {
  marketId: MarketId;
  tokenId: TokenId;
  outcome: string;
  shares: Shares;
  redeemable: boolean;
  resolvedValue: Price | null;
};

/** Shares of one outcome that a payout took away, and what it paid for each. */
export type PaidOutcome = { tokenId: TokenId; shares: Shares; pays: Price };

/**
 * What a venue without contracts has paid for a market that has ended, once for each market of the account. `isProvisional`: what the
 * market pays may still be changed, so that this may be taken back.
 */
export type VenuePayout = {
  marketId: MarketId;
  outcomes: PaidOutcome[];
  /** What came, and what of it the venue kept as a fee. */
  dollars: Usd;
  fee: Usd;
  paidAt: Instant;
  isProvisional: boolean;
};

export interface VenueTrading {
  /** Left out by an account whose cash lies in one place. */
  readonly pockets?: Pockets;
  /** When the venue takes the key no more, as it said last; left out where it never says, null where it has not. */
  readonly keyEndsAt?: () => Instant | null;
  /** Asked before anything is posted or canceled; it knows what the venue answered to what left. */
  readonly pace: Pace;
  /**
   * Says that a process looks after the account's orders. Once said it must be repeated at least every ten seconds, or the
   * venue cancels whatever rests; any number of processes may say it for the same account. Never throws.
   */
  heartbeat(): Promise<HeartbeatOutcome>;
  /** Signs without sending. Throws only on a request the venue could never take (off the tick grid, size not whole cents). */
  signOrder(request: OrderRequest): Promise<NewOrder>;
  /** Sends signed orders in one call where they fit; answers in their order, and never throws. */
  postOrders(orders: readonly SignedOrder[]): Promise<PostOutcome[]>;
  cancelOrders(orderHashes: readonly OrderName[]): Promise<CancelOutcome[]>;
  /** `marketId`, where it is known, spares reading the account's trades in all markets. */
  lookupOrder(orderHash: OrderName, marketId?: MarketId): Promise<OrderLookup>;
  openOrders(): Promise<VenueOrder[]>;
  /**
   * Our fills of one order. An order takes in the moment in which it arrives, so the `feeRate` of when it was placed is that
   * of the match; null where it is not known, and then that of the market now counts. Throws VenueUnavailable, and UnreadableTrade where a trade names it and cannot be read.
   */
  fillsOfOrder(orderHash: OrderName, marketId: MarketId, feeRate: Fraction | null): Promise<VenueFill[]>;
  /** Our fills matched at or after `since`, without fees, and the orders of ours in trades that cannot be read. Throws VenueUnavailable. */
  fillsSince(since: Instant): Promise<{ fills: Omit<VenueFill, 'fee'>[]; unreadable: string[] }>;
  /** How many trades it has come upon since it was opened that cannot be read, each counted once. */
  unreadableTrades(): number;
  /**
   * Cash that is free to spend, and what of it each contract may move; `balance` with what resting buys have reserved, left out where
   * that is nothing. `pockets`: the cash by the part of the account that it lies in, as `Market.pocket` names them; left out by an account
   * that has one only. `behindMs`: how far the answer may be behind the account's orders; left out where it is not. Throws
   * VenueUnavailable.
   */
  cashBalance(): Promise<{
    cash: Usd;
    balance?: Usd;
    pockets?: ReadonlyMap<string, Usd>;
    allowances: Allowances | null;
    behindMs?: number;
  }>;
  /** Shares held of a token, and how many of them each contract may move. Throws VenueUnavailable. */
  holding(tokenId: TokenId, priority?: ReadPriority): Promise<{ shares: Shares; allowances: Allowances | null }>;
  /**
   * Has the venue look at the chain for the cash and these tokens: what it keeps of both is behind whatever moved there without
   * a trade until it is told to. Throws VenueUnavailable.
   */
  refreshHoldings(tokenIds: readonly TokenId[]): Promise<void>;
  /**
   * All that the account holds, one entry for each token; read with priority `following` unless another is given. The venue may
   * be seconds behind its own trades and may leave out less than a tenth of a share; entries that cannot be read are left out
   * and logged. Throws VenueUnavailable, also where the list does not end.
   */
  positions(priority?: ReadPriority): Promise<VenuePosition[]>;
  /**
   * What was paid since then, or as far back as the venue says, with all of it or not at all. Left out where shares are redeemed by calls
   * of contracts. Throws VenueUnavailable, also where one cannot be read.
   */
  payouts?(since: Instant | null): Promise<VenuePayout[]>;
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
  /** The venues whose ids its reads and streams know. */
  readonly names: readonly VenueName[];
  readonly catalogue: VenueCatalogue;
  readonly prices: VenuePrices;
  /** null when the venue is read only. */
  readonly trading: VenueTrading | null;
  /** null when the venue is read only, or has no chain, or none is configured. */
  readonly chain: VenueChain | null;
  /** The venue's own clock, in whole seconds. Throws VenueUnavailable. */
  serverTime(): Promise<Instant>;
  openMarketStream(events: MarketStreamEvents): MarketStream;
  openUserStream(events: UserStreamEvents): UserStream;
  /** The venue itself answers the next question about any market, whatever is kept of it here. */
  forget(): void;
  close(): Promise<void>;
}
