import { expect, it } from 'vitest';
import { amountWords, unitWords } from './ledger-words.ts';

it('writes dollars to the cent, or to the last unit where there is a part of one', () => {
  expect(amountWords({ unit: 'usd', amount: '-12.340000' })).toBe('-$12.34');
  expect(amountWords({ unit: 'usd', amount: '-0.000001' })).toBe('-$0.000001');
  expect(amountWords({ unit: 'usd', amount: '7' })).toBe('$7.00');
  expect(amountWords({ unit: 'usd', amount: '-1234567.120500' })).toBe('-$1,234,567.1205');
});

it('writes shares and gas without idle zeros', () => {
  expect(amountWords({ unit: 'pol', amount: '0.012300' })).toBe('0.0123 POL');
  expect(amountWords({ unit: '70430212345678', amount: '-10.000000' })).toBe('-10 sh');
  expect(amountWords({ unit: '70430212345678', amount: '12000.5' })).toBe('12,000.5 sh');
});

it('names a token by its ends', () => {
  expect(unitWords('7043021234567894176')).toBe('704302…4176');
  expect(unitWords('usd')).toBe('USD');
});
