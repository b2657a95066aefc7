import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { useSystemStatus } from './system-status.ts';

type Legs = readonly { markets: readonly { id: string }[] }[];

/** The venues of some legs, as one text, which is the same as long as they are. */
export function venuesOfLegs(legs: Legs): string {
  return [...new Set(legs.flatMap(({ markets }) => markets.map(({ id }) => venueOf(id))))].join(' ');
}

/** Whether trading is disarmed at one of these venues, named by `venuesOfLegs`. */
export function useIsDisarmed(at: string): boolean {
  const status = useSystemStatus();
  if (status === undefined) return false;
  const { venues = [], armed } = status;
  const isAt = (venue: VenueName) => at.split(' ').includes(venue);
  return venues.length === 0 ? !armed : venues.some((each) => isAt(each.venue) && !each.armed);
}
