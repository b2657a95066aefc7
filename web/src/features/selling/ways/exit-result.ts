import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { HeldSaleExecution } from '@dutchbook/contract/selling.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { submittedWords } from '../../chain-steps/chain-words.ts';

/** What became of the orders on Cash Now: what is planned, or why nothing is. */
export type CashNowResult = { submissions: readonly ChainSubmission[] } | { error: string };

/** What came of orders some of which were sold and others converted into dollars. */
export type ExitExecution = HeldSaleExecution & { cashNow?: CashNowResult };

/** The results of selling and converting, with one summary. */
export function exitResult(sold: HeldSaleExecution | null, cashNow: CashNowResult | undefined): ExitExecution {
  const sale = sold ?? NOTHING_SOLD;
  const words = [sold && `${sold.summary}.`, cashNow && cashNowWords(cashNow)].filter(Boolean);
  return { ...sale, summary: words.join(' '), ...(cashNow && { cashNow }) };
}

const NOTHING_SOLD: HeldSaleExecution = {
  simulation: false,
  total_orders: 0,
  successful_sells: 0,
  failed_sells: 0,
  total_proceeds: USD_ZERO,
  total_fees: USD_ZERO,
  summary: '',
  orders: [],
};

/** Something that was asked for did not happen. */
export function hasFailed({ failed_sells, cashNow }: ExitExecution): boolean {
  return failed_sells > 0 || (cashNow !== undefined && 'error' in cashNow);
}

function cashNowWords(cashNow: CashNowResult): string {
  return 'error' in cashNow ? `Cash Now failed: ${cashNow.error}` : submittedWords(cashNow.submissions);
}
