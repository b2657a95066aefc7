import type { Depth } from '@dutchbook/contract/valuation.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatShares, type Shares, sharesToNumber } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useMemo } from 'react';
import { Chart, ChartTable } from '../../ui/chart.tsx';
import { Note } from '../../ui/states.tsx';
import { evenly } from './evenly.ts';
import { expectedWords } from './expected-depth.ts';
import { profitDrawing, profitSummary } from './profit-curve-drawing.ts';

const NAME = 'Net profit against size';
const ROWS_MAX = 25;

/** Where profit ends: what each further share of every position adds, and from where on it takes away. */
export function ProfitCurve({ depth, standard }: { depth: Depth; standard: Shares | null }) {
  const { curve, max_profitable_size: best } = depth;
  const drawing = useMemo(() => profitDrawing(curve, { best, standard }), [curve, best, standard]);
  if (drawing === null)
    return <Note tone="inactive" title="There is no profit to draw: not every position can be bought now." />;
  const [, end] = drawing.xRange;
  return (
    <Chart
      name={NAME}
      drawing={drawing}
      formatX={(size) => `${Number(size.toFixed(2)).toLocaleString('en-US')} sh`}
      summary={profitSummary(curve, { best, standard })}
      table={
        <ChartTable
          label={NAME}
          headers={['Size', 'Cost', 'Fees', 'Net Profit', 'Return on Cost']}
          rows={evenly(curve.slice(0, pointsUntil(depth, end)), ROWS_MAX).map((point) => ({
            key: point.size,
            cells: [
              formatShares(point.size),
              formatUsd(point.cost),
              formatUsd(point.fees),
              formatUsd(point.profit),
              formatPercent(point.profit_percentage),
            ],
          }))}
        />
      }
    />
  );
}

/** How much of what the books show at the largest profitable size is expected to be met. */
export function ExpectedDepth({ of: { max_profitable_size, survival } }: { of: Depth }) {
  if (survival === null || max_profitable_size === null) return null;
  return (
    <p className="hint">
      {expectedWords(max_profitable_size, survival)}{' '}
      <span>Measured by own orders, and by what books still held a moment later.</span>
    </p>
  );
}

/** How many points the drawing covers, and the one that ends it. */
function pointsUntil({ curve }: Depth, endShares: number): number {
  return curve.filter(({ size }) => sharesToNumber(size) < endShares).length + 1;
}
