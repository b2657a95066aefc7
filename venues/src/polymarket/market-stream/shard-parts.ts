import type { MarketStreamEvents, VenuePrices, VenueRuntime } from '../../venue.ts';
import type { StreamConfig } from '../config.ts';
import type { IgnoredFrames } from '../ignored-frames.ts';
import type { Ticks } from '../ticks.ts';
import type { ComparisonSlots } from './comparison.ts';
import type { FrameGroups } from './frame-groups.ts';
import type { SilentSockets } from './silent-sockets.ts';

/** What the shards of a stream share. `Shard`: one of them. */
export type ShardParts<Shard> = {
  url: string;
  config: StreamConfig;
  runtime: VenueRuntime;
  prices: VenuePrices;
  ticks: Ticks;
  /** Of all shards there are. */
  slots: ComparisonSlots;
  silent: SilentSockets;
  /**
   * REST, asked at `askedAtMs` on the clock of `performance.now()`, shows other books than a shard that brings nothing: what froze this
   * one may have frozen them all.
   */
  onFrozen: (shard: Shard, askedAtMs: number) => void;
  ignored: IgnoredFrames;
  /** Of all sockets of the stream. */
  groups: FrameGroups;
  events: MarketStreamEvents;
};
