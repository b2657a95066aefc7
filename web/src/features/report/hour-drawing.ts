/** Slippage and fill rate over the hours of the day. */
import { type Shares, sharesToNumber } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { type ChartDrawing, paddedRange } from '../../ui/chart-drawing.ts';

type Hour = { key: string; ordered: Shares; filled: Shares; slippage_usd: Usd };

const HOURS = 24;
const LEAST_SPAN_USD = 0.1;

/** Hours in which nothing was ordered are gaps; the last value holds until midnight. */
export function hourDrawing(hours: readonly Hour[]): ChartDrawing {
  const of = new Map(hours.map((hour) => [Number(hour.key), hour]));
  const x = Array.from({ length: HOURS + 1 }, (_, hour) => hour);
  const each = x.map((hour) => of.get(Math.min(hour, HOURS - 1)));
  const slippage = each.map((hour) => (hour === undefined ? null : usdToNumber(hour.slippage_usd)));
  const filled = each.map((hour) => (hour === undefined || hour.ordered === 0 ? null : percentFilled(hour)));
  return {
    x,
    xKind: 'hour',
    xRange: [0, HOURS],
    shape: 'steps',
    restsAt: Math.max(0, ...hours.map(({ key }) => Number(key))),
    lines: [
      {
        label: 'Slippage',
        colour: '--active-ink',
        values: slippage,
        axis: 'left',
        format: (value) => formatUsd(usdFromNumber(value)),
      },
      {
        label: 'Fill rate',
        colour: '--accent',
        values: filled,
        axis: 'right',
        dashed: true,
        format: (value) => `${value.toFixed(1)}%`,
      },
    ],
    left: {
      range: paddedRange(
        slippage.flatMap((value) => value ?? []),
        LEAST_SPAN_USD,
      ),
      format: (value, decimals) => `$${value.toFixed(decimals)}`,
    },
    right: { range: [0, 105], format: (value) => (value > 100 ? '' : `${value}%`) },
  };
}

function percentFilled({ ordered, filled }: Hour): number {
  return (sharesToNumber(filled) / sharesToNumber(ordered)) * 100;
}

/** What the picture says, in a sentence. */
export function hourSummary(hours: readonly Hour[]): string {
  const worst = hours.reduce<Hour | undefined>(
    (most, hour) => (most === undefined || hour.slippage_usd > most.slippage_usd ? hour : most),
    undefined,
  );
  if (worst === undefined) return 'Nothing has been ordered.';
  return `Most was lost to slippage at ${worst.key}:00, ${formatUsd(worst.slippage_usd)}.`;
}
