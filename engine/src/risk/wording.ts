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

type LimitCheck = {
  gate: string;
  /** The limit's name as it reads after "no": "limit per day". */
  name: string;
  limit: Usd | null;
  required: boolean;
  /** " of the whole desk"; left out of a venue's. */
  whose?: string;
  /** The dollars, with fees, that are compared with the limit, and how the sentence begins: "the batch takes up to". */
  amount: Usd;
  what: string;
};

/** A refusal where an amount is above its limit, or where a limit that is required is not set. */
export function limitRefusal({ gate, name, limit, required, whose = '', amount, what }: LimitCheck): Blocker | null {
  if (limit === null) {
    return required ? { gate, message: `no ${name} is set`, actual: usdToNumber(amount), required: null } : null;
  }
  if (amount <= limit) return null;
  const [actual, allowed] = tellApart(amount, limit);
  const message = `${what} $${actual}, the limit${whose} is $${allowed}`;
  return { gate, message, actual: usdToNumber(amount), required: usdToNumber(limit) };
}
