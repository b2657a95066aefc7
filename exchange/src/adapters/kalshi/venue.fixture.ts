import { generateKeyPairSync } from 'node:crypto';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import type { Quote } from '../../matching/quotes.ts';
import { ExchangeClock, type Timers } from '../../matching-engine/clock.ts';
import type { MarketOfVenue } from './catalogue/listing.ts';
import { type Member, moveCash, SHARDS } from './members.ts';
import type { Fill } from './orders/fills.ts';
import type { VenueOrder } from './orders/order.ts';
import { KalshiVenue } from './venue.ts';

const START_MS = Date.UTC(2026, 10, 29, 9, 3);
const standingAt = (ms: number): Timers => ({ now: () => ms, setTimeout: () => 0, clearTimeout: () => undefined });

type MemberName = 'direct' | 'broker';

/** The venue without its wire, on a clock that stands still and with two rich members. */
export class TestVenue {
  readonly venue: KalshiVenue;

  constructor({ atMs = START_MS } = {}) {
    const timers = standingAt(atMs);
    this.venue = new KalshiVenue({ clock: new ExchangeClock(timers), timers, seed: 1 });
    const { publicKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const name of ['direct', 'broker'] as const) {
      this.venue.members.addKey(name, name, { id: name, publicKey: pem, scopes: ['read', 'write'], subaccount: null });
      for (const { index } of SHARDS)
        moveCash(this.venue.engine.balances, this.#member(name).pocket(0, index), usdFromText('1000000000'));
    }
  }

  get markets(): readonly MarketOfVenue[] {
    return this.venue.allMarkets();
  }

  market(ticker: string): MarketOfVenue {
    const market = this.venue.market(ticker);
    if (market === undefined) throw new Error(`no market ${ticker}`);
    return market;
  }

  waive(ticker: string, isWaived: boolean): void {
    this.venue.states.of(this.market(ticker)).feeWaivedUntil = isWaived ? instantFromMs(START_MS + 1_000) : null;
  }

  isWaived(ticker: string): boolean {
    return this.venue.states.of(this.market(ticker)).feeWaivedUntil !== null;
  }

  /** Makes these all that the makers show. */
  quote(ticker: string, quotes: readonly Quote[]): void {
    this.venue.engine.replaceBook(this.venue.matched(this.market(ticker)), quotes);
  }

  place(
    member: MemberName,
    of: { market: MarketOfVenue; side: 'bid' | 'ask'; price: Price; count: Shares },
  ): VenueOrder {
    const placed = this.venue.orders.place({
      ...of,
      member: this.#member(member),
      subaccount: 0,
      clientId: null,
      timeInForce: 'good_till_canceled',
      selfTrade: 'taker_at_cross',
      postOnly: false,
      reduceOnly: false,
      cancelsOnPause: false,
      expiresAt: null,
      groupId: null,
    });
    if ('refused' in placed) throw new Error(placed.refused);
    return placed.order;
  }

  cancel(order: VenueOrder): void {
    this.venue.orders.cancel(order);
  }

  fillsOf(order: VenueOrder): Fill[] {
    return this.venue.fills.all.filter((fill) => fill.order === order);
  }

  /** All cash of a member, and a dollar for each pair of outcomes, which it never keeps. */
  worth(member: MemberName): number {
    const { balances } = this.venue.engine;
    return SHARDS.reduce((sum, { index }) => sum + balances.cash(this.#member(member).pocket(0, index)), 0);
  }

  /** What the shares of fills cost; `worthOf`: what of that comes back at once because the other outcome was held. */
  costOf(fills: readonly Fill[]): number {
    return fills.reduce((sum, fill) => sum + costOf(fill), 0);
  }

  worthOf(fills: readonly Fill[]): number {
    let paidBack = 0;
    for (const fill of fills) {
      const before = fill.positionAfter - (fill.order.side === 'bid' ? fill.size : -fill.size);
      const opposite = fill.order.side === 'bid' ? Math.max(0, -before) : Math.max(0, before);
      paidBack += Math.min(opposite, fill.size);
    }
    return paidBack;
  }

  /** The fee of buying at once, or by an order that waits to be met. */
  buyAtOnce(member: MemberName, series: string, cents: number, shares: number): Usd {
    const { market, price, count } = this.#buy(series, cents, shares);
    this.quote(market.ticker, [{ side: 'ask', price, size: count }]);
    return this.#feesOf(this.place(member, { market, side: 'bid', price, count }));
  }

  buyResting(member: MemberName, series: string, cents: number, shares: number): Usd {
    const { market, price, count } = this.#buy(series, cents, shares);
    this.quote(market.ticker, []);
    const order = this.place(member, { market, side: 'bid', price, count });
    this.quote(market.ticker, [{ side: 'ask', price, size: count }]);
    return this.#feesOf(order);
  }

  #buy(series: string, cents: number, shares: number) {
    const market = this.markets.find(({ event }) => event.series.ticker === series);
    if (market === undefined) throw new Error(`no series ${series}`);
    return { market, price: (cents * 10_000) as Price, count: (shares * 1_000_000) as Shares };
  }

  #feesOf(order: VenueOrder): Usd {
    return this.fillsOf(order).reduce((sum, { fee }) => sum + fee, 0) as Usd;
  }

  #member(name: MemberName): Member {
    const member = this.venue.members.named(name);
    if (member === undefined) throw new Error(`no member ${name}`);
    return member;
  }
}

function costOf({ order, size, yesPrice }: Fill): number {
  const own = order.side === 'bid' ? yesPrice : 1_000_000 - yesPrice;
  return Math.ceil((size * own) / 1_000_000);
}
