import { type Instant, instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Clock, Timers } from './runtime.ts';

export type TestTime = {
  clock: Clock;
  timers: Timers;
  /**
   * Moves the clock and runs due timers in order, each after the work of the one before has ended. Resolves when all of it
   * has ended. @returns whether anything fell due
   */
  advance: (ms: number) => Promise<boolean>;
  /**
   * Moves the clock in steps, as for a process that is held up for each of them: what fell due meanwhile runs once. For long
   * waits in which nothing but the time matters; what polls every second is then not asked for each of them.
   */
  leap: (ms: number, stepMs?: number) => Promise<void>;
};

type Timer = { dueAt: Instant; everyMs: number | null; work: () => Promise<void> | void };

/** A database's clock that shows what `clock` does. */
export function databaseNowBy(clock: Clock): () => SQL<Instant> {
  return () => sql<Instant>`${instantToIso(clock.now())}::timestamptz`;
}

/** Time that only a test moves; it begins at 2026-01-01T00:00:00Z. `untilIdle`: once nothing goes on unless time passes. */
export function testTime(untilIdle: () => Promise<void> = async () => {}): TestTime {
  let now = instantFromIso('2026-01-01T00:00:00Z');
  const timers = new Set<Timer>();
  const start = (ms: number, everyMs: number | null, work: Timer['work']) => {
    const timer = { dueAt: instantFromMs(now + ms), everyMs, work };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const nextDue = (until: number) =>
    [...timers].filter(({ dueAt }) => dueAt <= until).toSorted((a, b) => a.dueAt - b.dueAt)[0];
  async function leapTo(until: Instant): Promise<void> {
    await untilIdle();
    now = until;
    for (const due of [...timers].filter(({ dueAt }) => dueAt <= until).toSorted((a, b) => a.dueAt - b.dueAt)) {
      if (!timers.has(due)) continue;
      if (due.everyMs === null) timers.delete(due);
      else due.dueAt = instantFromMs(until + due.everyMs);
      await due.work();
      await untilIdle();
    }
  }
  return {
    clock: { now: () => now },
    timers: {
      after: (ms, work) => start(ms, null, work),
      every: (ms, work) => start(ms, ms, work),
    },
    advance: async (ms) => {
      const until = instantFromMs(now + ms);
      let anyDue = false;
      await untilIdle();
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        anyDue = true;
        now = due.dueAt;
        if (due.everyMs === null) timers.delete(due);
        else due.dueAt = instantFromMs(now + due.everyMs);
        await due.work();
        await untilIdle();
      }
      now = until;
      return anyDue;
    },
    leap: async (ms, stepMs = ms) => {
      const until = now + ms;
      while (now < until) await leapTo(instantFromMs(Math.min(now + stepMs, until)));
    },
  };
}
