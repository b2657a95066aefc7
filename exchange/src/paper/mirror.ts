import { usdToText } from '@dutchbook/units/usd.ts';
import type { FastifyInstance } from 'fastify';
import type { Followers, MarketStream } from '../adapters/polymarket/market-stream.ts';
import type { MirroredParts, PolymarketServer } from '../adapters/polymarket/serve.ts';
import type { Arrival } from '../adapters/polymarket/trading-routes.ts';
import type { Chain } from '../chain/chain.ts';
import type { QuoteSource } from '../makers/makers.ts';
import type { Market } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';
import type { Positions } from '../settlement/positions.ts';
import { BookFeed } from './books/feed.ts';
import { MirroredBooks } from './books/mirrored-books.ts';
import { registerMirroredGamma } from './catalogue/gamma-routes.ts';
import { KeptListings } from './catalogue/kept-listings.ts';
import { MirroredCatalogue } from './catalogue/mirrored-catalogue.ts';
import { CatalogueReader } from './catalogue/reader.ts';
import { registerEndOfRun } from './end-run.ts';
import { paperArrival } from './fills/arrival.ts';
import { Latency } from './fills/latency.ts';
import { StandingOrders } from './fills/standing-orders.ts';
import { type Survival, SurvivalLooks } from './fills/survival.ts';
import { FollowedIds } from './follows.ts';
import { PACE, type Pace, type PaperOptions, type UpstreamAddresses } from './options.ts';
import { passReadsOn } from './rest/pass-through.ts';
import { UpstreamCalls } from './upstream/calls.ts';

export type PolymarketOnPaper = PaperOptions & { readonly upstream: UpstreamAddresses };

export interface PaperMirrorParts {
  readonly options: PolymarketOnPaper;
  readonly engine: MatchingEngine;
  readonly positions: Positions;
  readonly survival: Survival;
  /** Keeps what is listed of the events that the account has to do with; in memory only without it. */
  readonly listingsFile: string | undefined;
}

/** In recordings of the venue a trade carries a time of up to 51 ms after that of the level which it has made smaller. */
const TRADES_LATE_MS = 100;
/** How often it is looked what is left of best levels. */
const SURVIVAL_EVERY_MS = 1_000;

/** Mirrors a real venue: its catalogue, books, trades and results come from there, accounts and orders are of this exchange. */
export class PaperMirror implements MirroredParts, QuoteSource {
  readonly followers: Followers;
  readonly arrival: Arrival;
  readonly #options: PolymarketOnPaper;
  readonly #engine: MatchingEngine;
  readonly #pace: Pace;
  readonly #gamma: UpstreamCalls;
  readonly #clob: UpstreamCalls;
  readonly #catalogue: MirroredCatalogue;
  readonly #reader: CatalogueReader;
  readonly #books: MirroredBooks;
  readonly #feed: BookFeed;
  readonly #latency: Latency;
  readonly #survival: Survival;
  readonly #looks: SurvivalLooks;
  readonly #standing: StandingOrders;
  readonly #listings: KeptListings;
  #onBack: () => void = () => {};
  #passOn: MarketStream['passOn'] = () => {};
  #measuring: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #hasStarted = false;

  constructor({ options, engine, positions, survival, listingsFile }: PaperMirrorParts) {
    this.#options = options;
    this.#engine = engine;
    this.#pace = { ...PACE, ...options.pace };
    this.#gamma = new UpstreamCalls(options.upstream.gamma, this.#pace);
    this.#clob = new UpstreamCalls(options.upstream.clob, this.#pace);
    this.#catalogue = new MirroredCatalogue({ engine, positions });
    this.#reader = new CatalogueReader(this.#gamma, this.#catalogue, this.#pace, () => this.#mattering());
    this.#books = new MirroredBooks(engine);
    this.#feed = new BookFeed({
      ...{ engine, books: this.#books, url: options.upstream.ws, pace: this.#pace },
      readBooks: (tokenIds) => this.#readBooks(tokenIds),
      sendOn: (market, text, isCustom) => this.#sendOn(market, text, isCustom),
      onResolved: (conditionId) => this.#reader.readSoon(conditionId),
      onTrade: (token, trade) => this.#standing.traded(token, trade),
      onBook: (market) => this.#standing.bookReplaced(market),
      onBack: () => this.#onBack(),
    });
    this.#standing = new StandingOrders(engine, this.#books, this.#feed, TRADES_LATE_MS);
    this.#books.onMove = (move) => this.#standing.levelMoved(move);
    this.#latency = new Latency(options.latencyMs);
    this.#survival = survival;
    this.#looks = new SurvivalLooks({ clock: engine.clock, books: this.#books, latency: this.#latency, survival });
    this.#listings = new KeptListings(listingsFile, this.#catalogue);
    this.#catalogue.isKept = (eventId) => this.#listings.isKept(eventId);
    this.#listings.open();
    this.followers = this.#followers();
    this.arrival = paperArrival({
      ...{ engine, feed: this.#feed, fills: options.fills, latency: this.#latency, pace: this.#pace },
    });
  }

