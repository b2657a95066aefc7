import type { MarketStreamEvents, VenuePrices, VenueRuntime } from '../../venue.ts';
import type { StreamConfig } from '../config.ts';
import type { IgnoredFrames } from '../ignored-frames.ts';
import type { Ticks } from '../ticks.ts';
import type { ComparisonSlots } from './comparison.ts';
import type { FrameGroups } from './frame-groups.ts';
import type { SilentSockets } from './silent-sockets.ts';

/** What all shards of a stream share. */
export type ShardParts<Shard> = {
  url: string;
  config: StreamConfig;
  runtime: VenueRuntime;
  prices: VenuePrices;
  ticks: Ticks;
  /** Limits comparisons with REST over all shards. */
  slots: ComparisonSlots;
  silent: SilentSockets;
  /**
   * Reports that REST, asked at `askedAtMs` (`performance.now()`), shows other books than a silent shard: all shards may be frozen by
   * one cause.
   */
  onFrozen: (shard: Shard, askedAtMs: number) => void;
  ignored: IgnoredFrames;
  /** Groups frames over all sockets of the stream. */
  groups: FrameGroups;
  events: MarketStreamEvents;
};
