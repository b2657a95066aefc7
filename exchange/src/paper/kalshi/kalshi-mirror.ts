import type { Shares } from '@dutchbook/units/shares.ts';
import { type Usd, usdToText } from '@dutchbook/units/usd.ts';
import { yesOf } from '../../adapters/kalshi/catalogue/listing.ts';
import type { KalshiStream } from '../../adapters/kalshi/stream/stream.ts';
import type { KalshiVenue, MirroredVenue } from '../../adapters/kalshi/venue.ts';
import type { Market } from '../../matching-engine/market.ts';
import { MirroredBooks } from '../books/mirrored-books.ts';
import { Latency } from '../fills/latency.ts';
import { StandingOrders } from '../fills/standing-orders.ts';
import { Survival } from '../fills/survival.ts';
import { FollowedIds } from '../follows.ts';
import { KALSHI_PACE, type KalshiPace, PACE, type PaperOptions } from '../options.ts';
import { UpstreamCalls } from '../upstream/calls.ts';
import { KalshiFeed } from './feed.ts';
import { MirroredListings } from './mirrored-listings.ts';
import { ListingsReader } from './reader.ts';
import { takeShards } from './shards.ts';

export type KalshiOnPaper = PaperOptions & { readonly kalshiUpstream: string };

/** How often it is looked what is left of the best levels of a market, for the fill model that asks. */
const SURVIVAL_EVERY_MS = 5_000;
/** Up to this many markets their whole books are read; of more, the best levels, in one call for all. */
const READ_WHOLE_MAX = 8;
const STATUS_EVERY_MS = 5_000;
/** A book is waited for twice. */
const BOOK_ATTEMPTS = 2;

