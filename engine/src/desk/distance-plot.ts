/** How far a relation was from paying over time, exact to the moment where it paid. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** `distance`: dollars that a set cost more than it surely paid; below zero it paid. It holds until the next point. */
export type PlotPoint = { at: Instant; distance: Usd; profit: Usd };

/** A time that it paid: `net` dollars a set at best. `endedAt`: null while it pays. */
export type PaidSpan = { firstAt: Instant; endedAt: Instant | null; net: Usd; profit: Usd };

const MINUTE_MS = 60_000;

/**
 * `points` are the nearest of each minute, oldest first, so that one that paid for a moment would be drawn for a minute or more:
 * it is drawn from where one of the `spans`, oldest first, began to where it ended.
 */
export function distancePlot(points: readonly PlotPoint[], spans: readonly PaidSpan[]): PlotPoint[] {
  const covered = new Set<PaidSpan>();
  const moved = points.map((point) => {
    const span = point.distance < 0 ? spans.find((each) => isWithin(point, each)) : undefined;
    if (span === undefined) return point;
    covered.add(span);
    return { ...point, at: Math.max(point.at, span.firstAt) as Instant };
  });
  const begun = spans
    .filter((span) => !covered.has(span))
    .map(({ firstAt, net, profit }): PlotPoint => ({ at: firstAt, distance: -net as Usd, profit }));
  const away = points.filter(({ distance }) => distance >= 0);
  const ended = spans.flatMap(({ endedAt }): PlotPoint[] =>
    endedAt === null || spans.some((each) => paysAt(endedAt, each)) ? [] : awayAt(endedAt, away),
  );
  // An end comes before what begins in its moment.
  return [...ended, ...moved, ...begun].sort((one, other) => one.at - other.at);
}

function isWithin({ at }: PlotPoint, { firstAt, endedAt }: PaidSpan): boolean {
  return firstAt < at + MINUTE_MS && (endedAt === null || endedAt > at);
}

/** Two directions of a relation may pay at once. */
function paysAt(at: Instant, { firstAt, endedAt }: PaidSpan): boolean {
  return firstAt < at && (endedAt === null || endedAt > at);
}

/** The point at `at`: the next known distance, else the one before; none where neither is known. */
function awayAt(at: Instant, away: readonly PlotPoint[]): PlotPoint[] {
  const known = away.find((point) => point.at >= at) ?? away.at(-1);
  return known === undefined ? [] : [{ ...known, at }];
}
