import { type Tick, tickToText } from '@dutchbook/units/price.ts';
import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import type { Listener } from '../../matching-engine/announcements.ts';
import type { Market } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { PONG, readMessages, type StreamSocket } from './connection.ts';
import {
  bestChanges,
  levelsFrame,
  partOf,
  recordedFrame,
  resolvedFrame,
  type StreamFrame,
  tradeFrame,
  wireSnapshot,
} from './market-frames.ts';

/** A client of the market channel and what it asked for. */
interface Subscriber {
  readonly socket: StreamSocket;
  readonly connectedAtMs: number;
  readonly assets: Set<string>;
  /** Keep-alives that wait for their answer. */
  unansweredPings: number;
  hasCustomFeatures: boolean;
}

const subscription = z.object({
  assets_ids: z.array(z.string()).default([]),
  type: z.string().optional(),
  operation: z.enum(['subscribe', 'unsubscribe']).optional(),
  custom_feature_enabled: z.boolean().optional(),
  initial_dump: z.boolean().optional(),
});

/** Is called as clients begin and end to follow tokens, and knows whether what they follow arrives. */
export interface Followers {
  follow(tokenId: string): void;
  unfollow(tokenId: string): void;
  /** Whether the source of a book is cut off: keep-alives of its followers are answered only when it is back. */
  isCutOff(tokenId: string): boolean;
}

/** A slow reader is waited for once this much of what it was sent is still on its way. */
const BACKLOG_BYTES = 1_000_000;

const NOTHING = '';

/** The public channel: books, level changes and trades of the tokens a client subscribed to. */
export class MarketStream {
  readonly #engine: MatchingEngine;
  readonly #faults: Faults;
  readonly #followers: Followers | undefined;
  readonly #subscribers = new Set<Subscriber>();
  readonly #byAsset = new Map<string, Set<Subscriber>>();
  /** The best prices last sent, by market. */
  readonly #lastBest = new Map<string, string>();

