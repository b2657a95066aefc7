import type { VenueRuntime } from '../venue.ts';

const LOG_EVERY_MS = 60_000;
/** What the venue says is not bounded, and the log is. */
const KINDS_MAX = 20;
const OTHERS = 'others';

/** Counts frames that were not understood: the first is logged at once, the others once a minute by kind. */
export class IgnoredFrames {
  readonly #log: VenueRuntime['log'];
  readonly #stream: 'market' | 'user';
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: 'market' | 'user', { log }: Pick<VenueRuntime, 'log'>) {
    this.#stream = stream;
    this.#log = log;
  }

  note(what: string): void {
    const kind = this.#counts.has(what) || this.#counts.size < KINDS_MAX ? what : OTHERS;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (this.#timer === undefined) this.#report();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #report(): void {
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    const kinds = Object.fromEntries(this.#counts);
    const count = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    this.#log.warn({ stream: this.#stream, count, kinds }, 'stream frames ignored');
    this.#counts = new Map();
    this.#timer = setTimeout(() => this.#report(), LOG_EVERY_MS);
    this.#timer.unref();
  }
}
