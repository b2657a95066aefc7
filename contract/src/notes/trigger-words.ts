/** Words for logs, reasons and pages: by which prices a profit is judged. */
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';

export const JUDGED_BY = {
  midpoint: 'the midpoint of each leg, or else its last trade',
  best_ask: 'the best ask of each leg, whatever its size',
  depth: 'what so many dollars of each leg cost, which a larger or a smaller order may not',
} as const;
export type JudgedBy = keyof typeof JUDGED_BY;

/** "the price of the first $10.00 of each leg". */
export function judgedWords(by: JudgedBy, depth: Usd): string {
  switch (by) {
    case 'midpoint':
      return 'the midpoint of each leg';
    case 'best_ask':
      return 'the best ask of each leg';
    case 'depth':
      return `the price of the first ${formatUsd(depth)} of each leg`;
  }
}
