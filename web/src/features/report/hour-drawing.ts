/** Slippage and fill rate over the hours of the day. */
import { type Shares, sharesToNumber } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { type ChartDrawing, dollarTick, paddedRange } from '../../ui/chart-drawing.ts';

type Hour = { key: string; ordered: Shares; filled: Shares; slippage_usd: Usd };

const HOURS = 24;
const LEAST_SPAN_USD = 0.1;

/** An hour's value ends at ALMOST of the hour; an undefined point at BETWEEN breaks the line, so that hours without data are gaps. */
const [ALMOST, BETWEEN] = [0.98, 0.99];

export function hourDrawing(hours: readonly Hour[]): ChartDrawing {
  const points = hours
    .toSorted((a, b) => Number(a.key) - Number(b.key))
    .flatMap((hour) => {
      const begins = Number(hour.key);
      return [
        { x: begins, hour },
        { x: begins + ALMOST, hour },
        { x: begins + BETWEEN, hour: undefined },
      ];
    });
  const x = points.map((point) => point.x);
  const slippage = points.map(({ hour }) => (hour === undefined ? null : usdToNumber(hour.slippage_usd)));
  const filled = points.map(({ hour }) => (hour === undefined || hour.ordered === 0 ? null : percentFilled(hour)));
  return {
    x,
    xKind: 'hour',
    xRange: [0, HOURS],
    shape: 'straight',
    restsAt: Math.max(0, x.length - 2),
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
      format: dollarTick,
    },
    right: { range: [0, 105], format: (value) => (value > 100 ? '' : `${value}%`) },
  };
}

function percentFilled({ ordered, filled }: Hour): number {
  return (sharesToNumber(filled) / sharesToNumber(ordered)) * 100;
}

/** Less is written as no cents. */
const HALF_CENT = usdFromNumber(0.005);

/** The chart in one sentence. */
export function hourSummary(hours: readonly Hour[]): string {
  const worst = hours.reduce<Hour | undefined>(
    (most, hour) => (most === undefined || hour.slippage_usd > most.slippage_usd ? hour : most),
    undefined,
  );
  if (worst === undefined) return 'Nothing has been ordered.';
  if (worst.slippage_usd < HALF_CENT) {
    const best = hours.reduce((least, hour) => (hour.slippage_usd < least.slippage_usd ? hour : least), worst);
    const gained =
      best.slippage_usd <= -HALF_CENT
        ? `; most was gained at ${best.key}:00, ${formatUsd(-best.slippage_usd as Usd)}`
        : '';
    return `Nothing was lost to slippage in any hour${gained}.`;
  }
  return `Most was lost to slippage at ${worst.key}:00, ${formatUsd(worst.slippage_usd)}.`;
}
