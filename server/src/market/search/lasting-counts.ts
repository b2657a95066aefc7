import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';

/** Fewer rows are counted for each question. */
const LARGE = 1000;
const LASTS_MS = 5_000;
const KEPT_MAX = 100;

/**
 * How many rows a list has. To count many takes longer than to read a page of them, and a few more or less make no difference to a reader:
 * a large count is kept for some seconds. `key` names the list and what it is narrowed to.
 */
export type LastingCounts = <Counted extends Readonly<Record<string, number>>>(
  key: string,
  count: () => Promise<Counted>,
) => Promise<Counted>;

type Kept = { counted: Promise<Readonly<Record<string, number>>>; at: Instant };

export function openLastingCounts(clock: Clock): LastingCounts {
  const kept = new Map<string, Kept>();
  const keep = (key: string, counted: Kept['counted']) => {
    const one = { counted, at: clock.now() };
    kept.set(key, one);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    counted.catch(() => {
      if (kept.get(key) === one) kept.delete(key);
    });
  };
  return async <Counted extends Readonly<Record<string, number>>>(key: string, count: () => Promise<Counted>) => {
    const known = kept.get(key);
    if (known !== undefined && elapsedMs(known.at, clock.now()) < LASTS_MS) return (await known.counted) as Counted;
    kept.delete(key);
    const counting = count();
    // The last count was large: concurrent callers share this one.
    if (known !== undefined) keep(key, counting);
    const counted = await counting;
    const isLarge = Object.values(counted).some((each) => each >= LARGE);
    if (isLarge && known === undefined) keep(key, Promise.resolve(counted));
    if (!isLarge) kept.delete(key);
    return counted;
  };
}
