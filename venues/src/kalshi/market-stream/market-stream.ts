import type { TokenId } from '@dutchbook/units/ids.ts';
import type { MarketStream, StreamedBook, StreamHealth } from '../../venue.ts';
import { ofToken } from '../ids.ts';
import { MarketShard, type ShardParts } from './market-shard.ts';

/** Books over as many sockets as the markets need; a market's two outcomes come by one subscription. */
export class KalshiMarketStream implements MarketStream {
  readonly #parts: ShardParts;
  readonly #shards = new Set<MarketShard>();
  readonly #shardOf = new Map<string, MarketShard>();
  /** Which tokens of a market are followed. */
  readonly #followed = new Map<string, Set<TokenId>>();
  readonly #closing = new Set<Promise<void>>();

  constructor(parts: ShardParts) {
    this.#parts = parts;
  }

  subscribe(tokenIds: readonly TokenId[]): void {
    const added = new Map<MarketShard, string[]>();
    for (const tokenId of tokenIds) {
      const ticker = ofToken(tokenId)?.ticker;
      if (ticker === undefined) continue;
      this.#followed.set(ticker, (this.#followed.get(ticker) ?? new Set()).add(tokenId));
      if (this.#shardOf.has(ticker)) continue;
      const shard = this.#shardWithRoom(added);
      this.#shardOf.set(ticker, shard);
      added.set(shard, [...(added.get(shard) ?? []), ticker]);
    }
    for (const [shard, tickers] of added) shard.add(tickers);
  }

  unsubscribe(tokenIds: readonly TokenId[]): void {
    const removed = new Map<MarketShard, string[]>();
    for (const tokenId of tokenIds) {
      const ticker = ofToken(tokenId)?.ticker;
      const followed = ticker === undefined ? undefined : this.#followed.get(ticker);
      if (ticker === undefined || followed === undefined) continue;
      followed.delete(tokenId);
      const shard = this.#shardOf.get(ticker);
      if (followed.size > 0 || shard === undefined) continue;
      this.#followed.delete(ticker);
      this.#shardOf.delete(ticker);
      removed.set(shard, [...(removed.get(shard) ?? []), ticker]);
    }
    for (const [shard, tickers] of removed) {
      shard.remove(tickers);
      if (shard.size === 0) this.#retire(shard);
    }
  }

  book(tokenId: TokenId): StreamedBook | undefined {
    const token = ofToken(tokenId);
    const feed = token === null ? undefined : this.#shardOf.get(token.ticker)?.feed(token.ticker);
    return token !== null && feed?.wasSeen ? feed.books[token.side] : undefined;
  }

  isConnected(): boolean {
    return [...this.#shards].some((shard) => shard.isConnected);
  }

  health(): StreamHealth {
    const shards = [...this.#shards];
    const connected = shards.filter((shard) => shard.isConnected).length;
    return {
      sockets: shards.length,
      connected,
      sound: connected,
      readsFail: false,
      tokens: [...this.#followed.values()].reduce((sum, { size }) => sum + size, 0),
      staleTokens: shards.reduce((sum, shard) => sum + shard.staleMarkets, 0) * OUTCOMES,
    };
  }

  async close(): Promise<void> {
    for (const shard of [...this.#shards]) this.#retire(shard);
    this.#shardOf.clear();
    this.#followed.clear();
    await Promise.all(this.#closing);
  }

  #shardWithRoom(added: ReadonlyMap<MarketShard, readonly string[]>): MarketShard {
    const { marketsPerSocket } = this.#parts.config;
    for (const shard of this.#shards) if (shard.size + (added.get(shard)?.length ?? 0) < marketsPerSocket) return shard;
    const shard = new MarketShard(this.#parts);
    this.#shards.add(shard);
    return shard;
  }

  #retire(shard: MarketShard): void {
    this.#shards.delete(shard);
    const closed = shard.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

const OUTCOMES = 2;
