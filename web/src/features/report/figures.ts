/** How the report writes its figures. */
import type { Fraction } from '@dutchbook/units/fraction.ts';
import { formatPercent, type Percent, percentOf } from '@dutchbook/units/percent.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** A part of one, in percent. */
export function fractionWords(fraction: Fraction): string {
  return formatPercent((fraction * 100) as Percent);
}

/** How much of what was ordered was filled; nothing where nothing was ordered. */
export function fillRateWords({ ordered, filled }: { ordered: Shares; filled: Shares }): string {
  return ordered === 0 ? '–' : formatPercent(percentOf(filled, ordered, 'down'));
}

export function sumOf<Row>(rows: readonly Row[], of: (row: Row) => Usd): Usd {
  return rows.reduce((sum, row) => sum + of(row), 0) as Usd;
}

const HUNDREDTHS = 10_000;

/** Cents of a share for the money it cost more; nothing where nothing was filled. */
export function centsPerShare(usd: Usd, filled: Shares): string {
  if (filled === 0) return '–';
  const cents = Math.round((usd / filled) * 100 * HUNDREDTHS) / HUNDREDTHS;
  return `${cents.toFixed(2)} c`;
}
