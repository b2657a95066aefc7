import { describe, expect, it } from 'vitest';
import { ExchangeClock } from './clock.ts';

function openClock() {
  let wallMs = 1_000_000;
  let armed: { run: () => void; dueMs: number } | undefined;
  const clock = new ExchangeClock({
    now: () => wallMs,
    setTimeout: (run, ms) => {
      armed = { run, dueMs: wallMs + ms };
      return armed;
    },
    clearTimeout: () => {
      armed = undefined;
    },
  });
  const pass = (ms: number) => {
    wallMs += ms;
    if (armed !== undefined && armed.dueMs <= wallMs) armed.run();
  };
  return { clock, pass };
}

describe('the exchange clock', () => {
  it('runs what is due as wall time passes', () => {
    const { clock, pass } = openClock();
    const ran: string[] = [];
    clock.schedule(500, () => ran.push('late'));
    clock.schedule(100, () => ran.push('early'));
    pass(99);
    expect(ran).toEqual([]);
    pass(1);
    expect(ran).toEqual(['early']);
    pass(400);
    expect(ran).toEqual(['early', 'late']);
  });

  it('runs everything it is advanced past in order, each at its own time, also what was scheduled on the way', () => {
    const { clock } = openClock();
    const ran: [string, number][] = [];
    const note = (name: string) => ran.push([name, clock.now() - 1_000_000]);
    clock.schedule(1_000, () => {
      note('mined');
      clock.schedule(1_000, () => note('confirmed'));
    });
    clock.schedule(1_500, () => note('expired'));
    clock.advance(5_000);
    expect(ran).toEqual([
      ['mined', 1_000],
      ['expired', 1_500],
      ['confirmed', 2_000],
    ]);
    expect(clock.now()).toBe(1_005_000);
    expect(clock.offsetMs).toBe(5_000);
  });
});
