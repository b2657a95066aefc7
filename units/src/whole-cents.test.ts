import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUsd, formatUsd, USD_ZERO, type Usd, usdFromMicro, usdFromNumber } from './usd.ts';
import { wholeCents } from './whole-cents.ts';

const usd = (...dollars: number[]) => dollars.map(usdFromNumber);
const sum = (parts: readonly Usd[]) => parts.reduce(addUsd, USD_ZERO);

test.each([
  ['raises what loses most', usd(0.334, 0.333, 0.333), usd(0.34, 0.33, 0.33)],
  ['takes away from a loss', usd(-0.334, -0.333, -0.333), usd(-0.34, -0.33, -0.33)],
  ['adds up a gain and a loss', usd(1.005, -0.5), usd(1.01, -0.5)],
  ['leaves whole cents as they are', usd(1.5, -2.25, 0), usd(1.5, -2.25, 0)],
  ['has nothing to say of nothing', [], []],
])('%s', (_, parts, shown) => {
  expect(wholeCents(parts)).toEqual(shown);
});

test('whatever the parts, what is shown of them adds up to what is shown of their sum, each within a cent', () => {
  const amount = fc.integer({ min: -5_000_000_000, max: 5_000_000_000 }).map(usdFromMicro);
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 40 }), (parts) => {
      const shown = wholeCents(parts);
      expect(formatUsd(sum(shown))).toBe(formatUsd(sum(parts)));
      for (const [nth, part] of parts.entries()) {
        expect(Math.abs((shown[nth] ?? 0) - part)).toBeLessThan(10_000);
        expect(Math.abs((shown[nth] ?? 0) % 10_000)).toBe(0);
      }
    }),
  );
});

test('parts of a sum that is itself a part add up to it as it is shown', () => {
  const costs = usd(0.334, 0.333, 0.339);
  const [cost = USD_ZERO, fees] = wholeCents([sum(costs), usdFromNumber(0.008)]);
  expect([cost, fees].map((part) => formatUsd(part ?? USD_ZERO))).toEqual(['$1.00', '$0.01']);
  const most = wholeCents(costs, usdFromNumber(1.01));
  expect([formatUsd(sum(wholeCents(costs, cost))), formatUsd(sum(most))]).toEqual(['$1.00', '$1.01']);
});
