import type { Market, Token } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { Follows } from '../follows.ts';
import type { Pace } from '../options.ts';
import { readFrames, readRestBook, type UpstreamFrame } from '../upstream/frames.ts';
import { UpstreamSocket } from '../upstream/socket.ts';
import type { MirroredBooks } from './mirrored-books.ts';

export interface FeedParts {
  readonly engine: MatchingEngine;
  readonly books: MirroredBooks;
  readonly url: string;
  readonly pace: Pace;
  /** Books of tokens as REST answers them. @throws without an answer */
  readonly readBooks: (tokenIds: readonly string[]) => Promise<readonly unknown[]>;
  /** The venue says that a market is resolved. */
  readonly onResolved: (conditionId: string) => void;
  /** Sends on a frame of a market as it came. @returns false where it has to be said anew */
  readonly sendOn: (market: Market, text: string, isCustom: boolean) => boolean;
  readonly onTrade: (token: Token, frame: Extract<UpstreamFrame, { kind: 'trade' }>) => void;
  readonly onBook: (market: Market) => void;
  /** The books of a connection are there again. */
  readonly onBack: () => void;
}

const TOKENS_PER_READ = 100;
const GATHER_MS = 20;

/** Follows the markets that matter here on the market channel of the real venue, some per connection. */
export class BookFeed {
  readonly #parts: FeedParts;
  readonly #shards: Shard[] = [];
  readonly #shardOf = new Map<Market, Shard>();
  readonly #wanted = new Follows<Market>(
    (market) => this.#begin(market),
    (market) => this.#leaveLater(market),
  );
  readonly #leaving = new Map<Market, NodeJS.Timeout>();
  readonly #waiting = new Map<Market, Set<() => void>>();
  /** When the venue last sent anything, in ms since 1970. */
  lastFrameAt: number | null = null;
  unreadable = 0;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  get connected(): boolean {
    return this.#shards.length > 0 && this.#shards.every(({ isOpen }) => isOpen);
  }

  /** How many markets are followed. */
  get size(): number {
    return this.#shardOf.size;
  }

  /** How many of them have their book. */
  liveBooks(): number {
    let count = 0;
    for (const market of this.#shardOf.keys()) if (market.hasBooks) count += 1;
    return count;
  }

  followed(): IterableIterator<Market> {
    return this.#shardOf.keys();
  }

  follow(market: Market): void {
    this.#wanted.follow(market);
  }

  unfollow(market: Market): void {
    this.#wanted.unfollow(market);
  }

  /** Whether the book of a market was followed and is out of reach. */
  isCutOff(market: Market): boolean {
    const shard = this.#shardOf.get(market);
    return !market.hasBooks && shard?.lost.has(market) === true;
  }

  /** Resolves with whether the book of a market is there, at the latest after `withinMs`. */
  untilLive(market: Market, withinMs: number): Promise<boolean> {
    if (market.hasBooks) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(market) ?? new Set();
      this.#waiting.set(market, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve(market.hasBooks);
      };
      const timer = setTimeout(done, withinMs).unref();
      waiting.add(done);
    });
  }

  close(): void {
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    for (const shard of this.#shards) shard.close();
    for (const waiting of this.#waiting.values()) for (const done of [...waiting]) done();
  }

  #open(): Shard {
    const shard = new Shard({
      ...this.#parts,
      onFrame: (frame, text) => this.#apply(frame, text),
      onText: () => {
        this.lastFrameAt = Date.now();
      },
    });
    this.#shards.push(shard);
    return shard;
  }

  #begin(market: Market): void {
    clearTimeout(this.#leaving.get(market));
    this.#leaving.delete(market);
    if (this.#shardOf.has(market)) return;
    const shard = this.#shards.find((one) => one.hasRoom) ?? this.#open();
    this.#shardOf.set(market, shard);
    shard.add(market);
  }

  #leaveLater(market: Market): void {
    const timer = setTimeout(() => this.#leave(market), this.#parts.pace.lingerMs).unref();
    this.#leaving.set(market, timer);
  }

  #leave(market: Market): void {
    this.#leaving.delete(market);
    const shard = this.#shardOf.get(market);
    this.#shardOf.delete(market);
    shard?.remove(market);
    this.#parts.books.leave(market);
  }

  #applyLevels({ levels, at }: Extract<UpstreamFrame, { kind: 'levels' }>, text: string | undefined): void {
    const { engine, books, sendOn } = this.#parts;
    const changed = byMarket(levels, engine);
    for (const [market, ofMarket] of changed) {
      const isSent = text !== undefined && changed.size === 1 && sendOn(market, text, false);
      if (isSent) books.noteSentOn(market, ofMarket, at);
      else books.change(market, ofMarket, at);
    }
  }

  /** `text`: what came, where the frame is all of it. */
  #apply(frame: UpstreamFrame, text?: string): void {
    const { engine, books, sendOn, onResolved, onTrade } = this.#parts;
    if (frame.kind === 'resolved') {
      onResolved(frame.conditionId);
      return;
    }
    if (frame.kind === 'levels') {
      this.#applyLevels(frame, text);
      return;
    }
    const token = engine.directory.token(frame.tokenId);
    if (frame.kind === 'best') {
      if (token !== undefined && text !== undefined) sendOn(token.market, text, true);
      return;
    }
    if (frame.kind === 'unreadable') this.unreadable += 1;
    if (token === undefined || !this.#shardOf.has(token.market)) return;
    // An unreadable frame leaves the book unknown.
    if (frame.kind === 'unreadable') this.#shardOf.get(token.market)?.reconnect();
    if (frame.kind === 'trade') {
      books.trade(token, frame);
      onTrade(token, frame);
    }
    if (frame.kind === 'tick' && frame.tick !== token.market.tick) engine.setTickSize(token.market, frame.tick);
    if (frame.kind !== 'book') return;
    books.replace(token, frame);
    this.#parts.onBook(token.market);
    const shard = this.#shardOf.get(token.market);
    if (shard?.found(token.market) === true) this.#parts.onBack();
    for (const done of [...(this.#waiting.get(token.market) ?? [])]) done();
    this.#waiting.delete(token.market);
  }
}

function byMarket<Level extends { readonly tokenId: string }>(
  levels: readonly Level[],
  { directory }: MatchingEngine,
): Map<Market, Level[]> {
  const found = new Map<Market, Level[]>();
  for (const level of levels) {
    const market = directory.token(level.tokenId)?.market;
    if (market === undefined) continue;
    const ofMarket = found.get(market);
    if (ofMarket === undefined) found.set(market, [level]);
    else ofMarket.push(level);
  }
  return found;
}

interface ShardParts extends FeedParts {
  readonly onFrame: (frame: UpstreamFrame, text?: string) => void;
  readonly onText: () => void;
}

/** One connection and the markets on it, both outcomes of each. */
class Shard {
  readonly #parts: ShardParts;
  readonly #socket: UpstreamSocket;
  readonly #markets = new Set<Market>();
  readonly #added = new Set<Market>();
  #gathering: NodeJS.Timeout | undefined;
  readonly #snapshots = new Set<NodeJS.Timeout>();
  /** Markets whose book was there before the connection ended. */
  readonly lost = new Set<Market>();

  constructor(parts: ShardParts) {
    this.#parts = parts;
    this.#socket = new UpstreamSocket(`${parts.url}/market`, parts.pace, {
      onOpen: () => this.#opened(),
      onDown: () => this.#down(),
      onText: (text) => {
        parts.onText();
        const frames = readFrames(text);
        for (const frame of frames) parts.onFrame(frame, frames.length === 1 ? text : undefined);
      },
    });
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  get hasRoom(): boolean {
    return 2 * (this.#markets.size + 1) <= this.#parts.pace.tokensPerSocket;
  }

  add(market: Market): void {
    this.#markets.add(market);
    this.#added.add(market);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      if (this.#socket.isOpen) this.#subscribe([...this.#added]);
    }, GATHER_MS).unref();
  }

  remove(market: Market): void {
    this.#markets.delete(market);
    this.#added.delete(market);
    this.lost.delete(market);
    this.#socket.send({ assets_ids: market.tokens, operation: 'unsubscribe' });
  }

  /** The book of a market has come. @returns whether that was the last one that had been lost */
  found(market: Market): boolean {
    return this.lost.delete(market) && this.lost.size === 0;
  }

  reconnect(): void {
    this.#socket.reconnect();
  }

  close(): void {
    clearTimeout(this.#gathering);
    for (const timer of this.#snapshots) clearTimeout(timer);
    this.#socket.close();
  }

  #opened(): void {
    const all = [...this.#markets];
    if (all.length > 0) this.#subscribe(all, true);
  }

  #down(): void {
    for (const market of this.#markets) {
      if (market.hasBooks) this.lost.add(market);
      this.#parts.books.cutOff(market);
    }
  }

  #subscribe(markets: readonly Market[], isFirst = false): void {
    this.#added.clear();
    this.#socket.send({
      assets_ids: markets.flatMap(({ tokens }) => tokens),
      ...(isFirst ? { type: 'market' } : { operation: 'subscribe', type: 'market' }),
      custom_feature_enabled: true,
    });
    this.#readLater(markets, this.#parts.pace.snapshotWaitMs);
  }

  /** Markets whose book does not come on the stream are read over REST. */
  #readLater(markets: readonly Market[], waitMs: number): void {
    const timer = setTimeout(() => {
      this.#snapshots.delete(timer);
      void this.#read(
        markets.filter((market) => !market.hasBooks && this.#markets.has(market)),
        waitMs,
      );
    }, waitMs).unref();
    this.#snapshots.add(timer);
  }

  async #read(missing: readonly Market[], waitedMs: number): Promise<void> {
    if (missing.length === 0 || !this.#socket.isOpen) return;
    for (let from = 0; from < missing.length; from += TOKENS_PER_READ) {
      const part = missing.slice(from, from + TOKENS_PER_READ);
      const books = await this.#parts.readBooks(part.map(({ tokens }) => tokens[0])).catch(() => []);
      if (!this.#socket.isOpen) return;
      for (const raw of books) {
        const book = readRestBook(raw);
        const market = book && this.#parts.engine.directory.token(book.tokenId)?.market;
        if (book !== undefined && market?.hasBooks === false) this.#parts.onFrame(book);
      }
    }
    const { silenceMs } = this.#parts.pace;
    this.#readLater(
      missing.filter((market) => !market.hasBooks),
      Math.min(2 * waitedMs, silenceMs),
    );
  }
}
