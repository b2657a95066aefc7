import type { Price } from '@dutchbook/units/price.ts';
import type { z } from 'zod';
import { readMessages, type StreamSocket } from '../../polymarket/connection.ts';
import type { Caller } from '../calls.ts';
import type { MarketOfVenue } from '../catalogue/listing.ts';
import type { KalshiVenue } from '../venue.ts';
import {
  type BookSideName,
  bookDifference,
  bookNow,
  deltaMessage,
  fillMessage,
  lifecycleMessage,
  orderMessage,
  type PublishedBook,
  snapshotMessage,
  tradeMessage,
} from './frames.ts';
import {
  CHANNELS,
  type Channel,
  command,
  ERRORS,
  type ErrorName,
  type Listener,
  type Params,
  Subscription,
} from './subscriptions.ts';

/** The error of a command; `of`: the subscription that it is about. */
type Wrong = { readonly name: ErrorName; readonly of?: Subscription };

/** Once this much of what was sent is unread the subscription is ended. */
const BACKLOG_BYTES = 4_000_000;

/** The venue's one socket: books, trades, and what happens to a member's orders. */
export class KalshiStream {
  readonly #venue: KalshiVenue;
  readonly #listeners = new Set<Listener>();
  readonly #published = new Map<string, PublishedBook>();
  /** Snapshots that wait until the book of their market is known, with the command that they answer. */
  readonly #awaited = new Map<string, Map<Subscription, number | undefined>>();

