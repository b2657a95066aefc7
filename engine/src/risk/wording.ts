import { divInteger, microToFixed } from '@dutchbook/units/micro.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { formatUsd, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker } from './context.ts';

/** A percentage to two decimals and never above what it is, so that 0.7999 does not read as the 0.80 it falls short of. */
export function percentText(percent: Percent): string {
  return `${microToFixed(divInteger(percent, 10_000, 'down') * 10_000, 2)} %`;
}

/** The first of several refusals of one gate, saying how many more there are. */
export function firstOf(refusals: readonly Blocker[]): Blocker | null {
  const first = refusals[0];
  if (first === undefined || refusals.length === 1) return first ?? null;
  return { ...first, message: `${first.message}, and ${refusals.length - 1} more` };
}

/** A refusal where `what`, in dollars with fees, is above a limit; null where the limit holds or is off. */
export function aboveLimit(gate: string, what: string, actual: Usd, limit: Usd | null): Blocker | null {
  if (limit === null || actual <= limit) return null;
  const message = `${what} ${formatUsd(actual)}, the limit is ${formatUsd(limit)}`;
  return { gate, message, actual: usdToNumber(actual), required: usdToNumber(limit) };
}
