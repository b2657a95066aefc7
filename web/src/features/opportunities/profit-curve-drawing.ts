import type { ProfitPoint } from '@dutchbook/contract/valuation.ts';
import { formatPercent, percentFromNumber, percentToNumber } from '@dutchbook/units/percent.ts';
import { formatShares, type Shares, sharesToNumber } from '@dutchbook/units/shares.ts';
import { formatUsd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import {
  type ChartDrawing,
  dollarTick,
  paddedRange,
  type ThemeColour,
  withZeroAligned,
} from '../../ui/chart-drawing.ts';

/** How far beyond the largest profitable size the curve is drawn: enough to see it fall. */
const BEYOND_BEST = 2;
const BEYOND_DEFAULT = 5;
/** Between two points profit is straight, but its share of what is paid bends. */
const STEPS = 120;

type Sizes = { best: Shares | null; standard: Shares | null };

/** Net profit in dollars and in percent against size; null where there is nothing to buy. */
export function profitDrawing(curve: readonly ProfitPoint[], { best, standard }: Sizes): ChartDrawing | null {
  const last = curve.at(-1);
  if (last === undefined) return null;
  const farthest = Math.max((best ?? 0) * BEYOND_BEST, (standard ?? 0) * BEYOND_DEFAULT) || last.size;
  const end = sharesToNumber(Math.min(farthest, last.size) as Shares);
  const points = pointsUpTo(curve, end);
  const dollars = points.map(({ profit }) => profit);
  const percents = points.map(({ percent }) => percent);
  const [left, right] = withZeroAligned([paddedRange(dollars, 0.01), paddedRange(percents, 0.1)]);
  return {
    x: points.map(({ size }) => size),
    xKind: 'size',
    xRange: [0, end],
    shape: 'straight',
    restsAt: Math.max(
      0,
      points.findLastIndex(({ size }) => size <= sharesToNumber(best || standard || last.size)),
    ),
    lines: [
      {
        label: 'Net profit',
        colour: '--accent',
        values: dollars,
        axis: 'left',
        format: (value) => formatUsd(usdFromNumber(value)),
      },
      {
        label: 'Return on cost',
        colour: '--active-ink',
        values: percents,
        axis: 'right',
        dashed: true,
        format: (value) => formatPercent(percentFromNumber(value)),
      },
    ],
    left: {
      range: left ?? [0, 1],
      format: dollarTick,
    },
    right: { range: right ?? [0, 1], format: (value, decimals) => `${value.toFixed(decimals)}%` },
    verticals: [
      ...markAt(best, 'Largest profitable', '--success-ink'),
      ...markAt(standard, 'Default order', '--pending-ink'),
    ],
  };
}

function markAt(size: Shares | null, name: string, colour: ThemeColour) {
  if (size === null || size === 0) return [];
  return [{ x: sharesToNumber(size), label: `${name}: ${formatShares(size)} sh`, colour }];
}

type Drawn = { size: number; profit: number; percent: number };

/** The curve from nothing to `end`, at its own points and evenly between. */
function pointsUpTo(curve: readonly ProfitPoint[], end: number): Drawn[] {
  const knots = knotsOf(curve);
  const even = Array.from({ length: STEPS }, (_, index) => (end * (index + 1)) / STEPS);
  const sizes = [...new Set([...even, ...knots.map(({ size }) => size)])].filter((size) => size <= end);
  const [first] = curve;
  const start = { size: 0, profit: 0, percent: first === undefined ? 0 : percentToNumber(first.profit_percentage) };
  return [start, ...sizes.sort((a, b) => a - b).map((size) => pointAt(knots, size))];
}

type Knot = { size: number; paid: number; profit: number };

function knotsOf(curve: readonly ProfitPoint[]): Knot[] {
  return curve.map(({ size, cost, fees, profit }) => ({
    size: sharesToNumber(size),
    paid: usdToNumber(cost) + usdToNumber(fees),
    profit: usdToNumber(profit),
  }));
}

function pointAt(knots: readonly Knot[], size: number): Drawn {
  const index = knots.findIndex((knot) => knot.size >= size);
  const to = knots[index] ?? { size, paid: 0, profit: 0 };
  const from = knots[index - 1] ?? { size: 0, paid: 0, profit: 0 };
  const part = to.size === from.size ? 1 : (size - from.size) / (to.size - from.size);
  const profit = from.profit + (to.profit - from.profit) * part;
  const paid = from.paid + (to.paid - from.paid) * part;
  return { size, profit, percent: paid === 0 ? 0 : (profit / paid) * 100 };
}

/** Net profit at one size, read off the straight line between two points of the curve. */
export function profitAt(curve: readonly ProfitPoint[], size: Shares): { profit: string; percent: string } | undefined {
  const last = curve.at(-1);
  if (last === undefined || size > last.size) return undefined;
  const { profit, percent } = pointAt(knotsOf(curve), sharesToNumber(size));
  return { profit: formatUsd(usdFromNumber(profit)), percent: formatPercent(percentFromNumber(percent)) };
}

/** What the drawing says, in a sentence. */
export function profitSummary(curve: readonly ProfitPoint[], { best, standard }: Sizes): string {
  return [bestSentence(curve, best), standardSentence(curve, standard)].join(' ').trim();
}

function bestSentence(curve: readonly ProfitPoint[], best: Shares | null): string {
  const at = best === null || best === 0 ? undefined : profitAt(curve, best);
  if (best === null || at === undefined) return 'No size is profitable at these books.';
  return `Profit is largest at ${formatShares(best)} shares of each position: ${at.profit}, a return of ${at.percent} on what those cost.`;
}

function standardSentence(curve: readonly ProfitPoint[], standard: Shares | null): string {
  if (standard === null) return '';
  const at = profitAt(curve, standard);
  const size = `The default order of ${formatShares(standard)} shares`;
  return at === undefined
    ? `${size} is more than the books hold.`
    : `${size} would leave ${at.profit}, a return of ${at.percent}.`;
}
