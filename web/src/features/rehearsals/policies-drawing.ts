/** What each size policy would have made by then, as lines over time. */
import type { PolicyRun } from '@dutchbook/contract/rehearsals.ts';
import { SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { formatUsd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { type ChartDrawing, dollarTick, paddedRange, type ThemeColour } from '../../ui/chart-drawing.ts';

const COLOURS: Readonly<Record<PolicyRun['policy'], ThemeColour>> = {
  smallest: '--warning-ink',
  up_to: '--active-ink',
  best: '--accent',
};
/** A flat line should not be blown up into a mountain range. */
const LEAST_SPAN_USD = 1;

export const policyLabel = (policy: PolicyRun['policy']): string => SETTINGS.SIZE_POLICY.options[policy].label;

export function policiesDrawing(runs: readonly PolicyRun[]): ChartDrawing {
  const x = runs[0]?.course.map(({ at }) => Number(at)) ?? [];
  const lines = runs.map(({ policy, course }) => ({
    label: policyLabel(policy),
    colour: COLOURS[policy],
    values: course.map(({ profit_usd: usd }) => usdToNumber(usd)),
    axis: 'left' as const,
    format: (value: number) => formatUsd(usdFromNumber(value)),
  }));
  return {
    ...{
      x,
      xKind: 'time',
      xRange: [x[0] ?? 0, x.at(-1) ?? 1],
      shape: 'steps',
      lines,
      restsAt: Math.max(0, x.length - 1),
    },
    left: {
      range: paddedRange(
        lines.flatMap(({ values }) => values),
        LEAST_SPAN_USD,
      ),
      format: dollarTick,
    },
  };
}

/** What the picture says, in a sentence. */
export function policiesSummary(runs: readonly PolicyRun[]): string {
  const made = runs.map(
    ({ policy, totals }) => `${policyLabel(policy)} ${formatUsd(totals.models.measured.profit_usd)}`,
  );
  return `Each size policy would have made: ${made.join(', ')}.`;
}
