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
import type { TradeRecord } from '../../matching-engine/records.ts';
import { type EventOfVenue, engineListing, listEvents, type MarketOfVenue, noOf, yesOf } from './catalogue/listing.ts';
import { Lifecycle } from './lifecycle.ts';
import { Members } from './members.ts';
import { Fills } from './orders/fills.ts';
import { Orders } from './orders/orders.ts';
import { States } from './states.ts';
import { Transfers } from './transfers.ts';

export interface VenueParts {
  readonly clock: ExchangeClock;
  readonly timers: Timers;
  readonly seed: number;
  /** Moments whose events are listed; those of now where it is absent. */
  readonly listings?: readonly Instant[];
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
  readonly orders: Orders;
  readonly fills: Fills;
  readonly lifecycle: Lifecycle;
  readonly transfers: Transfers;
  readonly makers: Makers;
  /** How far what members read of their own is behind. */
  readLagMs = 0;
  /** How old changes of books are when they leave; a test sets it. */
  frameAgeMs = 0;
  /** Shards that a balance by shards does not name; a test sets them. */
  leftOutShards: readonly number[] = [];
  /** Orders that ended before this, and fills of before it, are in the lists of history alone; a test sets it. */
  historyBefore: Instant = instantFromMs(0);
  /** When the attestation of where the owners of keys are runs out; null where that is not said. */
  keysEndAt: Instant | null = null;
  /** Longer pages of lists are cut to this; a test sets it. */
  pageMax = Number.MAX_SAFE_INTEGER;
  readonly seed: number;
  readonly #markets: Map<string, MarketOfVenue>;

  constructor({ clock, timers, seed, listings = [clock.now()] }: VenueParts) {
    const now = clock.now();
    this.seed = seed;
    this.faults = new Faults(seededRandom(seed + 4).unit);
    const events = listings.flatMap(listEvents);
    this.events = [...new Map(events.map((event) => [event.ticker, event])).values()];
    this.#markets = new Map(this.events.flatMap(({ markets }) => markets.map((market) => [market.ticker, market])));
    this.engine = new MatchingEngine({
      clock,
      directory: new MarketDirectory(this.events.map(engineListing), now),
      faults: matchingFaults(this.faults),
      settle: (trade) => this.#settle(trade),
      expiresEarlyMs: 0,
      chargesTakers: false,
    });
    this.states = new States(this.#markets.values(), now);
    this.members = new Members(this.engine.balances);
    this.fills = new Fills(this);
    this.orders = new Orders(this);
    this.lifecycle = new Lifecycle(this);
    this.transfers = new Transfers(this);
    this.makers = new Makers(this.engine, this.engine.directory.events, seededRandom(seed + 5), timers);
    this.lifecycle.schedule(this.events);
    this.#waitForQuarter();
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

  market(ticker: string): MarketOfVenue | undefined {
    return this.#markets.get(ticker);
  }

  allMarkets(): readonly MarketOfVenue[] {
    return [...this.#markets.values()];
  }

  /** What the matching engine keeps of a market. */
  matched({ ticker }: MarketOfVenue): Market {
    const market = this.engine.directory.market(ticker);
    if (market === undefined) throw new Error(`${ticker} is not listed`);
    return market;
  }

  /** Plus is YES, minus NO. */
  position(pocket: string, ticker: string): number {
    const { balances } = this.engine;
    return balances.tokens(pocket, yesOf(ticker)) - balances.tokens(pocket, noOf(ticker));
  }

  /** What a trade brings is there at once; of YES and NO of one market an account never keeps both. */
  #settle(trade: TradeRecord): void {
    const { balances } = this.engine;
    for (const credit of trade.transfer.credits) balances.credit(credit);
    trade.status = 'CONFIRMED';
    this.fills.note(trade);
    for (const { account } of [trade.taker, ...trade.makers]) this.#net(account, trade.conditionId);
  }

  #net(pocket: string, ticker: string): void {
    const { balances } = this.engine;
    const [yes, no] = [yesOf(ticker), noOf(ticker)];
    const pairs = minShares(balances.freeTokens(pocket, yes), balances.freeTokens(pocket, no));
    if (pairs <= 0) return;
    for (const tokenId of [yes, no]) balances.debit({ account: pocket, usd: USD_ZERO, tokenId, shares: pairs });
    balances.credit({ account: pocket, usd: pairs as number as Usd, tokenId: '', shares: SHARES_ZERO });
  }
}

const QUARTER_MS = 900_000;

/** All that is offered on a side of a market, best price first, in the prices of YES. */
export function levelsOf({ book }: Market, side: 'bid' | 'ask'): { price: Price; size: Shares }[] {
  return book.levels(side).map(({ price, total }) => ({ price, size: addShares(total, SHARES_ZERO) }));
}
