import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { annualisedReturn } from './annualised.ts';

it('is the profit over dollars times days, for a year', () => {
  const aDollarForTenDays = usdFromText('10');
  expect(annualisedReturn(usdFromText('0.01'), aDollarForTenDays)).toBe(fractionFromText('0.365'));
  expect(annualisedReturn(usdFromText('-0.01'), aDollarForTenDays)).toBe(fractionFromText('-0.365'));
  expect(annualisedReturn(USD_ZERO, aDollarForTenDays)).toBe(0);
});

it('is null where nothing was bound, and has an end where next to nothing was', () => {
  expect(annualisedReturn(usdFromText('5'), USD_ZERO)).toBeNull();
  const aMillionTimes = fractionFromText('1000000');
  expect(annualisedReturn(usdFromText('5'), usdFromText('0.000001'))).toBe(aMillionTimes);
  expect(annualisedReturn(usdFromText('-5'), usdFromText('0.000001'))).toBe(-aMillionTimes);
});
