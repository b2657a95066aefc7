import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { realTimers } from './timers.ts';

describe('work that is repeated', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is logged once while it fails, whatever it fails with, and once when it succeeds again', async () => {
    const said: { msg: string; err?: { message: string }; failures?: number }[] = [];
    const timers = realTimers(pino({ level: 'info' }, { write: (line) => void said.push(JSON.parse(line)) }));
    let runs = 0;
    const stop = timers.every(1000, async () => {
      runs += 1;
      if (runs % 10 < 5) throw new Error(`the database is away in run ${runs}`);
    });
    await vi.advanceTimersByTimeAsync(20_000);
    stop();
    expect(runs).toBe(20);
    const outages = [
      [1, 4],
      [10, 5],
      [20, null],
    ] as const;
    expect(said.map(({ msg, err, failures }) => [msg, err?.message ?? failures])).toEqual(
      outages.flatMap(([firstRun, failures]) => [
        ['repeated timer task failed', `the database is away in run ${firstRun}`],
        ...(failures === null ? [] : [['repeated timer task failed, recovered', failures]]),
      ]),
    );
  });
});
