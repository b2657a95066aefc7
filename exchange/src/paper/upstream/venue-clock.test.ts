import { describe, expect, it } from 'vitest';
import { VenueClock } from './venue-clock.ts';

const START_MS = Date.UTC(2026, 10, 29, 12);
const dateOf = (ms: number) => new Date(ms).toUTCString();

/** A clock that has read answers, each asked for and come at these times, while the venue was so far ahead. */
function toldOf(
  clock: VenueClock,
  aheadMs: number,
  answers: readonly (readonly [askedAtMs: number, cameAtMs: number])[],
) {
  for (const [askedAtMs, cameAtMs] of answers) {
    clock.noteAnswer(dateOf(START_MS + aheadMs + (askedAtMs + cameAtMs) / 2), askedAtMs, cameAtMs);
  }
}

describe('the time at a venue', () => {
  it('is never before what it is there, and the nearer to it the more answers there are', () => {
    const clock = new VenueClock();
    toldOf(clock, 7_000, [[100, 140]]);
    expect(clock.latest(200)).toBe(START_MS + 7_900 + 200);
    toldOf(clock, 7_000, [
      [1_300, 1_340],
      [1_960, 2_000],
    ]);
    expect(clock.latest(2_000) - (START_MS + 7_000 + 2_000)).toBe(40);
  });

  it('is that of the last answer after one of the clocks was set', () => {
    const clock = new VenueClock();
    toldOf(clock, 0, [[950, 990]]);
    toldOf(clock, -60_000, [[1_950, 1_990]]);
    expect(clock.latest(2_000)).toBe(START_MS - 60_000 + 2_050);
  });

  it('is that of this machine before any answer, and what is no time says nothing', () => {
    const clock = new VenueClock();
    clock.noteAnswer(null, 0, 5);
    clock.noteAnswer('soon', 0, 5);
    expect(clock.aheadMs).toBeNull();
    expect(Math.abs(clock.latest() - Date.now())).toBeLessThan(60_000);
  });
});
