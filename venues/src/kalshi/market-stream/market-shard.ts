import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { UnitError } from '@dutchbook/units/micro.ts';
import type { MarketStreamEvents, VenueRuntime } from '../../venue.ts';
import type { StreamConfig } from '../config.ts';
import { marketIdOf, tokenIdOf } from '../ids.ts';
import type { Signer } from '../signing.ts';
import { readTickGrid } from '../tick-bands.ts';
import { deltaMessage, lifecycleMessage, snapshotMessage, type WireFrame, wireFrame } from '../wire.ts';
import { readBids, readChange } from './market-books.ts';
import { MarketFeed } from './market-feed.ts';
import { Sequence } from './sequence.ts';
import { SignedSocket } from './socket.ts';

export type ShardParts = {
  url: string;
  config: StreamConfig;
  signer: Signer;
  runtime: VenueRuntime;
  events: MarketStreamEvents;
  /** The latest possible time by the venue's clock. */
  venueNow: () => Instant;
  /** Trading in a market has stopped or goes on. */
  onActivity: (ticker: string) => void;
};

/** Errors that end a subscription: the others refuse a command. */
const ENDING_ERRORS = new Set([10, 25]);
const BOOKS = 'orderbook_delta';
const LIFECYCLE = 'market_lifecycle_v2';
const RECOVERS_EVERY_MS = 1_000;

/**
 * One socket and its one subscription to books. A number that is left out makes all of them stale at once; the venue is asked for
 * all of them again, and each is live from its snapshot on.
 */
export class MarketShard {
  readonly #parts: ShardParts;
  readonly #feeds = new Map<string, MarketFeed>();
  readonly #socket: SignedSocket;
  readonly #verifyTimer: NodeJS.Timeout;
  #sequence = new Sequence();
  #sid: number | null = null;
  #lastId = 0;
  /** The command that has asked for snapshots of books of which none is known to be wrong. */
  #verifyingId: number | null = null;
  #snapshotTimer: NodeJS.Timeout | undefined;
  #recoveryTimer: NodeJS.Timeout | undefined;
  /** A gap has come since the snapshots were asked for. */
  #isGapOpen = false;

