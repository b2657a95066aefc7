import { backOffMs } from '@dutchbook/units/back-off.ts';
import { complement, PRICE_ONE, PRICE_ZERO, priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { yesOf } from '../../adapters/kalshi/catalogue/listing.ts';
import type { KalshiVenue } from '../../adapters/kalshi/venue.ts';
import type { Market } from '../../matching-engine/market.ts';
import type { MirroredBooks } from '../books/mirrored-books.ts';
import { isFields, type RawFields, textOf } from '../catalogue/read-listing.ts';
import { Follows } from '../follows.ts';
import type { KalshiPace } from '../options.ts';
import type { UpstreamCalls } from '../upstream/calls.ts';
import type { UpstreamFrame, UpstreamLevel } from '../upstream/frames.ts';
import { decimal, timeOf, touchOf } from './read-listing.ts';
import type { ListingsReader } from './reader.ts';

export interface KalshiFeedParts {
  readonly venue: KalshiVenue;
  readonly books: MirroredBooks;
  /** Takes books one call a market, and trades. */
  readonly calls: UpstreamCalls;
  readonly reader: ListingsReader;
  readonly pace: KalshiPace;
  /** Markets in which the account has an order or shares, which come first. */
  readonly mattering: () => readonly Market[];
  /** Markets in which an order of the account stands, whose trades are read. */
  readonly standing: () => readonly Market[];
  readonly onTrade: (market: Market, trade: Extract<UpstreamFrame, { kind: 'trade' }>) => void;
  readonly onBook: (market: Market) => void;
  /** The venue no longer answers. */
  readonly onCut: () => void;
}

/** When a market was read, on the clock of `performance.now()`. */
interface Followed {
  wholeAtMs: number;
  touch: string;
  /** The list tells another best level than the book had when it was read. */
  isDue: boolean;
  /** Which read of the feed its book was shown by. */
  shownBy: number;
}

const UNREAD = Number.NEGATIVE_INFINITY;
const TRADES_PER_CALL = 200;
/** Trades of a market that are remembered, so that an older page fills nothing again. */
const TRADES_KNOWN = 5 * TRADES_PER_CALL;

/**
 * Follows markets without a key: the list of markets tells the best level of each side of all of them, and whole books come one call a
 * market, for as many as the calls suffice.
 */
export class KalshiFeed {
  readonly #parts: KalshiFeedParts;
  readonly #wanted = new Follows<Market>(
    (market) => this.#followed.set(market, { wholeAtMs: UNREAD, touch: '', isDue: false, shownBy: 0 }),
    (market) => {
      this.#followed.delete(market);
      this.#parts.books.leave(market);
    },
  );
  readonly #followed = new Map<Market, Followed>();
  readonly #tradesSeen = new Map<Market, Set<string>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #reads = 0;
  #heardAtMs = performance.now();
  #failures = 0;
  #isCut = false;
  /** Time of the venue's last answer, in ms since 1970. */
  lastHeardAt: number | null = null;

  constructor(parts: KalshiFeedParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#repeat(this.#parts.pace.touchEveryMs, () => this.readTouches([...this.#followed.keys()]));
    this.#repeat(0, () => this.#readNext());
    this.#repeat(this.#parts.pace.tradesEveryMs, () => this.#readTrades());
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  follow(market: Market): void {
    this.#wanted.follow(market);
  }

  unfollow(market: Market): void {
    this.#wanted.unfollow(market);
  }

  isFollowed(market: Market): boolean {
    return this.#wanted.has(market);
  }

  get size(): number {
    return this.#followed.size;
  }

  get connected(): boolean {
    return !this.#isCut;
  }

  followed(): IterableIterator<Market> {
    return this.#followed.keys();
  }

  /** How many books are read whole, and how old the oldest of them is; null before all of them have been read. */
  wholeBooks(): { books: number; oldestMs: number | null } {
    const ages = [...this.#whole()].map(
      (market) => performance.now() - (this.#followed.get(market)?.wholeAtMs ?? UNREAD),
    );
    const oldestMs = Math.max(0, ...ages);
    return { books: ages.length, oldestMs: Number.isFinite(oldestMs) ? Math.round(oldestMs) : null };
  }

  /** Reads the whole book of a market now, within a bounded time. @returns whether it came; if not, the book is out of reach */
  async refresh(market: Market): Promise<boolean> {
    const { calls, books, pace } = this.#parts;
    const read = ++this.#reads;
    try {
      const path = `/markets/${encodeURIComponent(market.listing.id)}/orderbook`;
      const levels = await calls.read(path, (body) => levelsIn(body, market), pace.bookWaitMs);
      this.#heard();
      const followed = this.#followed.get(market);
      if (followed !== undefined && !isNewer(followed, read)) return true;
      if (followed !== undefined)
        Object.assign(followed, { wholeAtMs: performance.now(), isDue: false, shownBy: read });
      // The venue may have closed it while the book was on its way.
      if (this.#isOpen(market)) this.#show(market, levels);
      return true;
    } catch {
      if (!calls.isClosed) books.cutOff(market);
      return false;
    }
  }

  /** Ends the book of a market that is traded no more. */
  ended(market: Market): void {
    if (market.hasBooks) this.#show(market, []);
  }

  #isPaused(market: Market): boolean {
    const { venue } = this.#parts;
    const of = venue.market(market.listing.id);
    return of !== undefined && venue.states.of(of).status === 'inactive';
  }

  #show(market: Market, levels: readonly UpstreamLevel[]): void {
    const { venue, books, calls, onBook } = this.#parts;
    const token = venue.engine.directory.token(yesOf(market.listing.id));
    if (token === undefined) return;
    books.replace(token, {
      kind: 'book',
      tokenId: token.tokenId,
      levels,
      at: calls.clock.latest(),
      tick: undefined,
    });
    onBook(market);
  }

  /**
   * Markets whose books are read whole: all with orders and shares of the account, then those that were followed first. Best levels
   * alone would bring such orders to the front of their queues, and back what was taken of the levels behind.
   */
  #whole(): Set<Market> {
    const whole = new Set<Market>();
    for (const market of this.#parts.mattering())
      if (this.#followed.has(market) && this.#isOpen(market)) whole.add(market);
    for (const market of this.#followed.keys()) {
      if (whole.size >= this.#parts.pace.wholeBooks) break;
      if (this.#isOpen(market)) whole.add(market);
    }
    return whole;
  }

  #isOpen(market: Market): boolean {
    return market.isAccepting || this.#isPaused(market);
  }

  /** Reads the next whole book: of a market whose best level has changed, else the one read longest ago. */
  async #readNext(): Promise<void> {
    const now = performance.now();
    const { bookEveryMs } = this.#parts.pace;
    let next: { market: Market; at: number } | undefined;
    for (const market of this.#whole()) {
      const { wholeAtMs = UNREAD, isDue = false } = this.#followed.get(market) ?? {};
      const at = isDue ? UNREAD : wholeAtMs;
      if (now - at >= bookEveryMs && (next === undefined || at < next.at)) next = { market, at };
    }
    if (next === undefined) return await this.#pause(IDLE_MS);
    const came = await this.refresh(next.market);
    this.#failures = came ? 0 : this.#failures + 1;
    const { backoffMinMs, backoffMaxMs } = this.#parts.pace;
    if (!came) await this.#pause(backOffMs(this.#failures, { firstMs: backoffMinMs, slowestMs: backoffMaxMs }));
  }

  /** Reads of the list, within `withinMs`, how followed markets stand, and the best level of each side. */
  async readTouches(markets: readonly Market[], withinMs?: number): Promise<void> {
    const { reader, venue, pace } = this.#parts;
    if (markets.length === 0) {
      this.#heardAtMs = performance.now();
      return;
    }
    const read = ++this.#reads;
    try {
      const found = await reader.readMarkets(
        markets.map(({ listing }) => listing.id),
        withinMs,
      );
      this.#heard();
      const whole = this.#whole();
      for (const raw of found) {
        const market = isFields(raw) ? venue.engine.directory.market(textOf(raw.ticker)) : undefined;
        if (market !== undefined && isFields(raw)) {
          this.#takeTouch(market, raw, { read, isWhole: whole.has(market) });
        }
      }
    } catch {
      const isLost = performance.now() - this.#heardAtMs >= pace.cutAfterMs;
      if (isLost && !this.#isCut) this.#cut();
    }
  }

  #takeTouch(market: Market, raw: RawFields, { read, isWhole }: { read: number; isWhole: boolean }): void {
    const followed = this.#followed.get(market);
    if (followed === undefined || !this.#isOpen(market) || !isNewer(followed, read)) return;
    const levels = touchOf(raw);
    const touch = JSON.stringify(levels);
    followed.isDue ||= followed.touch !== touch;
    followed.touch = touch;
    if (isWhole) return;
    followed.shownBy = read;
    const tokenId = yesOf(market.listing.id);
    this.#show(
      market,
      levels.map((level) => ({ ...level, tokenId })),
    );
  }

  /** Trades of the venue in markets in which an order of the account stands. */
  async #readTrades(): Promise<void> {
    const { standing, calls } = this.#parts;
    const markets = new Set(standing());
    for (const market of this.#tradesSeen.keys()) if (!markets.has(market)) this.#tradesSeen.delete(market);
    for (const market of markets) {
      const query = new URLSearchParams({ ticker: market.listing.id, limit: String(TRADES_PER_CALL) });
      const trades = await calls.read(`/markets/trades?${query}`, (body) => tradesIn(body, market)).catch(() => []);
      const seen = this.#tradesSeen.get(market) ?? new Set<string>();
      this.#tradesSeen.set(market, seen);
      for (const { id, ...trade } of trades.toReversed()) {
        if (seen.has(id)) continue;
        seen.add(id);
        this.#parts.onTrade(market, trade);
      }
      for (const id of seen) {
        if (seen.size <= TRADES_KNOWN) break;
        seen.delete(id);
      }
    }
  }

  #heard(): void {
    this.#heardAtMs = performance.now();
    this.lastHeardAt = Date.now();
    this.#isCut = false;
  }

  #cut(): void {
    this.#isCut = true;
    for (const market of this.#followed.keys()) this.#parts.books.cutOff(market);
    this.#parts.onCut();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms).unref();
      this.#timers.add(timer);
    });
  }

  #repeat(everyMs: number, work: () => Promise<void>): void {
    const run = async () => {
      while (!this.#parts.calls.isClosed) {
        await work();
        if (everyMs > 0) await this.#pause(everyMs);
      }
    };
    void run();
  }
}

