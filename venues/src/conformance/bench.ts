import assert from 'node:assert/strict';
import type { CalledOffPays, Market, MarketOutcome } from '@dutchbook/engine/market/market.ts';
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { FeedTrust, MarketStream, UserStream, Venue, VenueFill, VenueOrder, VenueTrading } from '../venue.ts';
import type { ExchangeControl } from './control.ts';
import { Journal } from './journal.ts';

/** What a case may ask of a venue differently from the others. */
export type Pace = { tokensPerSocket?: number; requestTimeoutMs?: number };

/** Where venues differ: what a case finds at this one. */
export type VenueWords = {
  pockets: readonly string[];
  hasTickBands: boolean;
  makersPay: boolean;
  announcesFees: boolean;
  netsOutcomes: boolean;
  renamesOrders: boolean;
  /** Payout of a voided market in an exclusive event, and of one that stands alone. */
  calledOffPays: { ofOneEvent: CalledOffPays; alone: CalledOffPays };
  restsAnySize: boolean;
  settlesAtOnce: boolean;
  /** How it refuses what cannot be paid. */
  noMoney: RegExp;
};

export type OpenVenue = (pace: Pace) => Promise<Venue>;

/** A market stream with a record of what it announced; `Journal.until` waits for something in it or in `stream`. */
export type WatchedMarketStream = {
  stream: MarketStream;
  journal: Journal;
  books: string[][];
  stale: string[];
  trusted: [tokenId: TokenId, trust: FeedTrust][];
  ticks: [tokenId: TokenId, tick: number][];
  resolved: [marketId: MarketId, winningTokenId: TokenId][];
};

export type WatchedUserStream = {
  stream: UserStream;
  journal: Journal;
  orders: VenueOrder[];
  fills: VenueFill[];
  reconnects: number;
};

/**
 * One venue against one simulated exchange, for one case. The exchange's own makers are paused, and every case takes
 * markets that no other case touches, so that cases may run in any order.
 */
export class Bench {
  readonly control: ExchangeControl;
  readonly venue: Venue;
  readonly words: VenueWords;
  readonly #openVenue: OpenVenue;
  readonly #markets: Market[];
  readonly #open: { close(): Promise<void> }[] = [];

  constructor(parts: {
    control: ExchangeControl;
    venue: Venue;
    words: VenueWords;
    openVenue: OpenVenue;
    markets: Market[];
  }) {
    this.words = parts.words;
    this.control = parts.control;
    this.venue = parts.venue;
    this.#openVenue = parts.openVenue;
    this.#markets = parts.markets;
  }

  get trading(): VenueTrading {
    assert.ok(this.venue.trading, 'the venue can trade');
    return this.venue.trading;
  }

  /**
   * An open market that charges a fee, has a tick of one cent and has not been touched; its book is empty.
   * `ids`: one of these.
   */
  async freshMarket(ids?: readonly string[]): Promise<{ market: Market; yes: MarketOutcome; no: MarketOutcome }> {
    const index = this.#markets.findIndex(
      ({ id, tick, feeSchedule }) =>
        tick === 10_000 && feeSchedule !== null && feeSchedule.rate > 0 && (ids?.includes(id) ?? true),
    );
    const [market] = index < 0 ? [] : this.#markets.splice(index, 1);
    const [yes, no] = market?.outcomes ?? [];
    assert.ok(market && yes && no, 'the exchange has a market left for this case');
    await this.control.quote(yes.tokenId, [], []);
    return { market, yes, no };
  }

  /** Another venue on the same account: after a restart of the process, or at another pace. */
  async openVenue(pace: Pace = {}): Promise<Venue> {
    const venue = await this.#openVenue(pace);
    this.#open.push(venue);
    return venue;
  }

  /** Closed when the case ends. */
  watchMarkets(venue: Venue = this.venue): WatchedMarketStream {
    const journal = new Journal();
    const books: string[][] = [];
    const stale: string[] = [];
    const trusted: WatchedMarketStream['trusted'] = [];
    const ticks: WatchedMarketStream['ticks'] = [];
    const resolved: WatchedMarketStream['resolved'] = [];
    const stream = venue.openMarketStream({
      onBooks: (tokenIds) => journal.add(() => books.push([...tokenIds])),
      onTrust: (tokenIds, trust) =>
        journal.add(() => {
          trusted.push(...tokenIds.map((tokenId): [string, FeedTrust] => [tokenId, trust]));
          if (trust === 'stale') stale.push(...tokenIds);
        }),
      onTick: (tokenId, tick) => journal.add(() => ticks.push([tokenId, tick])),
      onResolved: (marketId, winner) => journal.add(() => resolved.push([marketId, winner])),
    });
    this.#open.push(stream);
    return { stream, journal, books, stale, trusted, ticks, resolved };
  }

  /** Closed when the case ends. */
  watchAccount(): WatchedUserStream {
    const journal = new Journal();
    const orders: VenueOrder[] = [];
    const fills: VenueFill[] = [];
    const watched = { journal, orders, fills, reconnects: 0 };
    const stream = this.venue.openUserStream({
      onOrder: (order) => journal.add(() => orders.push(order)),
      onFill: (fill) => journal.add(() => fills.push(fill)),
      onReconnect: () =>
        journal.add(() => {
          result.reconnects += 1;
        }),
    });
    const result: WatchedUserStream = { ...watched, stream };
    this.#open.push(stream);
    return result;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((one) => one.close()));
    await this.control.clearFaults();
    await this.control.setMode('normal');
    await this.control.nameTransactions(null);
    await this.control.clampPages(null);
  }
}
