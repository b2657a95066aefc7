import { priceFromNumber } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { hasWrongPrice, readSellPrice, SELL_PRICE_RULE, samePrices, sellPrices } from './sell-prices.ts';

describe('a custom price', () => {
  it.each([
    ['0.5', 0.5],
    ['.25', 0.25],
    [' 0.1234 ', 0.1234],
    ['1', 1],
    ['0.0001', 0.0001],
  ])('%j is sent', (text, price) => {
    expect(readSellPrice(text)).toEqual({ price: priceFromNumber(price) });
  });

  it.each(['', '  ', '0', '0.0000'])('%j leaves it to the bids', (text) => {
    expect(readSellPrice(text)).toEqual({ price: undefined });
  });

  it.each(['-0.1', '1.0001', '0.12345', '1e-1', '.', 'half', '?'])('%j is no price', (text) => {
    expect(readSellPrice(text)).toEqual({ error: SELL_PRICE_RULE });
  });
});

it('sends positive prices alone', () => {
  const typed = { a: '0.4', b: '', c: '0', d: '-0.5', e: '2' };
  expect(sellPrices(typed)).toEqual({ a: priceFromNumber(0.4) });
  expect(hasWrongPrice(typed)).toBe(true);
  expect(hasWrongPrice({ a: '0.4', b: '', c: '0' })).toBe(false);
});

it('knows the same prices by what they say, not by how or when they were typed', () => {
  expect(samePrices(sellPrices({ b: '0.2', a: '0.4' }), sellPrices({ a: '0.4000', b: '.2', c: '' }))).toBe(true);
  expect(samePrices(sellPrices({ a: '0.4' }), sellPrices({ a: '0.41' }))).toBe(false);
});
