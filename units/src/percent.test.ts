import { expect, test } from 'vitest';
import { formatAnnualised, percentFromNumber } from './percent.ts';

test('a return a year is shown as far as it compares: not of a loss, and of minutes only that it is large', () => {
  const shown = [null, -151_587.46, 0, 12.5, 10_000, 10_000.01].map((value) =>
    formatAnnualised(value === null ? null : percentFromNumber(value)),
  );
  expect(shown).toEqual(['–', '–', '–', '12.50%', '10,000.00%', '>10,000%']);
});
