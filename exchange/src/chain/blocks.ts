import type { Hex } from 'viem';
import { hashId } from '../catalogue/ids.ts';
import type { ExchangeClock } from '../matching-engine/clock.ts';

/** About what the chain stood at when the product's first event was listed; any number would do. */
const FIRST_BLOCK = 60_000_000;
const FIRST_BLOCK_AT_MS = 1_700_000_000_000;
const BLOCK_MS = 2_000;

/** A point from which blocks are counted on. */
export interface BlockAnchor {
  readonly height: number;
  readonly atMs: number;
  readonly blockMs: number;
}

/** Blocks come one after the other on the exchange's clock, whether or not there is a transaction for them. */
export class Blocks {
  readonly #clock: ExchangeClock;
  readonly #forks: number[] = [];
  #anchor: BlockAnchor = { height: FIRST_BLOCK, atMs: FIRST_BLOCK_AT_MS, blockMs: BLOCK_MS };

  constructor(clock: ExchangeClock) {
    this.#clock = clock;
  }

  get anchor(): BlockAnchor {
    return this.#anchor;
  }

  set anchor(anchor: BlockAnchor) {
    this.#anchor = anchor;
  }

  /** The newest block. */
  height(): number {
    const { height, atMs, blockMs } = this.#anchor;
    return height + Math.floor((this.#clock.now() - atMs) / blockMs);
  }

  /** How long until the next block. */
  untilNextMs(): number {
    return this.timeMs(this.height() + 1) - this.#clock.now();
  }

  timeMs(height: number): number {
    return this.#anchor.atMs + (height - this.#anchor.height) * this.#anchor.blockMs;
  }

  hashOf(height: number): Hex {
    return hashId('block', height, this.#forks.filter((from) => from <= height).length);
  }

  /** The number of the block with this hash, among the newest ones. */
  heightOf(hash: Hex, among: number): number | undefined {
    for (let height = this.height(); height > this.height() - among; height -= 1) {
      if (this.hashOf(height) === hash) return height;
    }
    return undefined;
  }

  setInterval(blockMs: number): void {
    const height = this.height();
    this.#anchor = { height, atMs: this.timeMs(height), blockMs };
  }

  /** Counts on from the highest block of the journal: the clock may have been ahead when it was made. */
  restore(highest: number): void {
    if (highest > this.height()) this.#anchor = { ...this.#anchor, height: highest, atMs: this.#clock.now() };
  }

  /** From this block on there are other blocks than there were. */
  fork(from: number): void {
    this.#forks.push(from);
  }
}