  /** Serves the mirrored parts of the wire; the journal has been read by then. */
  serve({ app, marketStream }: PolymarketServer, chain: Chain): void {
    this.#onBack = () => marketStream.answerPings();
    this.#passOn = (...frame) => marketStream.passOn(...frame);
    passReadsOn(app, this.#engine, this.#clob);
    const { bookWaitMs } = this.#pace;
    registerEndOfRun(app, chain, { engine: this.#engine, feed: this.#feed, bookWaitMs });
    this.#standing.start();
    this.#listings.listen(this.#engine);
  }

  registerGamma(app: FastifyInstance): void {
    const kept = { catalogue: this.#catalogue, reader: this.#reader };
    registerMirroredGamma(app, { ...kept, calls: this.#gamma, engine: this.#engine });
  }

  /** The real venue cannot be held back. */
  pause(): void {}

  resume(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#reader.start();
    void this.#measure();
    this.#looking = setInterval(() => this.#lookAtBests(), SURVIVAL_EVERY_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#measuring);
    clearInterval(this.#looking);
    this.#gamma.close();
    this.#clob.close();
    this.#reader.stop();
    this.#feed.close();
    this.#listings.close();
  }

  /** A market in which the account has no order, and has taken nothing, shows what the venue shows. */
  #sendOn(market: Market, text: string, isCustom: boolean): boolean {
    if (!market.hasBooks || this.#standing.has(market) || this.#books.isTakenFrom(market)) return false;
    this.#passOn(market, text, isCustom);
    return true;
  }

  #followers(): Followers {
    const { directory } = this.#engine;
    const marketOf = (tokenId: string) => directory.token(tokenId)?.market;
    const ids = new FollowedIds(this.#feed, marketOf);
    directory.onListed(({ markets }) => ids.listed(markets.flatMap(({ tokens }) => tokens)));
    return {
      follow: (tokenId) => ids.follow(tokenId),
      unfollow: (tokenId) => ids.unfollow(tokenId),
      isCutOff: (tokenId) => {
        const market = marketOf(tokenId);
        return market !== undefined && this.#feed.isCutOff(market);
      },
    };
  }

  /** Markets whose state is read often: followed, ordered in or held. */
  #mattering(): string[] {
    const { balances, directory } = this.#engine;
    const ids = new Set([...this.#feed.followed()].map(({ listing }) => listing.conditionId));
    for (const account of balances.accounts()) {
      for (const tokenId of balances.holdings(account).keys()) {
        const market = directory.token(tokenId)?.market;
        if (market !== undefined && market.payouts === undefined) ids.add(market.listing.conditionId);
      }
    }
    return [...ids];
  }

  async #readBooks(tokenIds: readonly string[]): Promise<readonly unknown[]> {
    const body = JSON.stringify(tokenIds.map((token_id) => ({ token_id })));
    const { text } = await this.#clob.pass('POST', '/books', body);
    const books: unknown = JSON.parse(text);
    return Array.isArray(books) ? (books as unknown[]) : [];
  }

  async #measure(): Promise<void> {
    const beganAtMs = performance.now();
    const answer = await this.#clob.pass('GET', '/time').catch(() => undefined);
    if (answer?.status === 200) this.#latency.note(performance.now() - beganAtMs);
    if (this.#clob.isClosed) return;
    this.#measuring = setTimeout(() => void this.#measure(), this.#pace.latencyEveryMs).unref();
  }

  #lookAtBests(): void {
    this.#looks.look([...this.#feed.followed()].filter(({ hasBooks }) => hasBooks));
  }

  /** How the mirror stands. */
  state() {
    const { fills, upstream, cash } = this.#options;
    const account = this.#engine.register.firstAccount();
    const usd = account === undefined ? cash : this.#engine.balances.cash(account.address);
    return {
      fills,
      upstream: [...new Set(Object.values(upstream).map((address) => new URL(address).hostname))],
      cash: usdToText(usd),
      markets: this.#catalogue.size,
      books: this.#feed.liveBooks(),
      connected: this.#feed.size === 0 ? this.#reader.trouble === null : this.#feed.connected,
      last_frame_at: this.#feed.lastFrameAt,
      left_out: this.#catalogue.leftOut(),
      catalogue_complete: this.#reader.isComplete,
      catalogue_trouble: this.#reader.trouble,
      latency: { ms: this.#latency.ms, samples: this.#latency.samples },
      survival: { share: this.#survival.share ?? null, samples: this.#survival.samples },
    };
  }
}
