/**
 * How often this process reads from a venue: for each kind of read what the venue takes of it, of which a part is kept for
 * placing and reconciling. It decides and remembers; who reads asks it first.
 */
import type { Instant } from '@dutchbook/units/instant.ts';

/**
 * What a read is for. `trading`: placing, selling and reconciling, which never wait here. `following`: keeping known prices
 * and markets current. `display`: a person looks, and can look again.
 */
export type ReadPriority = 'trading' | 'following' | 'display';

/** At most `calls` calls of a kind in any `windowMs`. */
export type ReadLimit = { calls: number; windowMs: number };

/** `waitMs`: after so long a granted call may leave, and a refused one is worth another try. */
export type ReadSlot = { isGranted: boolean; waitMs: number };

/** Fraction of the limit that may leave at once; the rest refills over the window, so that both together never exceed it. */
const BURST_FRACTION = 0.2;
/** Fraction of the burst reserved for trading. */
const RESERVE_FRACTION = 0.5;
/** Reads that keep prices current run one after the other, behind reads for display that were asked for before. */
const PATIENCE_MS = { following: 10_000, display: 2_000 };

export class ReadBudget {
  readonly #limits: ReadonlyMap<string, ReadLimit>;
  /** What may leave at once, less than nothing where calls wait for a slot. */
  readonly #left = new Map<string, { calls: number; at: Instant }>();

  constructor(limits: ReadonlyMap<string, ReadLimit>) {
    this.#limits = limits;
  }

  /** When a call may leave; a granted one is counted. Kinds without a limit are not. */
  takeSlot(kind: string, priority: ReadPriority, now: Instant): ReadSlot {
    const limit = this.#limits.get(kind);
    if (limit === undefined) return { isGranted: true, waitMs: 0 };
    const burst = limit.calls * BURST_FRACTION;
    const perMs = (limit.calls - burst) / limit.windowMs;
    const known = this.#left.get(kind) ?? { calls: burst, at: now };
    const left = Math.min(burst, known.calls + Math.max(0, now - known.at) * perMs);
    const missing = priority === 'trading' ? 0 : burst * RESERVE_FRACTION + 1 - left;
    const waitMs = Math.max(0, Math.ceil(missing / perMs));
    const isGranted = priority === 'trading' || waitMs <= PATIENCE_MS[priority];
    this.#left.set(kind, { calls: isGranted ? left - 1 : left, at: now });
    return { isGranted, waitMs };
  }
}
