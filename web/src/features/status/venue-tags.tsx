import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { VENUE_NAMES, type VenueName, venueOf, withoutVenue } from '@dutchbook/units/ids.ts';
import { useHasVenues } from './system-status.ts';
import styles from './venue-tags.module.css';

/** At which venues these are, where there are several; `ids`: of markets, tokens or events. */
export function VenueTags({ ids }: { ids: readonly string[] }) {
  return <TagsOf venues={ids.map(venueOf)} />;
}

/** What the venue itself calls a market, where that is a name to be read: it tells apart what is asked alike on several days. */
export function VenueTicker({ id }: { id: string }) {
  const name = withoutVenue(id);
  return name === name.toLowerCase() || NUMBER.test(name) ? null : <span className={styles.ticker}>{name}</span>;
}

/** Hexadecimal or decimal, however its letters are written. */
const NUMBER = /^(?:0x[0-9a-f]{1,80}|[0-9]{1,80})$/i;

export function TagsOf({ venues }: { venues: readonly VenueName[] }) {
  const isShown = useHasVenues();
  if (!isShown) return null;
  return VENUE_NAMES.filter((venue) => venues.includes(venue)).map((venue) => (
    <span key={venue} className={styles.tag}>
      {VENUE_LABELS[venue]}
    </span>
  ));
}
