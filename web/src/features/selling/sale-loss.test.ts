import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { largeLoss, outcomeOfOrder } from './sale-loss.ts';

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
