/**
 * Bands of sizes and hours of the day, by which execution is told apart. All legs of a batch are of its size and were decided at
 * its trigger, so each batch is in one of either.
 */
import { MICRO } from '@dutchbook/units/micro.ts';
import { type SQL, sql } from 'drizzle-orm';
import { batchResults } from './table.ts';

/** The largest size of each band but the last, in shares. */
const SIZES_UP_TO = [10, 20, 50, 100, 200, 500, 1000, 5000];

const ABOVE = 'above';

/** Counted from 0. */
export const SIZE_BAND: SQL<number> = sql<number>`width_bucket(${batchResults.size}, ${sql.raw(
  `array[${SIZES_UP_TO.map((upTo) => upTo * MICRO + 1).join(', ')}]::bigint[]`,
)})`;

export const HOUR: SQL<number> = sql<number>`date_part('hour', ${batchResults.triggeredAt} at time zone 'UTC')::int`;

/** `key` is what the list of batches is filtered by. */
export type Band = { key: string; label: string };

export function sizeBand(nth: number): Band {
  const upTo = SIZES_UP_TO[nth];
  if (upTo !== undefined) return { key: String(upTo), label: `up to ${upTo} shares` };
  return { key: ABOVE, label: `above ${SIZES_UP_TO.at(-1)} shares` };
}

export function hourBand(hour: number): Band {
  return { key: String(hour), label: `${String(hour).padStart(2, '0')}:00` };
}

/** Nothing is in a band that does not exist. */
export function inSizeBand(key: string): SQL {
  const nth = key === ABOVE ? SIZES_UP_TO.length : SIZES_UP_TO.findIndex((upTo) => String(upTo) === key);
  return sql`${SIZE_BAND} = ${nth}`;
}

export function inHour(hour: number): SQL {
  return sql`${HOUR} = ${hour}`;
}
