import { microToFixed } from '@dutchbook/units/micro.ts';
import { type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker } from './context.ts';

/** Two amounts to two decimals, or to all six where two would make 0.7999 read as the 0.80 it falls short of. */
export function tellApart(actual: number, required: number): [string, string] {
  const looksAlike = microToFixed(actual, 2) === microToFixed(required, 2);
  const decimals = looksAlike && actual !== required ? 6 : 2;
  return [microToFixed(actual, decimals), microToFixed(required, decimals)];
}

/** The first of several refusals of one gate, saying how many more there are. */
export function firstOf(refusals: readonly Blocker[]): Blocker | null {
  const first = refusals[0];
  if (first === undefined || refusals.length === 1) return first ?? null;
  return { ...first, message: `${first.message}, and ${refusals.length - 1} more` };
}

/** A refusal where `what`, in dollars with fees, is above a limit; null where the limit holds or is off. */
export function aboveLimit(gate: string, what: string, amount: Usd, limit: Usd | null): Blocker | null {
  if (limit === null || amount <= limit) return null;
  const [actual, required] = tellApart(amount, limit);
  const message = `${what} $${actual}, the limit is $${required}`;
  return { gate, message, actual: usdToNumber(amount), required: usdToNumber(limit) };
}
