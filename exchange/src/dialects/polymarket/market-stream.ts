import { type Tick, tickToText } from '@dutchbook/units/price.ts';
import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import type { Listener } from '../../floor/announcements.ts';
import type { Floor } from '../../floor/floor.ts';
import type { Market } from '../../floor/market.ts';
import { readMessages, type StreamSocket } from './connection.ts';
import { bestChanges, levelsFrame, recordedFrame, resolvedFrame, tradeFrame, wireSnapshot } from './market-frames.ts';

/** A client of the market channel and what it asked for. */
interface Subscriber {
  readonly socket: StreamSocket;
  readonly connectedAtMs: number;
  readonly assets: Set<string>;
  hasCustomFeatures: boolean;
}

const subscription = z.object({
  assets_ids: z.array(z.string()).default([]),
  type: z.string().optional(),
  operation: z.enum(['subscribe', 'unsubscribe']).optional(),
  custom_feature_enabled: z.boolean().optional(),
  initial_dump: z.boolean().optional(),
});

/** A slow reader is waited for once this much of what it was sent is still on its way. */
const BACKLOG_BYTES = 1_000_000;

/** The public channel: books, level changes and trades of the tokens a client subscribed to. */
export class MarketStream {
  readonly #floor: Floor;
  readonly #faults: Faults;
  readonly #subscribers = new Set<Subscriber>();
  readonly #byAsset = new Map<string, Set<Subscriber>>();
  readonly #lastBest = new Map<string, string>();

  constructor(floor: Floor, faults: Faults) {
    this.#floor = floor;
    this.#faults = faults;
    floor.announcer.listen(this.#listener());
  }

  connect(socket: StreamSocket): void {
    const subscriber: Subscriber = {
      socket,
      connectedAtMs: this.#floor.clock.wallNow(),
      assets: new Set(),
      hasCustomFeatures: false,
    };
    this.#subscribers.add(subscriber);
    readMessages(socket, (message) => this.#subscribe(subscriber, message));
    socket.on('close', () => {
      this.#subscribers.delete(subscriber);
      for (const asset of subscriber.assets) this.#byAsset.get(asset)?.delete(subscriber);
    });
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
  }

  #drop(subscriber: Subscriber, asset: string): void {
    subscriber.assets.delete(asset);
    this.#byAsset.get(asset)?.delete(subscriber);
  }

  #sendSnapshots(subscriber: Subscriber, assets: readonly string[]): void {
    const tokens = assets.flatMap((asset) => this.#floor.directory.token(asset) ?? []);
    const served = tokens.filter(({ tokenId }) => !this.#isFrozen(subscriber, [tokenId]));
    if (served.length > 0)
      subscriber.socket.send(JSON.stringify(served.map(({ market, outcome }) => wireSnapshot(market, outcome))));
  }

  #listener(): Listener {
    return {
      levelsChanged: (market, changes) => {
        this.#publish(market, levelsFrame(market, changes));
        this.#publishBest(market);
      },
      frameReplayed: (market, levels) => this.#publish(market, recordedFrame(market, levels)),
      bookReplaced: (market) => this.#publish(market, [wireSnapshot(market, 0), wireSnapshot(market, 1)]),
      traded: (token, trade) => {
        const { price } = trade.taker;
        const { side } = trade.taker;
        this.#publish(token.market, tradeFrame(token, { price, size: trade.shares, side }, trade.transactionHash));
      },
      tradeReplayed: (token, trade) => this.#publish(token.market, tradeFrame(token, trade, '')),
      tickSizeChanged: (market, previous) => this.#publishTickSize(market, previous),
      marketResolved: (market) => this.#publish(market, resolvedFrame(market), true),
    };
  }

  #publishBest(market: Market): void {
    for (const change of bestChanges(market)) {
      const text = JSON.stringify(change);
      const best = `${change.best_bid}/${change.best_ask}`;
      if (this.#lastBest.get(change.asset_id) === best) continue;
      this.#lastBest.set(change.asset_id, best);
      this.#send(market, [change.asset_id], text, true);
    }
  }

  #publishTickSize(market: Market, previous: Tick): void {
    for (const tokenId of market.tokens) {
      const frame = {
        event_type: 'tick_size_change',
        market: market.listing.conditionId,
        asset_id: tokenId,
        old_tick_size: tickToText(previous),
        new_tick_size: tickToText(market.tick),
        timestamp: String(this.#floor.clock.now()),
      };
      this.#send(market, [tokenId], JSON.stringify(frame), false);
    }
  }

  #publish(market: Market, frame: unknown, isCustom = false): void {
    if (this.#hasSubscribers(market)) this.#send(market, market.tokens, JSON.stringify(frame), isCustom);
  }

  #hasSubscribers(market: Market): boolean {
    return market.tokens.some((tokenId) => (this.#byAsset.get(tokenId)?.size ?? 0) > 0);
  }

  #send(market: Market, assets: readonly string[], text: string, isCustom: boolean): void {
    const receivers = new Set(assets.flatMap((asset) => [...(this.#byAsset.get(asset) ?? [])]));
    for (const subscriber of receivers) {
      const isWanted = !isCustom || subscriber.hasCustomFeatures;
      if (isWanted && !this.#isFrozen(subscriber, market.tokens)) subscriber.socket.send(text);
    }
  }

  #isFrozen(subscriber: Subscriber, tokenIds: readonly string[]): boolean {
    if (this.#faults.active().length === 0) return false;
    return this.#faults.frozen(tokenIds, subscriber.connectedAtMs, this.#floor.clock.wallNow());
  }
}
