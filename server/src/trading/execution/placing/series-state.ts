/** The part of a series' state that is only in memory: whether trading was disarmed since its first clip. */
import type { SeriesState } from '@dutchbook/engine/desk/next-clip.ts';
import { type MarketId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { StoredSeries } from '../../orders/series.ts';
import type { VenueDesk } from '../../venue-desk/desks.ts';

type Positions = readonly { marketId: MarketId }[];
type ControlledDesks = { all: readonly Pick<VenueDesk, 'name' | 'controls'>[] };

/**
 * Whether trading was disarmed at a venue of these after the last clip was placed, also where it is armed again. What is only simulated
 * goes on. `changedAt`: when trading there was armed or disarmed last.
 */
export function isDisarmedSince(
  { simulated, lastPlacedAt }: Pick<StoredSeries, 'simulated' | 'lastPlacedAt'>,
  positions: Positions,
  changedAt: (venue: VenueName) => Instant | null,
): boolean {
  return !simulated && positions.some(({ marketId }) => (changedAt(venueOf(marketId)) ?? lastPlacedAt) > lastPlacedAt);
}

/** `until`: what was armed or disarmed later does not count. */
export function seriesState<Series extends StoredSeries>(
  series: Series,
  positions: Positions,
  { all }: ControlledDesks,
  until: Instant | null = null,
): Series & SeriesState {
  const changes = new Map(all.map(({ name, controls }) => [name, controls.current().armedChanged?.at ?? null]));
  const changedAt = (venue: VenueName) => {
    const at = changes.get(venue) ?? null;
    return at === null || (until !== null && at > until) ? null : at;
  };
  return { ...series, isDisarmedSince: isDisarmedSince(series, positions, changedAt) };
}
