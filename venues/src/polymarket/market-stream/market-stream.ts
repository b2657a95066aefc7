import type { TokenId } from '@dutchbook/units/ids.ts';
import type { BookSnapshot, MarketStream, StreamedBook, StreamHealth, VenuePrices } from '../../venue.ts';
import { IgnoredFrames } from '../ignored-frames.ts';
import { ComparisonSlots } from './comparison.ts';
import { FrameGroups } from './frame-groups.ts';
import { MarketShard } from './market-shard.ts';
import type { ShardParts } from './shard-parts.ts';
import { SilentSockets } from './silent-sockets.ts';

/** One read that fails says nothing of the venue yet. */
const FAILED_READS_MIN = 2;

/**
 * On each socket a part of the room is left to tokens whose market is there already: a frame has both outcomes of a market, and
 * would come twice where they are on different sockets.
 */
const ROOM_FOR_OTHERS = 1 / 8;

type StreamParts = Omit<ShardParts<MarketShard>, 'slots' | 'silent' | 'ignored' | 'groups' | 'onFrozen'> & {
  /** The other tokens of its market; none where the market is not known. */
  otherTokens: (tokenId: TokenId) => readonly string[];
};

/** The market channel over as many sockets as the tokens need. */
export class PolymarketMarketStream implements MarketStream {
  readonly #parts: ShardParts<MarketShard>;
  readonly #otherTokens: StreamParts['otherTokens'];
  readonly #slots: ComparisonSlots;
  readonly #silent: SilentSockets;
  readonly #ignored: IgnoredFrames;
  readonly #groups: FrameGroups;
  /** Reads of books that failed in a row. */
  #failedReads = 0;
  readonly #shards = new Set<MarketShard>();
  readonly #shardOf = new Map<string, MarketShard>();
  readonly #closing = new Set<Promise<void>>();

  constructor({ otherTokens, ...parts }: StreamParts) {
    this.#otherTokens = otherTokens;
    this.#slots = new ComparisonSlots(parts.config.comparisonsPerSecond);
    this.#ignored = new IgnoredFrames('market', parts.runtime);
    this.#groups = new FrameGroups(parts.events, parts.config.settleMs, (feed) =>
      this.#shardOf.get(feed.tokenId)?.giveUp(feed),
    );
    const prices = { ...parts.prices, fetchBooks: (ids: readonly string[]) => this.#readBooks(parts.prices, ids) };
    const { runtime, config } = parts;
    this.#silent = new SilentSockets({ prices, runtime, slots: this.#slots, settleMs: config.settleMs });
    this.#parts = {
      ...{ ...parts, prices, slots: this.#slots, silent: this.#silent, ignored: this.#ignored, groups: this.#groups },
      onFrozen: (frozen, askedAtMs) => {
        for (const shard of this.#shards) if (shard !== frozen) shard.doubt(askedAtMs);
      },
    };
  }

  subscribe(tokenIds: readonly TokenId[]): void {
    const byShard = new Map<MarketShard, string[]>();
    for (const tokenId of tokenIds) {
      if (this.#shardOf.has(tokenId)) continue;
      const isFull = (shard: MarketShard, room: number) => shard.size + (byShard.get(shard)?.length ?? 0) >= room;
      const shard = this.#shardFor(tokenId, isFull);
      this.#shardOf.set(tokenId, shard);
      const part = byShard.get(shard);
      if (part === undefined) byShard.set(shard, [tokenId]);
      else part.push(tokenId);
    }
    for (const [shard, part] of byShard) shard.add(part);
  }

  unsubscribe(tokenIds: readonly TokenId[]): void {
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

  book(tokenId: TokenId): StreamedBook | undefined {
    const feed = this.#shardOf.get(tokenId)?.feed(tokenId);
    return feed?.wasSeen ? feed.streamed : undefined;
  }

  isConnected(): boolean {
    for (const shard of this.#shards) if (shard.isConnected) return true;
    return false;
  }

  health(): StreamHealth {
    const shards = [...this.#shards];
    return {
      sockets: shards.length,
      connected: shards.filter((shard) => shard.isConnected).length,
      sound: shards.filter((shard) => shard.isSound).length,
      readsFail: this.#failedReads >= FAILED_READS_MIN,
      tokens: this.#shardOf.size,
      staleTokens: shards.reduce((sum, shard) => sum + shard.staleTokens, 0),
    };
  }

  async close(): Promise<void> {
    this.#silent.close();
    this.#slots.close();
    this.#ignored.close();
    this.#groups.close();
    for (const shard of [...this.#shards]) this.#retire(shard);
    this.#shardOf.clear();
    await Promise.all(this.#closing);
  }

  async #readBooks(prices: VenuePrices, tokenIds: readonly TokenId[]): Promise<Map<TokenId, BookSnapshot>> {
    try {
      const books = await prices.fetchBooks(tokenIds, 'following');
      this.#failedReads = 0;
      return books;
    } catch (error) {
      this.#failedReads += 1;
      throw error;
    }
  }

  #shardFor(tokenId: TokenId, isFull: (shard: MarketShard, room: number) => boolean): MarketShard {
    const { tokensPerSocket } = this.#parts.config;
    for (const other of this.#otherTokens(tokenId)) {
      const shard = this.#shardOf.get(other);
      if (shard !== undefined && !isFull(shard, tokensPerSocket)) return shard;
    }
    const room = Math.ceil(tokensPerSocket * (1 - ROOM_FOR_OTHERS));
    for (const shard of this.#shards) if (!isFull(shard, room)) return shard;
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
