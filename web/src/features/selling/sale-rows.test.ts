import type { Order } from '@dutchbook/contract/orders.ts';
import type { PlannedSale } from '@dutchbook/contract/selling.ts';
import { type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { heldShares, sellAllRows } from './sale-rows.ts';

const shares = (count: number): Shares => sharesFromNumber(count);
const order = (id: string, side: 'buy' | 'sell', filled: number, sold = 0) =>
  ({
    id,
    side,
    filled_size: shares(filled),
    sold_size: shares(sold),
    token_id: `token of ${id}`,
    market_name: 'Will it rain?',
    outcome: 'Yes',
  }) as Order;
const sale = (orderId: string, size: number) =>
  ({
    order_id: orderId,
    sell_size: shares(size),
    token_id: `token of ${orderId}`,
    market_name: 'Will it rain?',
    outcome: 'Yes',
  }) as PlannedSale;

describe('what an order holds', () => {
  it('is what was filled less what was sold', () => {
    expect(heldShares(order('a', 'buy', 12, 5))).toBe(shares(7));
    expect(heldShares(order('a', 'buy', 12, 12))).toBe(0);
  });

  it('is nothing of a sell', () => {
    expect(heldShares(order('a', 'sell', 12))).toBe(0);
  });
});

describe('the rows of a sale', () => {
  it('are the orders that hold shares, also those of which nothing can be sold now', () => {
    const orders = [order('a', 'buy', 12), order('b', 'buy', 12), order('gone', 'buy', 12, 12), order('s', 'sell', 12)];
    expect(sellAllRows(orders, [sale('a', 10)])).toMatchObject([
      { id: 'a', tokenId: 'token of a', shares: shares(12), sale: { sell_size: shares(10) } },
      { id: 'b', tokenId: 'token of b', shares: shares(12), sale: undefined },
    ]);
  });

  it('are the planned sales while the orders are not known', () => {
    expect(sellAllRows(undefined, [sale('a', 10)])).toMatchObject([{ id: 'a', shares: shares(10) }]);
  });
});
