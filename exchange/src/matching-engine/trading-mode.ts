import type { ExchangeClock } from './clock.ts';

export const TRADING_MODES = ['normal', 'post_only', 'cancel_only', 'disabled'] as const;

/** The calls that the engine takes: all, resting orders and cancels, cancels, or none. */
export type TradingModeName = (typeof TRADING_MODES)[number];

/** The venue takes only post-only orders for this long after its engine has restarted. */
const POST_ONLY_MS = 120_000;

/** The mode of the matching engine. Post-only ends by itself; the others last until another is set. */
export class TradingMode {
  readonly #clock: ExchangeClock;
  #mode: TradingModeName = 'normal';
  #postOnlyUntilMs = 0;

  constructor(clock: ExchangeClock) {
    this.#clock = clock;
  }

  get mode(): TradingModeName {
    return this.#mode === 'post_only' && this.postOnlyLeftMs() === 0 ? 'normal' : this.#mode;
  }

  setMode(mode: TradingModeName): void {
    this.#mode = mode;
    this.#postOnlyUntilMs = this.#clock.now() + POST_ONLY_MS;
  }

  /** How long post-only orders will be the only ones taken, once that mode was set. */
  postOnlyLeftMs(): number {
    return Math.max(0, this.#postOnlyUntilMs - this.#clock.now());
  }
}
