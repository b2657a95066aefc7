import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import { readOrderSale } from './sell-order-draft.ts';
import { SELL_PRICE_RULE } from './sell-prices.ts';

const held = sharesFromNumber(12);

it('leaves out what is left empty', () => {
  expect(readOrderSale({ size: '', price: '' }, held)).toEqual({ sale: {} });
});

it('takes a part of what is held, and all of it, at a price of its own', () => {
  expect(readOrderSale({ size: ' 5.5 ', price: '0.4' }, held)).toEqual({
    sale: { sell_size: sharesFromNumber(5.5), sell_price: priceFromNumber(0.4) },
  });
  expect(readOrderSale({ size: '12', price: '' }, held)).toEqual({ sale: { sell_size: held } });
});

it.each([
  ['0', 'Enter a number of shares greater than 0'],
  ['-1', 'Enter a number of shares greater than 0'],
  ['all', 'Enter a number of shares, such as 12.5'],
  ['1e1', 'Enter a number of shares, such as 12.5'],
  ['2000000000', 'Enter at most 1,000,000,000 shares'],
])('takes %j for no number of shares, and says by which rule', (size, problem) => {
  expect(readOrderSale({ size, price: '' }, held)).toEqual({ problems: { size: problem } });
});

it('says what is wrong with each field', () => {
  expect(readOrderSale({ size: '12.01', price: '1.2' }, held)).toEqual({
    problems: { size: 'Only 12.00 shares are held', price: SELL_PRICE_RULE },
  });
});
