import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { HeldSaleExecution } from '@dutchbook/contract/selling.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { exitResult, hasFailed } from './exit-result.ts';

const sale = (successful: number, failed: number) =>
  ({
    ...{ simulation: false, total_orders: 2, successful_sells: successful, failed_sells: failed },
    ...{ total_proceeds: usdFromNumber(4), total_fees: usdFromNumber(0.1), orders: [] },
    summary: `${successful} of 2 orders sold`,
  }) satisfies HeldSaleExecution;

const SUBMISSIONS = [{ purpose: 'cash_now', status: 'planned', expected_usd: usdFromNumber(12) } as ChainSubmission];

it('says in one summary what was sold and what is planned', () => {
  const result = exitResult(sale(2, 0), { submissions: SUBMISSIONS });
  expect(result.summary).toBe('2 of 2 orders sold. Cash Now: 1 submission planned for $12.00.');
  expect(result).toMatchObject({ total_proceeds: usdFromNumber(4), total_fees: usdFromNumber(0.1) });
  expect(hasFailed(result)).toBe(false);
  expect(exitResult(sale(2, 0), undefined)).not.toHaveProperty('cashNow');
});

it('has failed where one of the ways was refused or sold too little, and says why', () => {
  const refused = exitResult(null, { error: 'Trading is disarmed.' });
  expect(refused).toMatchObject({ summary: 'Cash Now failed: Trading is disarmed.' });
  expect(refused.total_proceeds).toBe(USD_ZERO);
  expect(hasFailed(refused)).toBe(true);
  expect(hasFailed(exitResult(sale(1, 1), { submissions: SUBMISSIONS }))).toBe(true);
});