  constructor(engine: MatchingEngine, faults: Faults, followers?: Followers) {
    this.#engine = engine;
    this.#faults = faults;
    this.#followers = followers;
    engine.announcer.listen(this.#listener());
  }

  connect(socket: StreamSocket): void {
    const subscriber: Subscriber = {
      socket,
      connectedAtMs: this.#engine.clock.wallNow(),
      assets: new Set(),
      unansweredPings: 0,
      hasCustomFeatures: false,
    };
    this.#subscribers.add(subscriber);
    readMessages(
      socket,
      (message) => this.#subscribe(subscriber, message),
      () => this.#answersPing(subscriber),
    );
    socket.on('close', () => {
      this.#subscribers.delete(subscriber);
      for (const asset of subscriber.assets) this.#leave(subscriber, asset);
    });
  }

  /** Answers the keep-alives that had to wait, of clients that are cut off from nothing any more. */
  answerPings(): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.unansweredPings === 0 || this.#isCutOff(subscriber)) continue;
      for (; subscriber.unansweredPings > 0; subscriber.unansweredPings--) subscriber.socket.send(PONG);
    }
  }

  #answersPing(subscriber: Subscriber): boolean {
    if (!this.#isCutOff(subscriber)) return true;
    subscriber.unansweredPings += 1;
    return false;
  }

  #isCutOff({ assets }: Subscriber): boolean {
    if (this.#followers === undefined) return false;
    for (const asset of assets) if (this.#followers.isCutOff(asset)) return true;
    return false;
  }

  /** Sends on a frame of this market as the venue that is mirrored wrote it, which has both outcomes also for a client that follows one. */
  passOn(market: Market, text: string, isCustom: boolean): void {
    // The next best prices are sent without comparison.
    this.#lastBest.delete(market.listing.conditionId);
    const [first, second] = market.tokens;
    const ofFirst = this.#byAsset.get(first);
    const send = (subscriber: Subscriber) => {
      const { socket, hasCustomFeatures } = subscriber;
      if ((isCustom && !hasCustomFeatures) || this.#isFrozen(subscriber, market.tokens)) return;
      if (socket.sendSoon === undefined) socket.send(text);
      else socket.sendSoon(text);
    };
    ofFirst?.forEach(send);
    for (const subscriber of this.#byAsset.get(second) ?? []) if (ofFirst?.has(subscriber) !== true) send(subscriber);
  }

  /** Whether some client still has to read much of what it was sent. */
  isBehind(): boolean {
    for (const { socket } of this.#subscribers) if (socket.bufferedAmount > BACKLOG_BYTES) return true;
    return false;
  }

  #subscribe(subscriber: Subscriber, message: unknown): void {
    const parsed = subscription.safeParse(message);
    if (!parsed.success) return;
    const { assets_ids, operation, custom_feature_enabled, initial_dump } = parsed.data;
    if (custom_feature_enabled === true) subscriber.hasCustomFeatures = true;
    if (operation === 'unsubscribe') {
      for (const asset of assets_ids) this.#drop(subscriber, asset);
      return;
    }
    const added = assets_ids.filter((asset) => !subscriber.assets.has(asset));
    for (const asset of added) this.#add(subscriber, asset);
    if (added.length === 0) subscriber.socket.send('NO NEW ASSETS');
    else if (initial_dump !== false) this.#sendSnapshots(subscriber, added);
  }

  #add(subscriber: Subscriber, asset: string): void {
    subscriber.assets.add(asset);
    const subscribers = this.#byAsset.get(asset) ?? new Set();
    subscribers.add(subscriber);
    this.#byAsset.set(asset, subscribers);
    if (subscribers.size === 1) this.#followers?.follow(asset);
  }

  #drop(subscriber: Subscriber, asset: string): void {
    if (subscriber.assets.delete(asset)) this.#leave(subscriber, asset);
  }

  #leave(subscriber: Subscriber, asset: string): void {
    const subscribers = this.#byAsset.get(asset);
    if (subscribers?.delete(subscriber) !== true || subscribers.size > 0) return;
    this.#byAsset.delete(asset);
    this.#followers?.unfollow(asset);
  }

  #sendSnapshots(subscriber: Subscriber, assets: readonly string[]): void {
    const tokens = assets.flatMap((asset) => this.#engine.directory.token(asset) ?? []);
    const served = tokens.filter(({ market, tokenId }) => market.hasBooks && !this.#isFrozen(subscriber, [tokenId]));
    if (served.length > 0)
      subscriber.socket.send(JSON.stringify(served.map(({ market, outcome }) => wireSnapshot(market, outcome))));
  }

  #listener(): Listener {
    return {
      levelsChanged: (market, changes) => {
        this.#publish(market, () => levelsFrame(market, changes));
        this.#publishBest(market);
      },
      frameReplayed: (market, levels) => this.#publish(market, () => recordedFrame(market, levels)),
      bookReplaced: (market) => this.#publish(market, () => [wireSnapshot(market, 0), wireSnapshot(market, 1)]),
      traded: (token, trade) => {
        const { side } = trade.taker;
        for (const { takerPrice: price, shares: size } of trade.makers)
          this.#publish(token.market, () => tradeFrame(token, { price, size, side }, trade.transactionHash));
      },
      tradeReplayed: (token, trade) => this.#publish(token.market, () => tradeFrame(token, trade, '')),
      tickSizeChanged: (market, previous) => this.#publishTickSize(market, previous),
      marketResolved: (market) => this.#publish(market, () => resolvedFrame(market), true),
    };
  }

  #publishBest(market: Market): void {
    const { book, listing } = market;
    const best = `${book.best('bid') ?? ''}/${book.best('ask') ?? ''}`;
    if (this.#lastBest.get(listing.conditionId) === best) return;
    this.#lastBest.set(listing.conditionId, best);
    for (const change of bestChanges(market)) this.#send(market, change.asset_id, JSON.stringify(change), true);
  }

  #publishTickSize(market: Market, previous: Tick): void {
    for (const tokenId of market.tokens) {
      const frame = {
        event_type: 'tick_size_change',
        market: market.listing.conditionId,
        asset_id: tokenId,
        old_tick_size: tickToText(previous),
        new_tick_size: tickToText(market.tick),
        timestamp: String(this.#engine.clock.now()),
      };
      this.#send(market, tokenId, JSON.stringify(frame), false);
    }
  }

  /** @param frameOf is called where a client receives it */
  #publish(market: Market, frameOf: () => StreamFrame, isCustom = false): void {
    if (!market.hasBooks) return;
    const receivers = this.#receiversOf(market, isCustom);
    if (receivers.length === 0) return;
    const frame = frameOf();
    const sent = new Map<string, string>();
    for (const subscriber of receivers) {
      const mine = market.tokens.filter((tokenId) => subscriber.assets.has(tokenId));
      const key = mine.join();
      const text = sent.get(key) ?? JSON.stringify(partOf(frame, mine)) ?? NOTHING;
      sent.set(key, text);
      if (text !== NOTHING) subscriber.socket.send(text);
    }
  }

  #receiversOf(market: Market, isCustom: boolean, assets: readonly string[] = market.tokens): Subscriber[] {
    const subscribers = new Set<Subscriber>();
    for (const asset of assets) for (const subscriber of this.#byAsset.get(asset) ?? []) subscribers.add(subscriber);
    return [...subscribers].filter(
      (subscriber) => (!isCustom || subscriber.hasCustomFeatures) && !this.#isFrozen(subscriber, market.tokens),
    );
  }

  #send(market: Market, asset: string, text: string, isCustom: boolean): void {
    for (const { socket } of this.#receiversOf(market, isCustom, [asset])) socket.send(text);
  }

  #isFrozen(subscriber: Subscriber, tokenIds: readonly string[]): boolean {
    if (this.#faults.active().length === 0) return false;
    return this.#faults.frozen(tokenIds, subscriber.connectedAtMs, this.#engine.clock.wallNow());
  }
}
