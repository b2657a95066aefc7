import type { MarketStream, StreamedBook } from '../venue.ts';
import { ComparisonTurns } from './comparison-turns.ts';
import { MarketShard, type ShardParts } from './market-shard.ts';

/** The market channel over as many sockets as the tokens need. */
export class PolymarketMarketStream implements MarketStream {
  readonly #parts: ShardParts;
  readonly #turns: ComparisonTurns;
  readonly #shards = new Set<MarketShard>();
  readonly #shardOf = new Map<string, MarketShard>();
  readonly #closing = new Set<Promise<void>>();

  constructor(parts: Omit<ShardParts, 'turns'>) {
    this.#turns = new ComparisonTurns(parts.config.comparisonsPerSecond);
    this.#parts = { ...parts, turns: this.#turns };
  }

  subscribe(tokenIds: readonly string[]): void {
    const wanted = [...new Set(tokenIds)].filter((tokenId) => !this.#shardOf.has(tokenId));
    for (let from = 0; from < wanted.length; ) {
      const shard = this.#shardWithRoom();
      const part = wanted.slice(from, from + this.#parts.config.tokensPerSocket - shard.size);
      for (const tokenId of part) this.#shardOf.set(tokenId, shard);
      shard.add(part);
      from += part.length;
    }
  }

  unsubscribe(tokenIds: readonly string[]): void {
    const byShard = new Map<MarketShard, string[]>();
    for (const tokenId of tokenIds) {
      const shard = this.#shardOf.get(tokenId);
      if (!shard) continue;
      this.#shardOf.delete(tokenId);
      byShard.set(shard, [...(byShard.get(shard) ?? []), tokenId]);
    }
    for (const [shard, part] of byShard) {
      shard.remove(part);
      if (shard.size === 0) this.#retire(shard);
    }
  }

  book(tokenId: string): StreamedBook | undefined {
    const feed = this.#shardOf.get(tokenId)?.feed(tokenId);
    return feed?.wasSeen ? feed.streamed : undefined;
  }

  isConnected(): boolean {
    for (const shard of this.#shards) if (shard.isConnected) return true;
    return false;
  }

  health(): { sockets: number; connected: number; tokens: number; staleTokens: number } {
    const shards = [...this.#shards];
    return {
      sockets: shards.length,
      connected: shards.filter((shard) => shard.isConnected).length,
      tokens: this.#shardOf.size,
      staleTokens: shards.reduce((sum, shard) => sum + shard.staleTokens, 0),
    };
  }

  async close(): Promise<void> {
    this.#turns.close();
    for (const shard of [...this.#shards]) this.#retire(shard);
    this.#shardOf.clear();
    await Promise.all(this.#closing);
  }

  #shardWithRoom(): MarketShard {
    for (const shard of this.#shards) if (shard.size < this.#parts.config.tokensPerSocket) return shard;
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
