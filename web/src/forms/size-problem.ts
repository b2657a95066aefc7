import { formatCount } from '@dutchbook/units/count.ts';

/** The contract takes no larger quantity. */
const SHARES_MAX = 1_000_000_000;

/** The rule that a size breaks which the contract has refused. */
export function sizeProblem(text: string): string {
  const size = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(size)) return 'Enter a number of shares, such as 12.5';
  if (size <= 0) return 'Enter a number of shares greater than 0';
  if (size > SHARES_MAX) return `Enter at most ${formatCount(SHARES_MAX)} shares`;
  return 'Enter at most two decimals: no venue takes a smaller part of a share';
}
