import type { Usd } from '@dutchbook/units/usd.ts';
import { type LedgerLine, USD_UNIT } from './entry.ts';

/**
 * What trading has made of dollars by these lines: of cash and of what is receivable everything but what came from outside. Shares
 * that are held count as nothing until they are dollars again.
 */
export function profitOf(lines: readonly LedgerLine[]): Usd {
  let profit = 0;
  for (const { account, unit, amount } of lines)
    if (unit === USD_UNIT && (account === 'traded' || account === 'fees')) profit -= amount;
  return (profit === 0 ? 0 : profit) as Usd;
}