/** Mirrors Kalshi: its catalogue, books, trades and results come from there, members and orders are of this exchange. */
export class KalshiMirror implements MirroredVenue {
  readonly listings = new MirroredListings();
  readonly calls: UpstreamCalls;
  readonly #options: KalshiOnPaper;
  readonly #pace: KalshiPace;
  readonly #reader: ListingsReader;
  readonly #bookCalls: UpstreamCalls;
  readonly #latency: Latency;
  readonly #survival = new Survival();
  #open: { venue: KalshiVenue; feed: KalshiFeed; books: MirroredBooks; standing: StandingOrders } | undefined;
  /** Markets that were traded in here stay followed until they end. */
  readonly #held = new Set<Market>();
  readonly #visiting = new Map<Market, NodeJS.Timeout>();
  readonly #clients = new FollowedIds(
    {
      follow: (market) => this.#open?.feed.follow(market),
      unfollow: (market) => this.#open?.feed.unfollow(market),
    },
    (ticker) => this.#marketOf(ticker),
  );
  #onCut: () => void = () => {};
  #sweeping: NodeJS.Timeout | undefined;
  #measuring: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(options: KalshiOnPaper) {
    this.#options = options;
    const pace = { ...PACE, ...options.pace };
    this.#pace = { ...KALSHI_PACE, ...options.kalshiPace };
    const { listCallsPerSecond, bookCallsPerSecond, bookTimeoutMs } = this.#pace;
    this.calls = new UpstreamCalls(options.kalshiUpstream, { ...pace, callsPerSecond: listCallsPerSecond });
    const ofBooks = { callsPerSecond: bookCallsPerSecond, attempts: BOOK_ATTEMPTS, timeoutMs: bookTimeoutMs };
    this.#bookCalls = new UpstreamCalls(options.kalshiUpstream, { ...pace, ...ofBooks });
    this.#reader = new ListingsReader(
      ...([this.calls, this.listings, pace] as const),
      (ticker) => this.#open?.venue.isListed(ticker) === true,
    );
    this.#latency = new Latency(options.latencyMs);
  }

  get cash(): Usd {
    return this.#options.cash;
  }

  /** The fraction of reachable depth that an order may match. */
  get share(): number | undefined {
    const { share } = this.#survival;
    return this.#options.fills !== 'survival' || share === 1 ? undefined : share;
  }

  /** Connects what is read with the venue that serves it. */
  open(venue: KalshiVenue): void {
    const books = new MirroredBooks(venue.engine);
    const feed: KalshiFeed = new KalshiFeed({
      ...{ venue, books, calls: this.#bookCalls, reader: this.#reader, pace: this.#pace },
      mattering: () => [...standing.markets(), ...this.#held],
      standing: () => standing.markets(),
      onTrade: (market, trade) => {
        const token = venue.engine.directory.token(yesOf(market.listing.id));
        if (token === undefined || !standing.hadBy(market, trade.at)) return;
        books.trade(token, trade);
        standing.traded(token, trade);
      },
      onBook: (market) => standing.bookReplaced(market),
      onCut: () => this.#onCut(),
    });
    const standing: StandingOrders = new StandingOrders(venue.engine, books, feed, 0);
    books.onMove = (move) => standing.levelMoved(move);
    this.#open = { venue, feed, books, standing };
    this.listings.onLearnt = (ticker) => this.#learnt(ticker);
  }

  /** Begins once the journal has been read: what is held and ordered is followed from then on. */
  start(stream: KalshiStream): void {
    if (this.#open === undefined || this.#looking !== undefined) return;
    const { venue, feed, standing } = this.#open;
    this.#onCut = () => stream.disconnectAll();
    for (const market of mattering(venue)) feed.follow(market);
    standing.start();
    venue.fills.listen({
      traded: () => {},
      filled: ({ order: { ticker } }) => {
        const market = venue.engine.directory.market(ticker);
        if (market !== undefined && !this.#held.has(market)) feed.follow(market);
        if (market !== undefined) this.#held.add(market);
      },
    });
    for (const market of mattering(venue)) this.#held.add(market);
    this.#reader.start();
    feed.start();
    void this.#readStatus();
    const look = () => void (this.#options.fills === 'survival' && this.#lookAtBest());
    this.#looking = setInterval(look, SURVIVAL_EVERY_MS).unref();
    this.#sweeping = setInterval(() => this.#forgetUnused(stream), this.#pace.lingerMs).unref();
  }

  stop(): void {
    clearTimeout(this.#measuring);
    clearInterval(this.#looking);
    clearInterval(this.#sweeping);
    for (const timer of this.#visiting.values()) clearTimeout(timer);
    this.calls.close();
    this.#bookCalls.close();
    this.#reader.stop();
    this.#open?.feed.stop();
  }

  ahead(orderId: string): Shares | undefined {
    return this.#open?.standing.ahead(orderId);
  }

  follow(ticker: string): void {
    this.#clients.follow(ticker);
  }

  unfollow(ticker: string): void {
    this.#clients.unfollow(ticker);
  }

  /** Orders meet books that are read for them, but for `touch` one latency of the real venue later. */
  async arrival(tickers: readonly string[]): Promise<void> {
    const { feed, venue, books } = this.#open ?? {};
    if (feed === undefined || venue === undefined || books === undefined) return;
    if (this.#options.fills !== 'touch')
      await new Promise<void>((resolve) => venue.engine.clock.schedule(this.#latency.ms, resolve));
    const markets = this.#visit(tickers);
    const came = await Promise.all(markets.map((market) => feed.refresh(market)));
    // The list may have shown a best level since: that is not the book as these orders arrive.
    for (const [place, market] of markets.entries()) if (came[place] !== true) books.cutOff(market);
  }

  /** Reads the books of these markets. @returns how many of them are out of reach */
  async readBooks(tickers: readonly string[]): Promise<number> {
    const { feed } = this.#open ?? {};
    const came = await Promise.all(this.#visit(tickers).map((market) => feed?.refresh(market)));
    return came.filter((isThere) => isThere !== true).length;
  }

  async reading(tickers: readonly string[]): Promise<void> {
    const { feed } = this.#open ?? {};
    const missing = this.#visit(tickers).filter(({ hasBooks }) => !hasBooks);
    if (feed === undefined || missing.length === 0) return;
    if (missing.length > READ_WHOLE_MAX) await feed.readTouches(missing, this.#pace.bookWaitMs);
    else await Promise.all(missing.map((market) => feed.refresh(market)));
  }

  /** Has open markets followed for a while, since what was asked for once is often asked for again. */
  #visit(tickers: readonly string[]): Market[] {
    const markets = [...new Set(tickers)].flatMap((ticker) => this.#marketOf(ticker) ?? []);
    const open = markets.filter(({ isAccepting }) => isAccepting);
    for (const market of open) {
      const known = this.#visiting.get(market);
      if (known === undefined) this.#open?.feed.follow(market);
      clearTimeout(known);
      const leave = () => {
        this.#visiting.delete(market);
        this.#open?.feed.unfollow(market);
      };
      this.#visiting.set(market, setTimeout(leave, this.#pace.lingerMs).unref());
    }
    return open;
  }

  state() {
    const { fills, kalshiUpstream, cash } = this.#options;
    const { venue, feed } = this.#open ?? {};
    const member = venue?.members.first();
    const usd = member?.pockets().reduce((sum, pocket) => sum + (venue?.engine.balances.cash(pocket) ?? 0), 0) ?? cash;
    const whole = feed?.wholeBooks();
    return {
      fills,
      upstream: [new URL(kalshiUpstream).hostname],
      cash: usdToText(usd as Usd),
      markets: this.listings.size,
      followed: feed?.size ?? 0,
      matched: venue?.engine.directory.size ?? 0,
      books: whole?.books ?? 0,
      books_max: this.#pace.wholeBooks,
      oldest_book_ms: whole?.oldestMs ?? null,
      venue_ahead_ms: this.#bookCalls.clock.aheadMs,
      connected: feed?.connected === true && this.#reader.trouble === null,
      last_frame_at: feed?.lastHeardAt ?? null,
      left_out: this.listings.leftOut(),
      catalogue_complete: this.#reader.isComplete,
      catalogue_trouble: this.#reader.trouble,
      latency: { ms: this.#latency.ms, samples: this.#latency.samples },
      survival: { share: this.#survival.share ?? null, samples: this.#survival.samples },
    };
  }

  #marketOf(ticker: string): Market | undefined {
    const venue = this.#open?.venue;
    const market = venue?.market(ticker);
    return market && venue?.matched(market);
  }

  /** Updates the market in the matching engine, results too. */
  #learnt(ticker: string): void {
    this.#clients.listed([ticker]);
    const { venue, feed } = this.#open ?? {};
    if (venue === undefined || feed === undefined || !venue.isListed(ticker)) return;
    const [market, read] = [venue.market(ticker), this.listings.read(ticker)];
    if (market === undefined || read === undefined) return;
    Object.assign(market.event, { series: read.market.event.series });
    venue.lifecycle.follow(market, read.state);
    const matched = venue.matched(market);
    if (matched.isAccepting || venue.states.of(market).status === 'inactive') return;
    feed.ended(matched);
    if (venue.states.of(market).status === 'finalized' && this.#held.delete(matched)) feed.unfollow(matched);
  }

  /** Lets go of markets in which nothing is held or ordered any more, and takes out those that nothing needs. */
  #forgetUnused(stream: KalshiStream): void {
    const { venue, feed, books, standing } = this.#open ?? {};
    if (venue === undefined || feed === undefined || books === undefined || standing === undefined) return;
    const held = new Set(heldTickers(venue));
    for (const market of this.#held) {
      const isNeeded = held.has(market.listing.id) || standing.has(market) || books.isTakenFrom(market);
      if (!isNeeded && this.#held.delete(market)) feed.unfollow(market);
    }
    const needed = new Set([...held, ...venue.orders.all().map(({ ticker }) => ticker)]);
    for (const market of venue.engine.directory.all()) {
      const { id } = market.listing;
      if (needed.has(id) || feed.isFollowed(market)) continue;
      books.forget(market);
      stream.forget(id);
      venue.forget(id);
    }
  }

  /** How the parts of the exchange stand, and how long a call takes. */
  async #readStatus(): Promise<void> {
    const beganAtMs = performance.now();
    const answer = await this.#bookCalls.pass('GET', '/exchange/status').catch(() => undefined);
    if (answer?.status === 200) {
      this.#latency.note(performance.now() - beganAtMs);
      if (this.#open !== undefined) takeShards(this.#open.venue.states, answer.text);
    }
    if (this.calls.isClosed) return;
    this.#measuring = setTimeout(() => void this.#readStatus(), STATUS_EVERY_MS).unref();
  }

  /** Reads the book of a market twice, one latency apart. */
  async #lookAtBest(): Promise<void> {
    const { feed, books, venue } = this.#open ?? {};
    const followed = [...(feed?.followed() ?? [])].filter(({ hasBooks, isAccepting }) => hasBooks && isAccepting);
    const market = followed[this.#lookedAt++ % followed.length];
    if (feed === undefined || books === undefined || venue === undefined || market === undefined) return;
    if (!(await feed.refresh(market))) return;
    const bests = (['bid', 'ask'] as const).flatMap((side) => {
      const price = market.book.best(side);
      return price === undefined ? [] : [{ side, price, before: books.shownAt(market, side, price) }];
    });
    await new Promise<void>((resolve) => venue.engine.clock.schedule(this.#latency.ms, resolve));
    if (!(await feed.refresh(market))) return;
    for (const { side, price, before } of bests) this.#survival.note(before, books.shownAt(market, side, price));
  }
}

/** Markets in which members hold something. */
function heldTickers({ engine: { balances, directory }, members }: KalshiVenue): string[] {
  const pockets = members.all().flatMap((member) => member.pockets());
  return pockets.flatMap((pocket) =>
    [...balances.holdings(pocket)].flatMap(([tokenId, shares]) =>
      shares > 0 ? (directory.token(tokenId)?.market.listing.id ?? []) : [],
    ),
  );
}

/** Markets in which members hold something or have orders, and which have not ended. */
function mattering(venue: KalshiVenue): Market[] {
  const tickers = new Set([...venue.orders.resting().map(({ ticker }) => ticker), ...heldTickers(venue)]);
  return [...tickers].flatMap((ticker) => {
    const market = venue.market(ticker);
    return market === undefined || venue.states.of(market).status === 'finalized' ? [] : venue.matched(market);
  });
}
