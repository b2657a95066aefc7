import type { Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { drawResults } from './catalogue/draw-results.ts';
import { type EventOfVenue, type MarketOfVenue, noOf, yesOf } from './catalogue/listing.ts';
import { moveCash } from './members.ts';
import { type MarketResult, type MarketState, type MarketStatus, resultOf } from './states.ts';
import type { KalshiVenue } from './venue.ts';

/** The settlement of an account in a market. */
export interface SettlementRow {
  readonly pocket: string;
  readonly ticker: string;
  readonly yes: Shares;
  readonly no: Shares;
  readonly yesPays: Price;
  readonly result: MarketResult;
  readonly revenue: Usd;
  readonly at: Instant;
}

export type LifecycleChange = 'deactivated' | 'activated' | 'close_date_updated' | 'determined' | 'settled' | 'ticks';
export type LifecycleListener = (market: MarketOfVenue, change: LifecycleChange) => void;

/** From open to paid out: pauses, the end of trading, results, and what they pay. */
export class Lifecycle {
  readonly settlements: SettlementRow[] = [];
  readonly #venue: KalshiVenue;
  readonly #listeners: LifecycleListener[] = [];

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
  }

  listen(listener: LifecycleListener): void {
    this.#listeners.push(listener);
  }

  /** Has every market of these close by the clock. */
  schedule(events: readonly EventOfVenue[]): void {
    const { clock } = this.#venue.engine;
    for (const market of events.flatMap(({ markets }) => markets))
      clock.schedule(Math.max(0, market.closesAt - clock.now()), () => {
        if (this.#state(market).closesAt === market.closesAt) this.close(market);
      });
    for (const event of events) {
      const until = (ms: number) => Math.max(0, event.closesAt + ms - clock.now());
      clock.schedule(until(DETERMINED_AFTER_MS), () => this.#draw(event));
      clock.schedule(until(FINALIZED_AFTER_MS), () => {
        for (const market of event.markets) if (this.#state(market).status === 'determined') this.finalize(market);
      });
    }
  }

  /** Draws the results of an event that has ended by the clock; results given before stay. */
  #draw(event: EventOfVenue): void {
    const open = event.markets.filter((market) => this.#state(market).status === 'closed');
    if (open.length < event.markets.length) return;
    const results = drawResults(event, this.#venue.seed);
    for (const [place, market] of event.markets.entries())
      this.determine(market, results[place] === true ? PRICE_ONE : PRICE_ZERO);
  }

  /** Trading ends, whatever the clock says. */
  close(market: MarketOfVenue): void {
    const state = this.#state(market);
    if (state.status !== 'active' && state.status !== 'inactive') return;
    this.#set(market, 'closed');
    const now = this.#venue.engine.clock.now();
    if (state.closesAt > now) {
      state.closesAt = now;
      this.#tell(market, 'close_date_updated');
    }
    this.#cancelAll(market, 'CloseCancel', () => true);
    this.#venue.engine.replaceQuotes(this.#venue.matched(market), []);
  }

  /** Orders that are to go with a pause go at once, the others when trading goes on. */
  halt(market: MarketOfVenue): void {
    if (this.#state(market).status !== 'active') return;
    this.#set(market, 'inactive');
    this.#cancelAll(market, 'HaltCancel', ({ cancelsOnPause }) => cancelsOnPause);
    this.#tell(market, 'deactivated');
  }

  resume(market: MarketOfVenue): void {
    if (this.#state(market).status !== 'inactive') return;
    this.#cancelAll(market, 'HaltCancel', () => true);
    this.#set(market, 'active');
    this.#tell(market, 'activated');
  }

  /** Says what YES pays; that may be said otherwise until it is paid out. */
  determine(market: MarketOfVenue, yesPays: Price, status: 'determined' | 'disputed' | 'amended' = 'determined'): void {
    this.close(market);
    const state = this.#state(market);
    if (state.status === 'finalized') return;
    state.yesPays = yesPays;
    this.#set(market, status);
    this.#tell(market, 'determined');
  }

  /** Pays out, in whole cents. */
  finalize(market: MarketOfVenue): void {
    const state = this.#state(market);
    if (state.yesPays === null || state.status === 'finalized') return;
    const now = this.#venue.engine.clock.now();
    state.settledAt = now;
    this.#set(market, 'finalized');
    for (const pocket of this.#venue.engine.balances.accounts()) this.#pay(pocket, market, state.yesPays, now);
    this.#tell(market, 'settled');
  }

  /** Brings a market to what the venue that is mirrored says of it, with all that follows from that here. */
  follow(market: MarketOfVenue, stated: MarketState): void {
    const state = this.#state(market);
    if (state.status === 'finalized') return;
    const { closesAt, ranges } = state;
    if (!isDecided(stated.status) || stated.yesPays === null) this.#moveTo(market, stated.status);
    else if (stated.status === 'finalized') {
      if (state.yesPays !== stated.yesPays) this.determine(market, stated.yesPays);
      this.finalize(market);
    } else if (state.status !== stated.status || state.yesPays !== stated.yesPays)
      this.determine(market, stated.yesPays, stated.status);
    const { feeWaivedUntil, updatedAt } = stated;
    Object.assign(state, { feeWaivedUntil, updatedAt, closesAt: stated.closesAt, ranges: stated.ranges });
    if (closesAt !== stated.closesAt) this.#tell(market, 'close_date_updated');
    if (JSON.stringify(ranges) !== JSON.stringify(stated.ranges)) this.#tell(market, 'ticks');
  }

  /** To a status before anything is decided. */
  #moveTo(market: MarketOfVenue, status: MarketStatus): void {
    const state = this.#state(market);
    const before = state.status;
    if (status === before) return;
    // A result that is taken back is none until there is another.
    state.yesPays = null;
    if (status === 'closed' && !isDecided(before)) this.close(market);
    else if (status === 'inactive' && before === 'active') this.halt(market);
    else if (status === 'active' && before === 'inactive') this.resume(market);
    else {
      this.#set(market, status);
      if (status === 'active') this.#tell(market, 'activated');
    }
  }

  /** A step between prices, or the rules, or something else was changed from outside. */
  changed(market: MarketOfVenue, change: LifecycleChange): void {
    this.#state(market).updatedAt = this.#venue.engine.clock.now();
    this.#tell(market, change);
  }

  #pay(pocket: string, market: MarketOfVenue, yesPays: Price, at: Instant): void {
    const { balances } = this.#venue.engine;
    const { ticker } = market;
    const [yes, no] = [balances.tokens(pocket, yesOf(ticker)), balances.tokens(pocket, noOf(ticker))];
    if (yes === SHARES_ZERO && no === SHARES_ZERO) return;
    const exact = notional(yes, yesPays, 'down') + notional(no, (PRICE_ONE - yesPays) as Price, 'down');
    const revenue = (Math.floor(exact / CENT) * CENT) as Usd;
    for (const [tokenId, shares] of [
      [yesOf(ticker), yes],
      [noOf(ticker), no],
    ] as const)
      balances.debit({ account: pocket, usd: USD_ZERO, tokenId, shares: addShares(shares, SHARES_ZERO) });
    moveCash(balances, pocket, revenue);
    this.settlements.push({ pocket, ticker, yes, no, yesPays, result: resultOf(this.#state(market)), revenue, at });
  }

  #cancelAll(
    { ticker }: MarketOfVenue,
    reason: 'CloseCancel' | 'HaltCancel',
    isMeant: (order: { readonly cancelsOnPause: boolean }) => boolean,
  ): void {
    for (const order of this.#venue.orders.resting())
      if (order.ticker === ticker && isMeant(order)) this.#venue.orders.cancel(order, reason);
  }

  #state(market: MarketOfVenue): MarketState {
    return this.#venue.states.of(market);
  }

  #set(market: MarketOfVenue, status: MarketStatus): void {
    const state = this.#state(market);
    state.status = status;
    state.updatedAt = this.#venue.engine.clock.now();
    this.#venue.matched(market).isAccepting = status === 'active';
  }

  #tell(market: MarketOfVenue, change: LifecycleChange): void {
    for (const listener of this.#listeners) listener(market, change);
  }
}

function isDecided(status: MarketStatus): status is 'determined' | 'disputed' | 'amended' | 'finalized' {
  return ['determined', 'disputed', 'amended', 'finalized'].includes(status);
}

const CENT = 10_000;
const DETERMINED_AFTER_MS = 10_000;
const FINALIZED_AFTER_MS = 40_000;
