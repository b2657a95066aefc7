import type { VenuePrices, VenueRuntime } from '../../venue.ts';
import { type ComparisonSlots, findDiffering } from './comparison.ts';
import type { TokenFeed } from './token-feed.ts';

/** A connection that has brought nothing for a while. */
export type SilentSocket = {
  readonly isSilent: boolean;
  /** How many frames it would have brought meanwhile, had it gone on as before. */
  readonly missedFrames: number;
  /** The tokens that changed last, at most `count`: of a frozen connection they are the likeliest to have changed since. */
  changedLast: (count: number) => TokenFeed[];
  compareAll: () => Promise<void>;
  /** REST was asked at `askedAtMs`, on the clock of `performance.now()`, and shows other books than `differing`. */
  judge: (feeds: readonly TokenFeed[], differing: readonly TokenFeed[], askedAtMs: number) => void;
};

/** Sockets of a venue that freezes fall silent together: so long the first of them waits for the others. */
const GATHERED_MS = 20;
/** How many of the sockets whose silence says most are compared whole. */
const WHOLE_AT_ONCE = 4;
/** Of each of the others, so that a call of 100 tokens serves fifty sockets. */
const SAMPLED_TOKENS = 2;
const SOCKETS_PER_SAMPLE = 50;

type Parts = {
  prices: VenuePrices;
  runtime: VenueRuntime;
  /** Of all comparisons of the stream. */
  slots: ComparisonSlots;
  /** How long a book that differs is given until it is asked for again. */
  settleMs: number;
};

/**
 * Looks whether sockets that bring nothing are frozen: they answer keep-alives then as well, and only REST shows it. Those that were busy
 * before are compared whole, of the others two books each, so that the budget of reads is enough for any number of them.
 */
export class SilentSockets {
  readonly #parts: Parts;
  readonly #waiting = new Set<SilentSocket>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  add(socket: SilentSocket): void {
    this.#waiting.add(socket);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, GATHERED_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #look(): void {
    const silent = [...this.#waiting].filter(({ isSilent }) => isSilent);
    this.#waiting.clear();
    silent.sort((a, b) => b.missedFrames - a.missedFrames);
    for (const socket of silent.splice(0, WHOLE_AT_ONCE)) void socket.compareAll();
    for (let at = 0; at < silent.length; at += SOCKETS_PER_SAMPLE) {
      const sockets = silent.slice(at, at + SOCKETS_PER_SAMPLE);
      const isWanted = () => sockets.some(({ isSilent }) => isSilent);
      void this.#parts.slots.take(isWanted, () => this.#sample(sockets), 'first');
    }
  }

  async #sample(sockets: readonly SilentSocket[]): Promise<void> {
    const { prices, runtime, settleMs } = this.#parts;
    const sampled = new Map(sockets.map((socket) => [socket, socket.changedLast(SAMPLED_TOKENS)]));
    const askedAtMs = performance.now();
    const differing = new Set(await findDiffering([...sampled.values()].flat(), prices, runtime, settleMs));
    for (const [socket, feeds] of sampled)
      socket.judge(
        feeds,
        feeds.filter((feed) => differing.has(feed)),
        askedAtMs,
      );
  }
}