/** How soon it is looked again whether a book is due. */
const IDLE_MS = 50;

/** Bids alone: what NO is bid is what YES is asked for, less than a dollar. A side that is left out is empty. */
function levelsIn(body: unknown, { listing }: Market): UpstreamLevel[] | undefined {
  const book = isFields(body) ? body.orderbook_fp : undefined;
  if (!isFields(book)) return undefined;
  const tokenId = yesOf(listing.id);
  const side = (raw: unknown, of: 'yes' | 'no') =>
    (Array.isArray(raw) ? (raw as unknown[]) : []).map((level): UpstreamLevel | undefined => {
      const [priceText, sizeText] = Array.isArray(level) ? (level as unknown[]) : [];
      const [price, size] = [decimal(priceText, priceFromText), decimal(sizeText, sharesFromText)];
      if (price === undefined || size === undefined || price <= PRICE_ZERO || price >= PRICE_ONE) return undefined;
      return of === 'yes'
        ? { tokenId, side: 'BUY', price, size }
        : { tokenId, side: 'SELL', price: complement(price), size };
    });
  const levels = [...side(book.yes_dollars, 'yes'), ...side(book.no_dollars, 'no')];
  // A level that cannot be read hides what it would have been: the book is not known then.
  return levels.every((level) => level !== undefined) ? levels.filter(({ size }) => size > 0) : undefined;
}

