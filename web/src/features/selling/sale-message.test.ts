import type { OrderStatus } from '@dutchbook/contract/orders.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { saleMessage } from './sale-message.ts';

const sell = (status: OrderStatus, sold: number, error: string | null = null) =>
  saleMessage({ status, size: sharesFromNumber(12), filled_size: sharesFromNumber(sold), error });

it('tells what became of a sell order', () => {
  expect(sell('filled', 12)).toEqual({ tone: 'success', text: 'Order sold successfully' });
  expect(sell('partially_filled', 5).text).toBe('Sold 5.00 of 12.00 shares. The rest is kept.');
  expect(sell('rejected', 0, 'The market is closed')).toEqual({
    tone: 'problem',
    text: 'Failed to sell order: The market is closed',
  });
  expect(sell('canceled', 0).text).toContain('no bid was high enough');
});

it.each(['pending', 'processing', 'open'] as const)('does not call an order sold that is %s', (status) => {
  expect(sell(status, 0).text).toMatch(/^Sell order placed\. Its row shows/);
});
