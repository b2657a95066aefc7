import type { Timers } from '../world/world.ts';

/**
 * Passes on at most one value per key and interval, at once where it can: of what comes too soon only the latest is
 * kept, and passed on when its time has come.
 */
export function coalesce<Value>(
  timers: Timers,
  intervalMs: number,
  pass: (value: Value) => void,
): (key: string, value: Value) => void {
  const held = new Map<string, { latest: Value | null }>();

  const passNow = (key: string, value: Value) => {
    held.set(key, { latest: null });
    timers.after(intervalMs, () => {
      const latest = held.get(key)?.latest ?? null;
      held.delete(key);
      if (latest !== null) passNow(key, latest);
    });
    pass(value);
  };

  return (key, value) => {
    const holding = held.get(key);
    if (holding) holding.latest = value;
    else passNow(key, value);
  };
}