/** Answers may overtake one another: one that was asked for before what is shown is older. */
function isNewer({ shownBy }: Followed, read: number): boolean {
  return read > shownBy;
}

/** Newest first. Block trades meet no order of the book, and those that name no taker's side or time cannot be placed. */
function tradesIn(body: unknown, { listing }: Market) {
  const raw = isFields(body) && Array.isArray(body.trades) ? (body.trades as unknown[]) : undefined;
  return raw?.flatMap((trade) => {
    if (!isFields(trade) || trade.is_block_trade === true || textOf(trade.ticker) !== listing.id) return [];
    const price = decimal(trade.yes_price_dollars, priceFromText);
    const size = decimal(trade.count_fp, sharesFromText);
    const side = TAKER_SIDES.get(textOf(trade.taker_book_side) || textOf(trade.taker_outcome_side));
    const [id, at] = [textOf(trade.trade_id), timeOf(trade.created_time)];
    if (price === undefined || size === undefined || side === undefined || at === null || id === '') return [];
    const tokenId = yesOf(listing.id);
    return {
      id,
      kind: 'trade' as const,
      tokenId,
      side,
      price,
      size,
      at,
    };
  });
}

const TAKER_SIDES: ReadonlyMap<string, 'BUY' | 'SELL'> = new Map([
  ['bid', 'BUY'],
  ['yes', 'BUY'],
  ['ask', 'SELL'],
  ['no', 'SELL'],
]);
