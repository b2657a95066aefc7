import { expect, it } from 'vitest';
import { clockWords, dayWords, secondWords } from './date-format.ts';

const inYear = (year: number) => new Date(year, 2, 5, 4, 8, 12).getTime();

it('writes moments to the second, and with their year where that is not this one', () => {
  const thisYear = new Date().getFullYear();
  expect(secondWords(inYear(thisYear))).not.toContain(String(thisYear));
  for (const words of [secondWords, clockWords, dayWords]) {
    expect(words(inYear(thisYear - 1))).toContain(String(thisYear - 1));
    expect(words(inYear(thisYear + 1))).toContain(String(thisYear + 1));
  }
  for (const words of [secondWords, clockWords]) expect(words(inYear(thisYear - 1))).toMatch(/0?4:08:12/);
  expect(clockWords(new Date().setHours(4, 8, 12))).toMatch(/^0?4:08:12/);
});
