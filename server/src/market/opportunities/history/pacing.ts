/** When an opportunity is due another point of its price history, as far as one process knows. No I/O. */
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { StoredOpportunity } from '../store.ts';
import { POINT_SPACING_MS, POINT_STEP, type PointValues, pointOf } from './store.ts';

export type Pacing = {
  /** Values of the last point that this process added; null before the first. */
  values: PointValues | null;
  /** Whether the trigger was on then, or when the database last had no use for a point. */
  triggered: boolean | null;
  /** No point is due before this moment, except where the trigger goes on or off. */
  nextAt: Instant | null;
};

export function startPacing(): Pacing {
  return { values: null, triggered: null, nextAt: null };
}

/** Whether the database is to be offered a point; it has the last word, because other processes add some too. */
export function isPointDue({ values, triggered, nextAt }: Pacing, row: StoredOpportunity): boolean {
  if (row.lastChecked === null) return false;
  if (triggered !== null && row.triggered !== triggered) return true;
  if (nextAt !== null && row.lastChecked < nextAt) return false;
  return values === null || isDifferent(values, pointOf(row));
}

/** Whether a point will be due without anything else changing. */
export function isPointWaiting({ values, nextAt }: Pacing, row: StoredOpportunity): boolean {
  return nextAt !== null && (values === null || isDifferent(values, pointOf(row)));
}

/** Notes that a point was offered for the row as it stands here, and whether it was `added`. */
export function pace(pacing: Pacing, row: StoredOpportunity, added: boolean): void {
  // The first time that one is not added it may have come too soon; the second time the history ends with what it says.
  if (added || (pacing.values === null && pacing.nextAt !== null)) pacing.values = pointOf(row);
  pacing.triggered = row.triggered;
  pacing.nextAt = instantFromMs((row.lastChecked ?? 0) + POINT_SPACING_MS);
}

function isDifferent(one: PointValues, other: PointValues): boolean {
  return (
    one.targetPrice !== other.targetPrice ||
    isMoved(one.currentPrice, other.currentPrice, POINT_STEP.price) ||
    isMoved(one.profitPercentage, other.profitPercentage, POINT_STEP.percent)
  );
}

function isMoved(one: number | null, other: number | null, step: number): boolean {
  return one === null || other === null ? one !== other : Math.abs(one - other) >= step;
}
