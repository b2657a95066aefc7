import type { DistancePoint } from '@dutchbook/contract/relations.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { type ChartDrawing, paddedRange } from '../../ui/chart-drawing.ts';
import { inCents } from './relation-words.ts';

const MICRO_PER_CENT = 10_000;
/** A flat line should not be blown up into a mountain range. */
const LEAST_SPAN_CENTS = 1;
const LEAST_SPAN_MS = 60_000;

/** How it stands at a moment; `paidUntil`: when it paid last, null where it never did. */
export type Standing = Pick<DistancePoint, 'distance' | 'profit_usd'> & { at: number; paidUntil: Instant | null };

/**
 * The points, which hold until the next one, up to now: the last of a minute may be younger than what has come since. Where it paid in the
 * last of them and does not now, it stands as it does now from the end of that.
 */
export function throughNow(points: readonly DistancePoint[], now: Standing | null): readonly DistancePoint[] {
  const last = points.at(-1);
  if (now === null || last === undefined) return points;
  const { distance, profit_usd, paidUntil } = now;
  const at = (moment: number) => ({ at: Math.max(moment, last.at) as Instant, distance, profit_usd });
  const hasEnded = last.distance < 0 && distance >= 0;
  return [...points, ...(hasEnded ? [at(Math.min(paidUntil ?? 0, now.at))] : []), at(now.at)];
}

/** What a set pays beyond its cost in cents over time, and the line above which that is something: coming nearer goes up. */
export function distanceDrawing(points: readonly DistancePoint[]): ChartDrawing {
  const x = points.map(({ at }) => at);
  const cents = points.map(({ distance }) => -distance / MICRO_PER_CENT);
  const last = x.at(-1) ?? 0;
  const format = (value: number) => placeWords(usdFromMicro(Math.round(-value * MICRO_PER_CENT)));
  return {
    x,
    xKind: 'time',
    xRange: [Math.min(x[0] ?? 0, last - LEAST_SPAN_MS), last],
    shape: 'steps',
    restsAt: points.length - 1,
    lines: [
      { label: 'Distance', colour: '--accent', values: cents, axis: 'left', format },
      {
        label: 'Pays above',
        colour: '--ink-muted',
        values: cents.map(() => 0),
        axis: 'left',
        dashed: true,
        format: () => '0.0 c',
      },
    ],
    left: {
      range: paddedRange([0, ...cents], LEAST_SPAN_CENTS),
      format: (value, decimals) => `${value.toFixed(decimals)} c`,
    },
  };
}

/** What the drawing says, in a sentence. */
export function distanceSummary(points: readonly DistancePoint[]): string {
  const [first] = points;
  if (first === undefined) return 'No distance was recorded.';
  const nearest = points.reduce((a, b) => (b.distance < a.distance ? b : a));
  const farthest = points.reduce((a, b) => (b.distance > a.distance ? b : a));
  const between =
    nearest.distance === farthest.distance
      ? `It stood at ${placeWords(nearest.distance)}.`
      : `It moved between ${placeWords(nearest.distance)} and ${placeWords(farthest.distance)}.`;
  const began = points.filter(({ distance }, index) => distance < 0 && (points[index - 1]?.distance ?? 0) >= 0);
  if (began.length === 0) return `${between} In this picture it never paid.`;
  return `${between} In this picture it began to pay ${began.length === 1 ? 'once' : `${began.length} times`}.`;
}

function placeWords(distance: Usd): string {
  return distance < 0 ? `paying ${inCents(distance)}` : `${inCents(distance)} away`;
}
