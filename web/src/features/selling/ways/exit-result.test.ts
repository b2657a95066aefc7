import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { SellExecution } from '@dutchbook/contract/selling.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { exitResult, hasFailed } from './exit-result.ts';

const sale = (successful: number, failed: number) =>
  ({
    ...{ simulation: false, batch_id: 'b', total_orders: 2, successful_sells: successful, failed_sells: failed },
    ...{ total_proceeds: usdFromNumber(4), total_fees: usdFromNumber(0.1), orders: [] },
    summary: `${successful} of 2 orders sold`,
  }) satisfies SellExecution;

const SUBMISSIONS = [{ purpose: 'cash_now', status: 'planned', expected_usd: usdFromNumber(12) } as ChainSubmission];

it('says in one summary what was sold and what is planned', () => {
  const result = exitResult('b', sale(2, 0), { submissions: SUBMISSIONS });
  expect(result.summary).toBe('2 of 2 orders sold. Cash Now: 1 submission planned for $12.00.');
  expect(result).toMatchObject({ total_proceeds: usdFromNumber(4), total_fees: usdFromNumber(0.1) });
  expect(hasFailed(result)).toBe(false);
  expect(exitResult('b', sale(2, 0), undefined)).not.toHaveProperty('cashNow');
});

it('has failed where one of the ways was refused or sold too little, and says why', () => {
  const refused = exitResult('b', null, { error: 'Trading is disarmed.' });
  expect(refused).toMatchObject({ batch_id: 'b', summary: 'Cash Now failed: Trading is disarmed.' });
  expect(refused.total_proceeds).toBe(USD_ZERO);
  expect(hasFailed(refused)).toBe(true);
  expect(hasFailed(exitResult('b', sale(1, 1), { submissions: SUBMISSIONS }))).toBe(true);
});
