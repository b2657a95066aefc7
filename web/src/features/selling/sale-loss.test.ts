import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { largeLoss, outcomeOfOrder, soldGain } from './sale-loss.ts';

const loss = (brings: number, cost: number) =>
  largeLoss({ brings: usdFromNumber(brings), cost: usdFromNumber(cost) }, percentFromNumber(5));

it('is shown in dollars and percent where it is more than is tolerated', () => {
  expect(loss(1.007, 10)).toBe('This sale loses $8.99, 89.93% of what its shares cost.');
  expect(loss(9.499, 10)).toBe('This sale loses $0.50, 5.01% of what its shares cost.');
});

it('is not shown for a loss within that, of a gain, or of shares that cost nothing', () => {
  expect([loss(9.5, 10), loss(10, 10), loss(12, 10), loss(0, 0)]).toEqual(Array(4).fill(undefined));
});

const ALL = {
  sell_size: sharesFromNumber(14),
  proceeds: usdFromNumber(2.52),
  fee: usdFromNumber(0),
  original_value: usdFromNumber(3),
  buy_fee: usdFromNumber(0.08),
};
const lossOf = (size?: number) =>
  largeLoss(outcomeOfOrder(ALL, size === undefined ? undefined : sharesFromNumber(size)), percentFromNumber(5));

it('is that of the shares that are sold, and not of all that there are', () => {
  expect(lossOf()).toBe('This sale loses $0.56, 18.18% of what its shares cost.');
  expect(lossOf(5)).toBe('This sale loses at most $0.20, 18.18% of what its shares cost.');
});

it('is that of what the bids take, where more is asked for', () => {
  expect(lossOf(20)).toBe(lossOf());
});

it('is, once it was sold, what that brought less what these shares cost with their fees', () => {
  const plan = { ...ALL, order_id: 'a' };
  const sold = (order_id: string, size: number, proceeds: number) => ({
    ...{ order_id, sold_size: sharesFromNumber(size), proceeds: usdFromNumber(proceeds), fee: usdFromNumber(0.01) },
  });
  expect(soldGain([sold('a', 14, 2.52)], [plan])).toBe(usdFromNumber(-0.57));
  expect(soldGain([sold('a', 7, 1.26), sold('b', 0, 0)], [plan]), 'half of it, and none of another').toBe(
    usdFromNumber(-0.29),
  );
  expect(soldGain([sold('b', 7, 1.26)], [plan]), 'of which the cost is not known').toBeUndefined();
  expect(soldGain([sold('a', 0, 0)], [plan])).toBeUndefined();
});
