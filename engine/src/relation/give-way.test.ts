import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { givesWay } from './give-way.ts';

const after = (open: string, profit: string, openForMs = 0) =>
  givesWay({
    openProfit: usdFromText(open) as Usd,
    profit: usdFromText(profit),
    openForMs,
    leastGain: usdFromText('0.01'),
  });

it('gives way at once to what makes a tenth more, and to anything where it makes nothing', () => {
  expect(after('0.03', '0.52')).toBe(true);
  expect(after('10', '11')).toBe(true);
  expect(after('0', '0.02')).toBe(true);
});

it('gives way to a little more after five seconds, and never to less than a change is worth', () => {
  expect(after('10', '10.99')).toBe(false);
  expect(after('10', '10.99', 5000)).toBe(true);
  expect(after('0.03', '0.039', 60_000)).toBe(false);
  expect(after('10', '10', 60_000)).toBe(false);
  expect(after('10', '9', 60_000)).toBe(false);
});
