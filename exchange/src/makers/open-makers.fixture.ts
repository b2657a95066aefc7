import type { Instant } from '@dutchbook/units/instant.ts';
import { buildCatalogue } from '../catalogue/listing.ts';
import { NO_FAULTS } from '../faults/no-faults.fixture.ts';
import { ExchangeClock } from '../matching-engine/clock.ts';
import { MarketDirectory } from '../matching-engine/market.ts';
import { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { Makers } from './makers.ts';
import { seededRandom } from './random.ts';

export const START = 1_780_000_000_000 as Instant;
export const TEN_MINUTES_MS = 600_000;

/** A wall clock that jumps from timer to timer. */
function jumpingTimers() {
  let nowMs: number = START;
  let next: { run: () => void; atMs: number } | undefined;
  return {
    timers: {
      now: () => nowMs,
      setTimeout: (run: () => void, ms: number) => {
        next = { run, atMs: nowMs + ms };
        return next;
      },
      clearTimeout: () => {
        next = undefined;
      },
    },
    /** Runs the next timer and returns the time it came at. */
    jump: () => {
      const due = next;
      next = undefined;
      nowMs = due?.atMs ?? nowMs;
      due?.run();
      return nowMs - START;
    },
  };
}

/** Makers of the catalogue of a seed, over a clock that jumps from one of their moves to the next. */
export function openMakers(seed: number) {
  const { timers, jump } = jumpingTimers();
  const clock = new ExchangeClock({ ...timers, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(seed, START), START);
  const engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
  const makers = new Makers(engine, directory.events, seededRandom(seed), timers);
  makers.resume();
  return { engine, jump };
}
