import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import type { PlannedSale } from '@dutchbook/contract/selling.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { exitResult, hasFailed } from './exit-result.ts';

const planned = { order_id: 'a', leg: 1, sell_size: sharesFromNumber(10) } as PlannedSale;
const sold = (filled: number, status: Order['status']) =>
  ({
    id: 's',
    status,
    size: sharesFromNumber(10),
    filled_size: sharesFromNumber(filled),
    average_price: priceFromNumber(0.4),
    fee: usdFromNumber(0.1),
    error: null,
  }) as Order;

const SUBMISSIONS = [{ purpose: 'cash_now', status: 'planned', expected_usd: usdFromNumber(12) } as ChainSubmission];

it('says in one summary what was sold and what is planned', () => {
  const result = exitResult('b', [{ planned, result: sold(10, 'filled') }], { submissions: SUBMISSIONS });
  expect(result.summary).toBe('1 of 1 orders sold. Cash Now: 1 submission planned for $12.00.');
  expect(result).toMatchObject({ total_proceeds: usdFromNumber(4), total_fees: usdFromNumber(0.1) });
  expect(hasFailed(result)).toBe(false);
});

it('tells what is on its way from what was not sold', () => {
  const sales = [sold(10, 'filled'), sold(4, 'canceled'), sold(0, 'open')].map((result) => ({ planned, result }));
  const result = exitResult('b', sales, undefined);
  expect(result).toMatchObject({ total_orders: 3, successful_sells: 1, failed_sells: 1 });
  expect(result.summary).toBe('1 of 3 orders sold, 1 on their way.');
  expect(result).not.toHaveProperty('cashNow');
});

it('has failed where one of the ways was refused, and says why', () => {
  const refused = exitResult('b', [], { error: 'Trading is disarmed.' });
  expect(refused.summary).toBe('Cash Now failed: Trading is disarmed.');
  expect(hasFailed(refused)).toBe(true);
  const unsold = exitResult('b', [{ planned, result: { error: 'Somebody was first' } }], { submissions: SUBMISSIONS });
  expect(unsold.orders).toMatchObject([{ sell_order_id: null, status: 'failed', error: 'Somebody was first' }]);
  expect(unsold.total_proceeds).toBe(USD_ZERO);
  expect(hasFailed(unsold)).toBe(true);
});
