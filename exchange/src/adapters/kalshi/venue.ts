import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addShares, minShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { Faults } from '../../faults/faults.ts';
import { matchingFaults } from '../../faults/matching-faults.ts';
import { Makers } from '../../makers/makers.ts';
import { seededRandom } from '../../makers/random.ts';
import type { ExchangeClock, Timers } from '../../matching-engine/clock.ts';
import { type Market, MarketDirectory } from '../../matching-engine/market.ts';
import { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { MatchingFaults } from '../../matching-engine/matching-faults.ts';
import type { TradeRecord } from '../../matching-engine/records.ts';
import { AccountMoves } from './account/account-moves.ts';
import { SeenCash } from './account/seen-cash.ts';
import { Transfers } from './account/transfers.ts';
import { Candles } from './candles.ts';
import { type EventOfVenue, engineListing, listEvents, type MarketOfVenue, noOf, yesOf } from './catalogue/listing.ts';
import { isOpenAt } from './hours.ts';
import { Lifecycle } from './lifecycle.ts';
import { Members, SHARDS } from './members.ts';
import { Fills } from './orders/fills.ts';
import { OrderGroups } from './orders/order-groups.ts';
import { Orders } from './orders/orders.ts';
import { type MarketState, States } from './states.ts';

/** The mirrored markets of a real venue. */
interface MirroredMarkets {
  read(ticker: string): { readonly market: MarketOfVenue; readonly state: MarketState } | undefined;
  /** All that the venue said of a market, which `restore` takes back. */
  raw(ticker: string): unknown;
  restore(raw: unknown): void;
}

/** Where a real venue is mirrored: what stands in for the parts that are made up otherwise. */
export interface MirroredVenue {
  /** A member's first cash, on all shards together. */
  readonly cash: Usd;
  /** The fraction of reachable depth that an order may match; undefined for all of it. */
  readonly share: number | undefined;
  readonly listings: MirroredMarkets;
  /** How many contracts the venue shows before an order that stands here, at its own price; undefined where that is not known. */
  ahead(orderId: string): Shares | undefined;
  follow(ticker: string): void;
  unfollow(ticker: string): void;
  /** Resolves when orders for these markets meet their books. */
  arrival(tickers: readonly string[]): Promise<void>;
  /** Resolves when the books of these markets are there, as far as they can be reached. */
  reading(tickers: readonly string[]): Promise<void>;
}

export interface VenueParts {
  readonly clock: ExchangeClock;
  readonly timers: Timers;
  readonly seed: number;
  /** Times whose events are listed; by default the present. */
  readonly listings?: readonly Instant[];
  readonly mirror?: MirroredVenue;
}

/**
 * The second venue of the simulated exchange: a matching engine of its own on the same clock, whose trades are settled at once,
 * and the orders, fees and states that its wire shows.
 */
export class KalshiVenue {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly events: EventOfVenue[];
  /** Called with the moment at which something was listed anew. */
  onListed: (now: Instant) => void = () => {};
  readonly states: States;
  readonly members: Members;
  readonly seenCash: SeenCash;
  readonly orders: Orders;
  readonly fills: Fills;
  readonly candles: Candles;
  readonly groups: OrderGroups;
  readonly lifecycle: Lifecycle;
  readonly transfers: Transfers;
  readonly moves = new AccountMoves();
  readonly makers: Makers;
  /** How far what members read of their own is behind. */
  readLagMs = 0;
  /** How old changes of books are when they leave; a test sets it. */
  frameAgeMs = 0;
  /** Shards that a balance by shards does not name; a test sets them. */
  leftOutShards: readonly number[] = [];
  /** Older ended orders and fills are in history only; a test sets this time. */
  historyBefore: Instant = instantFromMs(0);
  /** When the attestation of where the owners of keys are runs out; null where that is not said. */
  keysEndAt: Instant | null = null;
  /** Whether nothing trades in the weekly pause of its schedule. */
  keepsHours = false;
  /** Longer pages of lists are cut to this; a test sets it. */
  pageMax = Number.MAX_SAFE_INTEGER;
  readonly seed: number;
  readonly mirror: MirroredVenue | undefined;
  readonly #markets: Map<string, MarketOfVenue>;

  constructor({ clock, timers, seed, mirror, listings = mirror === undefined ? [clock.now()] : [] }: VenueParts) {
    const now = clock.now();
    this.seed = seed;
    this.mirror = mirror;
    this.faults = new Faults(seededRandom(seed + 4).unit);
    const events = listings.flatMap(listEvents);
    this.events = [...new Map(events.map((event) => [event.ticker, event])).values()];
    this.#markets = new Map(this.events.flatMap(({ markets }) => markets.map((market) => [market.ticker, market])));
    this.engine = new MatchingEngine({
      clock,
      directory: new MarketDirectory(this.events.map(engineListing), now),
      faults: mirror === undefined ? matchingFaults(this.faults) : withShare(matchingFaults(this.faults), mirror),
      settle: (trade) => this.#settle(trade),
      expiresEarlyMs: 0,
      chargesTakers: false,
    });
    this.states = new States(this.#markets.values(), now);
    this.seenCash = new SeenCash(this.engine.balances, () => clock.now());
    this.members = new Members(this.engine.balances, mirror && ((shard) => partOf(mirror.cash, shard)));
    this.fills = new Fills(this);
    this.candles = new Candles(this);
    this.orders = new Orders(this);
    this.groups = new OrderGroups(this);
    this.lifecycle = new Lifecycle(this);
    this.transfers = new Transfers(this);
    this.makers = new Makers(this.engine, this.engine.directory.events, seededRandom(seed + 5), timers);
    this.lifecycle.schedule(this.events);
    if (mirror === undefined) this.#waitForQuarter();
  }

  /** Whether a part of the exchange takes orders now. */
  isTrading(shard: number): boolean {
    return this.states.shard(shard).tradingActive && (!this.keepsHours || isOpenAt(this.engine.clock.now()));
  }

  /** Short markets go on being listed, as at the real venue: with each quarter of an hour those that are not known yet. */
  #waitForQuarter(): void {
    const { clock } = this.engine;
    clock.schedule(QUARTER_MS - (clock.now() % QUARTER_MS), () => {
      this.#listAnew(clock.now());
      this.#waitForQuarter();
    });
  }

  #listAnew(now: Instant): void {
    const known = new Set(this.events.map(({ ticker }) => ticker));
    const added = listEvents(now).filter(({ ticker }) => !known.has(ticker));
    if (added.length === 0) return;
    this.events.push(...added);
    const markets = added.flatMap((event) => event.markets);
    for (const market of markets) this.#markets.set(market.ticker, market);
    this.states.add(markets, now);
    const listings = added.map(engineListing);
    for (const listing of listings) this.engine.directory.list(listing, now);
    this.makers.add(listings);
    this.lifecycle.schedule(added);
    this.onListed(now);
  }

  /** A mirrored market is listed here when it is first asked for. */
  market(ticker: string): MarketOfVenue | undefined {
    return this.#markets.get(ticker) ?? this.#takeMirrored(ticker);
  }

  isListed(ticker: string): boolean {
    return this.#markets.has(ticker);
  }

  #takeMirrored(ticker: string): MarketOfVenue | undefined {
    const read = this.mirror?.listings.read(ticker);
    if (read === undefined) return undefined;
    const { market, state } = read;
    this.#markets.set(ticker, market);
    this.states.add([market], state.updatedAt);
    Object.assign(this.states.of(market), state);
    this.engine.directory.list(engineListing(market.event), state.updatedAt);
    Object.assign(this.matched(market), { hasBooks: false, isAccepting: state.status === 'active' });
    return market;
  }

  /** Takes a market of a venue that is mirrored out again, in which nothing was ordered: the next question lists it anew. */
  forget(ticker: string): void {
    const market = this.#markets.get(ticker);
    if (market === undefined) return;
    this.#markets.delete(ticker);
    this.states.forget(market);
    this.engine.directory.unlist(ticker);
  }

  allMarkets(): readonly MarketOfVenue[] {
    return [...this.#markets.values()];
  }

  /** Whether a market was paid so long ago that only the lists of history have it. */
  isArchived(market: MarketOfVenue): boolean {
    const { settledAt } = this.states.of(market);
    return settledAt !== null && settledAt < this.historyBefore;
  }

  /** The market in the matching engine. */
  matched({ ticker }: MarketOfVenue): Market {
    const market = this.engine.directory.market(ticker);
    if (market === undefined) throw new Error(`${ticker} is not listed`);
    return market;
  }

  /** Whether the book of a market is what it is at the venue: one that is mirrored may be out of reach while it trades. */
  isKnown(market: MarketOfVenue): boolean {
    const { hasBooks } = this.matched(market);
    return hasBooks || this.states.of(market).status !== 'active';
  }

  /** Plus is YES, minus NO. */
  position(pocket: string, ticker: string): number {
    const { balances } = this.engine;
    return balances.tokens(pocket, yesOf(ticker)) - balances.tokens(pocket, noOf(ticker));
  }

  /** Settles a trade at once; an account keeps both YES and NO of one market only where it does not net. */
  #settle(trade: TradeRecord): void {
    const { balances } = this.engine;
    for (const credit of trade.transfer.credits) balances.credit(credit);
    trade.status = 'CONFIRMED';
    for (const { account } of [trade.taker, ...trade.makers]) this.#net(account, trade.conditionId);
    this.fills.note(trade);
  }

  #net(pocket: string, ticker: string): void {
    if (!this.members.nets(pocket)) return;
    const { balances } = this.engine;
    const [yes, no] = [yesOf(ticker), noOf(ticker)];
    const pairs = minShares(balances.freeTokens(pocket, yes), balances.freeTokens(pocket, no));
    if (pairs <= 0) return;
    for (const tokenId of [yes, no]) balances.debit({ account: pocket, usd: USD_ZERO, tokenId, shares: pairs });
    balances.credit({ account: pocket, usd: pairs as number as Usd, tokenId: '', shares: SHARES_ZERO });
  }
}

const QUARTER_MS = 900_000;
const CENT = 10_000;

/** A shard's part of what a member begins with, in whole cents; the first has what is left over. */
export function partOf(cash: Usd, shard: number): Usd {
  const part = Math.floor(cash / SHARDS.length / CENT) * CENT;
  return (shard === 0 ? cash - part * (SHARDS.length - 1) : part) as Usd;
}

function withShare(faults: MatchingFaults, mirror: MirroredVenue): MatchingFaults {
  return { ...faults, partialFill: (tokenId) => faults.partialFill(tokenId) ?? mirror.share };
}

/** All that is offered on a side of a market, best price first, in the prices of YES. */
export function levelsOf({ book }: Market, side: 'bid' | 'ask'): { price: Price; size: Shares }[] {
  return book.sizes(side).map(({ price, total }) => ({ price, size: addShares(total, SHARES_ZERO) }));
}