  constructor(parts: ShardParts) {
    this.#parts = parts;
    this.#socket = new SignedSocket(parts, {
      onOpen: () => this.#subscribe(),
      onDown: () => this.#loseAll(),
      onFrame: (text) => this.#receive(text),
    });
    this.#verifyTimer = setInterval(() => this.#verify(), parts.config.verifyEveryMs);
  }

  get size(): number {
    return this.#feeds.size;
  }

  get isConnected(): boolean {
    return this.#socket.isOpen;
  }

  get staleMarkets(): number {
    return [...this.#feeds.values()].filter(({ trust }) => trust === 'stale').length;
  }

  feed(ticker: string): MarketFeed | undefined {
    return this.#feeds.get(ticker);
  }

  add(tickers: readonly string[]): void {
    const now = this.#parts.runtime.now();
    for (const ticker of tickers) this.#feeds.set(ticker, new MarketFeed(ticker, now));
    this.#update('add_markets', tickers);
    this.#awaitSnapshots();
  }

  remove(tickers: readonly string[]): void {
    for (const ticker of tickers) this.#feeds.delete(ticker);
    this.#update('delete_markets', tickers);
  }

  async close(): Promise<void> {
    clearInterval(this.#verifyTimer);
    clearTimeout(this.#snapshotTimer);
    clearTimeout(this.#recoveryTimer);
    await this.#socket.close();
  }

  #subscribe(): void {
    this.#sid = null;
    this.#sequence = new Sequence();
    this.#verifyingId = null;
    if (this.#feeds.size === 0) return;
    const params = { channels: [BOOKS], market_tickers: [...this.#feeds.keys()], use_yes_price: false };
    this.#socket.send({ id: ++this.#lastId, cmd: 'subscribe', params });
    this.#socket.send({ id: ++this.#lastId, cmd: 'subscribe', params: { channels: [LIFECYCLE] } });
    this.#awaitSnapshots();
  }

  /** Before the subscription has its number there is nothing to update: it is made for all of them anyway, or made good then. */
  #update(action: 'add_markets' | 'delete_markets' | 'get_snapshot', tickers: readonly string[]): number | null {
    if (this.#sid === null || tickers.length === 0) return null;
    const id = ++this.#lastId;
    const params = { sids: [this.#sid], action, market_tickers: tickers };
    this.#socket.send({ id, cmd: 'update_subscription', params });
    return id;
  }

  /** A snapshot that does not come says that the connection is no good. */
  #awaitSnapshots(): void {
    clearTimeout(this.#snapshotTimer);
    this.#snapshotTimer = setTimeout(() => {
      if (this.#socket.isOpen && [...this.#feeds.values()].every(({ isWhole }) => !isWhole))
        this.#socket.reconnect('no snapshot has come');
    }, this.#parts.config.snapshotWaitMs);
  }

  #verify(): void {
    const whole = [...this.#feeds.values()].filter(({ isWhole }) => isWhole).map(({ ticker }) => ticker);
    this.#verifyingId = this.#update('get_snapshot', whole);
    const missing = [...this.#feeds.values()].filter(({ isWhole }) => !isWhole).map(({ ticker }) => ticker);
    this.#update('get_snapshot', missing);
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (frame === null) {
      this.#gap('a frame could not be read');
      return;
    }
    if (frame.type === 'subscribed') this.#subscribed(frame);
    else if (frame.type === 'error') this.#refused(frame);
    if (frame.sid === this.#sid && frame.seq != null && !this.#sequence.take(frame.seq))
      this.#gap('a number was left out');
    if (frame.type === 'orderbook_snapshot') this.#snapshot(frame);
    else if (frame.type === BOOKS) this.#change(frame);
    else if (frame.type === LIFECYCLE) this.#lifecycle(frame);
  }

  #subscribed({ msg }: WireFrame): void {
    const { sid, channel } = (msg ?? {}) as { sid?: unknown; channel?: unknown };
    if (typeof sid !== 'number' || channel !== BOOKS) return;
    this.#sid = sid;
    // What was added or removed since the command left.
    this.#update('add_markets', [...this.#feeds.keys()]);
  }

  #refused({ msg }: WireFrame): void {
    const { code, msg: reason } = (msg ?? {}) as { code?: unknown; msg?: unknown };
    this.#parts.runtime.log.warn({ code, reason }, 'kalshi stream command refused');
    if (typeof code === 'number' && ENDING_ERRORS.has(code)) this.#socket.reconnect(`the venue ended it with ${code}`);
  }

  #snapshot({ id, msg }: WireFrame): void {
    const parsed = snapshotMessage.safeParse(msg);
    const feed = parsed.success ? this.#feeds.get(parsed.data.market_ticker) : undefined;
    if (!parsed.success) this.#gap('a snapshot could not be read');
    if (!parsed.success || feed === undefined) return;
    try {
      const bids = readBids(parsed.data.yes_dollars_fp, parsed.data.no_dollars_fp);
      const isInSequence = id != null && id === this.#verifyingId;
      const now = this.#parts.runtime.now();
      if (!feed.take(bids, { now, isInSequence }))
        this.#parts.runtime.log.warn({ ticker: feed.ticker }, 'kalshi book differed from the snapshot of the venue');
      this.#publish(feed);
    } catch (error) {
      if (!(error instanceof UnitError)) throw error;
      this.#gap(error.message);
    }
  }

  /** On a socket that is behind, a snapshot would be too: only another one is begun with what is so now. */
  #isLate(venueMs: number | null): boolean {
    if (venueMs === null) return false;
    return elapsedMs(instantFromMs(Math.round(venueMs)), this.#parts.venueNow()) > this.#parts.config.lateMs;
  }

  #change({ msg }: WireFrame): void {
    const parsed = deltaMessage.safeParse(msg);
    if (!parsed.success) {
      this.#gap('a change could not be read');
      return;
    }
    const feed = this.#feeds.get(parsed.data.market_ticker);
    if (feed === undefined) return;
    if (this.#isLate(parsed.data.ts_ms ?? null)) {
      this.#socket.reconnect('changes come late');
      return;
    }
    try {
      const now = this.#parts.runtime.now();
      const wasWhole = feed.isWhole;
      if (!feed.change(readChange(parsed.data), now, parsed.data.ts_ms ?? null))
        this.#gap('a level shrank below nothing');
      else if (wasWhole) this.#publish(feed);
    } catch (error) {
      if (!(error instanceof UnitError)) throw error;
      this.#gap(error.message);
    }
  }

  /** Frames of this channel are about any market of the venue. A result that is a part of a dollar names no winner. */
  #lifecycle({ msg }: WireFrame): void {
    const parsed = lifecycleMessage.safeParse(msg);
    if (!parsed.success || !this.#feeds.has(parsed.data.market_ticker)) return;
    const { market_ticker: ticker, event_type, result, price_ranges } = parsed.data;
    const { events, runtime } = this.#parts;
    if (event_type === 'determined' && (result === 'yes' || result === 'no'))
      events.onResolved(marketIdOf(ticker), tokenIdOf(ticker, result));
    if (event_type === 'activated' || event_type === 'deactivated') this.#parts.onActivity(ticker);
    if (event_type !== 'price_level_structure_updated' || !price_ranges) return;
    try {
      const { tick } = readTickGrid(price_ranges);
      for (const side of ['yes', 'no'] as const) events.onTick(tokenIdOf(ticker, side), tick);
    } catch (error) {
      runtime.log.warn({ ticker, reason: String(error) }, 'kalshi price ranges could not be read');
    }
  }

  /** All books of the subscription may be wrong. */
  #gap(reason: string): void {
    this.#parts.runtime.log.warn({ reason, markets: this.#feeds.size }, 'kalshi books out of sequence, read afresh');
    this.#loseAll();
    // Where the snapshots themselves bring gaps, as one that cannot be read, each answer would ask for all of them again.
    if (this.#recoveryTimer === undefined) this.#recover();
    else this.#isGapOpen = true;
  }

  #recover(): void {
    this.#isGapOpen = false;
    this.#recoveryTimer = setTimeout(() => {
      this.#recoveryTimer = undefined;
      if (this.#isGapOpen) this.#recover();
    }, RECOVERS_EVERY_MS);
    this.#update(
      'get_snapshot',
      [...this.#feeds.values()].filter(({ isWhole }) => !isWhole).map(({ ticker }) => ticker),
    );
    this.#awaitSnapshots();
  }

  #loseAll(): void {
    this.#verifyingId = null;
    const lost = [...this.#feeds.values()].filter((feed) => {
      feed.lose();
      return feed.updateTrust();
    });
    if (lost.length > 0)
      this.#parts.events.onTrust(
        lost.flatMap(({ tokenIds }) => tokenIds),
        'stale',
      );
  }

  #publish(feed: MarketFeed): void {
    const { events } = this.#parts;
    if (feed.updateTrust()) events.onTrust(feed.tokenIds, feed.trust);
    events.onFrame?.(feed.books.yes.venueTimestamp);
    events.onBooks(feed.tokenIds);
  }
}

function readFrame(text: string): WireFrame | null {
  try {
    return wireFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
