import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { VENUE_NAMES, venueOf } from '@dutchbook/units/ids.ts';
import { useHasVenues } from './system-status.ts';
import styles from './venue-tags.module.css';

/** At which venues these are, where there are several; `ids`: of markets, tokens or events. */
export function VenueTags({ ids }: { ids: readonly string[] }) {
  const isShown = useHasVenues();
  if (!isShown) return null;
  const venues = new Set(ids.map(venueOf));
  return VENUE_NAMES.filter((venue) => venues.has(venue)).map((venue) => (
    <span key={venue} className={styles.tag}>
      {VENUE_LABELS[venue]}
    </span>
  ));
}
