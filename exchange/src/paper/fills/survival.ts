import type { Shares } from '@dutchbook/units/shares.ts';
import type { ExchangeClock } from '../../matching-engine/clock.ts';
import type { Market } from '../../matching-engine/market.ts';
import type { MatchingFaults } from '../../matching-engine/matching-faults.ts';
import type { MirroredBooks } from '../books/mirrored-books.ts';
import type { Latency } from './latency.ts';

/** Of fewer samples nothing is said. */
const SAMPLES_MIN = 30;
const SAMPLES_MAX = 1_000;

/** What share of a displayed level is still there one latency later, on average over what was looked at last. */
export class Survival {
  readonly #shares: number[] = [];

  note(before: Shares, after: Shares): void {
    if (before <= 0) return;
    this.#shares.push(Math.min(1, after / before));
    if (this.#shares.length > SAMPLES_MAX) this.#shares.shift();
  }

  get samples(): number {
    return this.#shares.length;
  }

  /** Undefined while there are too few samples. */
  get share(): number | undefined {
    if (this.#shares.length < SAMPLES_MIN) return undefined;
    return this.#shares.reduce((sum, share) => sum + share, 0) / this.#shares.length;
  }
}

/** Orders may match the measured share of what they can reach, or less where a fault says so. */
export function withSurvival(faults: MatchingFaults, survival: Survival): MatchingFaults {
  const share = () => (survival.share === 1 ? undefined : survival.share);
  return { ...faults, partialFill: (tokenId) => faults.partialFill(tokenId) ?? share() };
}

/** Of how many markets each look is. */
const MARKETS_PER_LOOK = 4;

export interface SurvivalLooksParts {
  readonly clock: ExchangeClock;
  readonly books: Pick<MirroredBooks, 'shownAt'>;
  readonly latency: Latency;
  readonly survival: Survival;
}

/** Looks what is left of best levels, of some markets at a time and all of them in turn. */
export class SurvivalLooks {
  readonly #parts: SurvivalLooksParts;
  #place = 0;

  constructor(parts: SurvivalLooksParts) {
    this.#parts = parts;
  }

  /** Notes of the next markets what is left of their best levels one latency from now. */
  look(markets: readonly Market[]): void {
    for (let index = 0; index < Math.min(MARKETS_PER_LOOK, markets.length); index++) {
      const market = markets[this.#place++ % markets.length];
      if (market !== undefined) this.#lookAt(market);
    }
  }

  #lookAt(market: Market): void {
    const { clock, books, latency, survival } = this.#parts;
    for (const side of ['bid', 'ask'] as const) {
      const price = market.book.best(side);
      const before = price && books.shownAt(market, side, price);
      if (price === undefined || !before) continue;
      clock.schedule(latency.ms, () => {
        if (market.hasBooks) survival.note(before, books.shownAt(market, side, price));
      });
    }
  }
}
