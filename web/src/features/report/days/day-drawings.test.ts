import type { ReportDay } from '@dutchbook/contract/report.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { costDrawing, costSummary, dayAt, midnightOf, paidDrawing, paidSummary } from './day-drawings.ts';

function day(given: string, paid: number, locked: number): ReportDay {
  const [paid_usd, locked_usd, fees_usd, slippage_usd] = [paid, locked, 0.5, -0.25].map(usdFromNumber);
  return {
    day: given,
    batches: 1,
    paid_usd,
    locked_usd,
    at_risk_usd: usdFromNumber(9),
    fees_usd,
    slippage_usd,
  } as ReportDay;
}

const NOW = Date.UTC(2026, 10, 25);
const DAYS = [day('2026-11-20', 2, 1), day('2026-11-23', -0.5, 4)];

it('adds up what became cash, and never what is only locked in', () => {
  expect(paidDrawing(DAYS, NOW).lines[0]?.values).toEqual([2, 1.5, 1.5]);
  expect(paidSummary(DAYS)).toBe('$1.50 by 2 days; the best was 2026-11-20 with $2.00.');
  expect(paidSummary([day('2026-11-20', -2, 1), day('2026-11-23', -0.5, 4)])).toBe(
    '-$2.50 by 2 days; none made a profit; the closest to one was 2026-11-23 with -$0.50.',
  );
  expect(paidSummary([])).toBe(
    'Nothing has become cash yet: what is locked does once it is sold, converted or resolved.',
  );
});

it('adds up fees and slippage, each on a line of its own', () => {
  expect(costDrawing(DAYS, NOW).lines.map(({ label, values }) => [label, values])).toEqual([
    ['Fees', [0.5, 1, 1]],
    ['Slippage', [-0.25, -0.5, -0.5]],
  ]);
  expect(costSummary(DAYS)).toBe('Of all batches, fees took $1.00 and slippage -$0.50.');
});

it('has a step for each day, and ends with the last', () => {
  const { x, xRange, shape } = costDrawing(DAYS, NOW);
  expect(x).toEqual(['2026-11-20', '2026-11-23', '2026-11-24'].map(midnightOf));
  expect([xRange, shape]).toEqual([[x[0], x[2]], 'steps']);
  expect(x.map((at) => dayAt(DAYS, at))).toEqual(['2026-11-20', '2026-11-23', '2026-11-23'].map(midnightOf));
});

it('ends now while the last day has not ended', () => {
  const quarterPast = Date.UTC(2026, 10, 23, 0, 15);
  expect(costDrawing(DAYS, quarterPast).xRange[1]).toBe(midnightOf('2026-11-23') + 15 * 60_000);
});
