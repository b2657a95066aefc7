/**
 * The one definition of realised profit. A dollar is realised by the sale, redemption or conversion that made
 * cash of its shares (`paidParts`), and belongs to the UTC day of that, whenever its batch was placed or ended.
 */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { addAmounts, NOTHING_PAID, type PaidAmounts, type PaidPart } from './paid-parts.ts';

/** A day of UTC, as `2026-01-31`. */
export function utcDayOf(at: Instant): string {
  return instantToIso(at).slice(0, 'yyyy-mm-dd'.length);
}

/** `undated`: when a part was realised of which nothing says when. */
export function realisedByDay(parts: readonly PaidPart[], undated: Instant): Map<string, PaidAmounts> {
  const byDay = Map.groupBy(parts, ({ at }) => utcDayOf(at ?? undated));
  return new Map([...byDay].map(([day, ofDay]) => [day, ofDay.reduce<PaidAmounts>(addAmounts, NOTHING_PAID)]));
}
