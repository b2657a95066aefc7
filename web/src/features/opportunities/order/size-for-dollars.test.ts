import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { sizeForDollars } from './size-for-dollars.ts';

const plan = {
  order_size: sharesFromText('10'),
  total_cost: usdFromText('9.5'),
  total_fees: usdFromText('0.1'),
};

it.each([
  ['96', '100'],
  ['95.99', '99'],
  [' 10 ', '10'],
])('%s dollars are %s whole shares, fees included', (dollars, shares) => {
  expect(sizeForDollars(dollars, plan)).toBe(sharesFromText(shares));
});

it.each(['', '0.5', '-3', 'all', '1e3', '1.234'])('"%s" says no size', (dollars) => {
  expect(sizeForDollars(dollars, plan)).toBeNull();
});
