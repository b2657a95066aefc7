/** The curve of equity as lines, and in a sentence. */
import type { Equity } from '@dutchbook/contract/portfolio.ts';
import { formatUsd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { type ChartDrawing, dollarTick, paddedRange } from '../../ui/chart-drawing.ts';

/** A flat line should not be blown up into a mountain range. */
const LEAST_SPAN_USD = 1;
const LEAST_SPAN_MS = 60_000;

/** The gap between the two lines is how far it has fallen below its peak. */
export function equityDrawing({ curve }: Pick<Equity, 'curve'>): ChartDrawing {
  const x = curve.map(({ at }) => Number(at));
  const values = curve.map(({ equity_usd }) => usdToNumber(equity_usd));
  let peak = Number.NEGATIVE_INFINITY;
  const peaks = values.map((value) => {
    peak = Math.max(peak, value);
    return peak;
  });
  const format = (value: number) => formatUsd(usdFromNumber(value));
  const first = x[0] ?? 0;
  return {
    x,
    xKind: 'time',
    xRange: [first, Math.max(x.at(-1) ?? 0, first + LEAST_SPAN_MS)],
    shape: 'straight',
    restsAt: x.length - 1,
    lines: [
      { label: 'Peak', colour: '--line-strong', values: peaks, axis: 'left', dashed: true, format },
      { label: 'Equity', colour: '--accent', values, axis: 'left', format },
    ],
    left: { range: paddedRange(values, LEAST_SPAN_USD), format: dollarTick },
  };
}

export function equitySummary({ drawdown_usd: drawdown, below_peak_usd: below }: Equity): string {
  const fall = drawdown === 0 ? 'It has not fallen' : `Its deepest fall was ${formatUsd(drawdown)}`;
  return `${fall} in these days; it is ${below === 0 ? 'at its peak' : `${formatUsd(below)} below its peak`} now.`;
}
