import { expect, test } from 'vitest';
import { formatAnnualised, isBackWithinDay, type Percent, percentFromNumber } from './percent.ts';

test('a return a year is shown as far as it compares: not of a loss, nor of cash that is back within a day', () => {
  const shown = [null, -151_587.46, 0, 12.5, 10_000, 10_000.01].map((value) =>
    formatAnnualised(value === null ? null : percentFromNumber(value), percentFromNumber(30)),
  );
  expect(shown).toEqual(['–', '–', '–', '12.50%', '10,000.00%', '>10,000%']);
  const [profit, ofOneDay, ofLess] = [2, 730, 730.01].map(percentFromNumber) as [Percent, Percent, Percent];
  expect([ofOneDay, ofLess].map((annualised) => isBackWithinDay(annualised, profit))).toEqual([false, true]);
  expect([ofOneDay, ofLess].map((annualised) => formatAnnualised(annualised, profit))).toEqual(['730.00%', '–']);
  expect(formatAnnualised(ofLess, null)).toBe('730.01%');
});