  constructor(venue: KalshiVenue) {
    this.#venue = venue;
    const onBook = ({ listing }: { listing: { conditionId: string } }) => this.#publishBook(listing.conditionId);
    venue.engine.announcer.listen({ levelsChanged: onBook, bookReplaced: onBook });
    venue.fills.listen({
      traded: (trade) => this.#publish('trade', trade.ticker, 'trade', tradeMessage(trade)),
      filled: (fill) => this.#publishOwn('fill', fill.order.member, 'fill', fillMessage(fill, venue)),
    });
    venue.orders.changed.push((order) =>
      this.#publishOwn('user_orders', order.member, 'user_order', orderMessage(order, venue)),
    );
    venue.lifecycle.listen((market, change) =>
      this.#publish(
        'market_lifecycle_v2',
        market.ticker,
        'market_lifecycle_v2',
        lifecycleMessage(market, change, venue),
      ),
    );
  }

  connect(socket: StreamSocket, caller: Caller): void {
    const listener: Listener = { socket, caller, subscriptions: new Map(), nextSid: 1 };
    this.#listeners.add(listener);
    readMessages(socket, (message) => this.#receive(listener, message));
    socket.on('close', () => {
      this.#listeners.delete(listener);
      for (const subscription of listener.subscriptions.values()) this.#unfollow(subscription, subscription.tickers);
    });
  }

  /** Ends every connection, as a restart of the venue does. */
  disconnectAll(): void {
    for (const { socket } of this.#listeners) socket.terminate();
  }

  /** A market is not listed any more, and no subscription has its book. */
  forget(ticker: string): void {
    this.#published.delete(ticker);
  }

  #receive(listener: Listener, message: unknown): void {
    const parsed = command.safeParse(message);
    if (!parsed.success) {
      this.#refuse(listener, 0, 'unreadable');
      return;
    }
    const { id, cmd, params } = parsed.data;
    const wrong = this.#carryOut(listener, { id, cmd, params });
    if (wrong !== undefined) this.#refuse(listener, id, wrong.name, wrong.of);
  }

  /** Does what a command asks for; else says what is wrong with it. */
  #carryOut(listener: Listener, { id, cmd, params }: z.infer<typeof command>): Wrong | undefined {
    if (cmd === 'list_subscriptions') {
      this.#list(listener, id);
      return undefined;
    }
    if (params === undefined) return { name: 'paramsNeeded' };
    if (cmd === 'subscribe') return this.#subscribe(listener, id, params);
    if (cmd === 'update_subscription') return this.#update(listener, id, params);
    return cmd === 'unsubscribe' ? this.#unsubscribe(listener, id, params) : { name: 'unknownCommand' };
  }

  #subscribe(listener: Listener, id: number, params: Params): Wrong | undefined {
    const wanted = params.channels ?? [];
    if (wanted.length === 0) return { name: 'channelsNeeded' };
    const channels = wanted.flatMap((name) => CHANNELS.find((known) => known === name) ?? []);
    if (channels.length < wanted.length) return { name: 'unknownChannel' };
    const named = tickersIn(params);
    if (channels.includes('orderbook_delta') && named.length === 0) return { name: 'marketNeeded' };
    for (const channel of channels) {
      const tickers = named.length === 0 || channel === 'market_lifecycle_v2' ? null : new Set(named);
      const sid = listener.nextSid++;
      const inYes = params.use_yes_price === true;
      const subscription = new Subscription(listener.socket, { sid, channel, inYes, tickers });
      listener.subscriptions.set(sid, subscription);
      listener.socket.send(JSON.stringify({ type: 'subscribed', id, msg: { channel, sid } }));
      if (channel !== 'orderbook_delta') continue;
      for (const ticker of tickers ?? []) this.#venue.mirror?.follow(ticker);
      this.#sendSnapshots(subscription, named);
    }
    return undefined;
  }

  #update(listener: Listener, id: number, params: Params): Wrong | undefined {
    const sids = params.sid === undefined ? (params.sids ?? []) : [params.sid];
    if (sids.length !== 1) return { name: 'oneSid' };
    const subscription = listener.subscriptions.get(sids[0] ?? 0);
    if (subscription === undefined) return { name: 'unknownSid' };
    const named = tickersIn(params);
    const isAdding = params.action === 'add_markets';
    if (params.action === 'get_snapshot') {
      this.#sendSnapshots(subscription, named, id);
      return undefined;
    }
    if (!isAdding && params.action !== 'delete_markets') return { name: 'badAction', of: subscription };
    const added = named.filter((ticker) => !subscription.wants(ticker));
    const removed = isAdding ? [] : [...new Set(named)].filter((ticker) => subscription.tickers?.has(ticker) === true);
    for (const ticker of named)
      if (isAdding) subscription.tickers?.add(ticker);
      else subscription.tickers?.delete(ticker);
    subscription.send('ok', { market_tickers: [...(subscription.tickers ?? [])] }, { id });
    this.#unfollow(subscription, removed);
    if (!isAdding || subscription.channel !== 'orderbook_delta') return undefined;
    for (const ticker of new Set(added)) this.#venue.mirror?.follow(ticker);
    this.#sendSnapshots(subscription, added);
    return undefined;
  }

  #unsubscribe(listener: Listener, id: number, { sids = [] }: Params): Wrong | undefined {
    if (sids.length === 0) return { name: 'sidsNeeded' };
    const known = [...new Set(sids)].flatMap((sid) => listener.subscriptions.get(sid) ?? []);
    for (const subscription of known) {
      subscription.send('unsubscribed', {}, { id });
      this.#drop(listener, subscription);
    }
    return known.length < new Set(sids).size ? { name: 'unknownSid' } : undefined;
  }

  #list({ socket, subscriptions }: Listener, id: number): void {
    const msg = [...subscriptions.values()].map(({ channel, sid }) => ({ channel, sid }));
    socket.send(JSON.stringify({ type: 'ok', id, msg }));
  }

  /** An error of a subscription takes one of its numbers. */
  #refuse({ socket }: Listener, id: number, name: ErrorName, subscription?: Subscription): void {
    const [code, msg] = ERRORS[name];
    if (subscription === undefined) socket.send(JSON.stringify({ type: 'error', id, msg: { code, msg } }));
    else subscription.send('error', { code, msg }, { id });
  }

  #sendSnapshots(subscription: Subscription, tickers: readonly string[], id?: number): void {
    for (const ticker of tickers) {
      const market = this.#venue.market(ticker);
      // A mirrored market may be listed later.
      if (market === undefined && this.#venue.mirror === undefined) continue;
      if (market === undefined || !this.#venue.isKnown(market)) {
        const awaited = this.#awaited.get(ticker) ?? new Map<Subscription, number | undefined>();
        this.#awaited.set(ticker, awaited.set(subscription, id));
        continue;
      }
      const published = this.#publishedOf(market);
      const answers = id === undefined ? {} : { id };
      subscription.send('orderbook_snapshot', snapshotMessage(published, market, subscription.inYes), answers);
    }
  }

  #sendAwaited(ticker: string): void {
    const awaited = this.#awaited.get(ticker);
    this.#awaited.delete(ticker);
    for (const [subscription, id] of awaited ?? []) this.#sendSnapshots(subscription, [ticker], id);
  }

  /** The book as last published; of a market without a subscriber so far, as it is. */
  #publishedOf(market: MarketOfVenue): PublishedBook {
    const published = this.#published.get(market.ticker) ?? bookNow(this.#venue, market);
    this.#published.set(market.ticker, published);
    return published;
  }

  #publishBook(ticker: string): void {
    const market = this.#venue.market(ticker);
    const published = this.#published.get(ticker);
    if (market === undefined) return;
    if (published === undefined) {
      this.#sendAwaited(ticker);
      return;
    }
    const now = bookNow(this.#venue, market);
    this.#published.set(ticker, now);
    for (const change of bookDifference(published, now)) this.#publishChange(market, change);
    this.#sendAwaited(ticker);
  }

  #publishChange(market: MarketOfVenue, change: { side: BookSideName; price: Price; delta: number }): void {
    const atMs = this.#venue.engine.clock.now() - this.#venue.frameAgeMs;
    for (const subscription of this.#subscribed('orderbook_delta', market.ticker)) {
      const isLost = this.#venue.faults.strike('lose_book_frame', [`${market.ticker}:yes`]) !== undefined;
      subscription.send('orderbook_delta', deltaMessage(market, change, { inYes: subscription.inYes, atMs }), {
        isLost,
      });
    }
  }

  #publish(channel: Channel, ticker: string, type: string, message: object): void {
    for (const subscription of this.#subscribed(channel, ticker)) subscription.send(type, message);
  }

  #publishOwn(channel: Channel, member: Caller['member'], type: string, message: object): void {
    for (const { caller, subscriptions } of this.#listeners) {
      if (caller.member !== member) continue;
      for (const subscription of subscriptions.values())
        if (subscription.channel === channel)
          subscription.send(type, message, { isLost: this.#venue.faults.strike('lose_user_frame') !== undefined });
    }
  }

  *#subscribed(channel: Channel, ticker: string): Generator<Subscription> {
    for (const listener of this.#listeners) {
      for (const subscription of listener.subscriptions.values()) {
        if (subscription.channel !== channel || !subscription.wants(ticker)) continue;
        if (listener.socket.bufferedAmount <= BACKLOG_BYTES) yield subscription;
        else this.#end(listener, subscription);
      }
    }
  }

  #end(listener: Listener, subscription: Subscription): void {
    this.#refuse(listener, 0, 'slowReader', subscription);
    this.#drop(listener, subscription);
  }

  #drop({ subscriptions }: Listener, subscription: Subscription): void {
    subscriptions.delete(subscription.sid);
    this.#unfollow(subscription, subscription.tickers);
  }

  #unfollow(subscription: Subscription, tickers: Iterable<string> | null): void {
    if (subscription.channel !== 'orderbook_delta') return;
    for (const ticker of tickers ?? []) {
      const awaited = this.#awaited.get(ticker);
      if (awaited?.delete(subscription) === true && awaited.size === 0) this.#awaited.delete(ticker);
      this.#venue.mirror?.unfollow(ticker);
    }
  }
}

function tickersIn({ market_ticker, market_tickers = [] }: Params): string[] {
  return market_ticker === undefined ? market_tickers : [market_ticker, ...market_tickers];
}
