import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import { NativeSelect } from '@mantine/core';
import { useHasVenues } from './system-status.ts';

type VenueChoiceProps = { venue: VenueName | undefined; onVenue: (venue: VenueName | undefined) => void };

const CHOICES = [
  { value: '', label: 'All venues' },
  ...VENUE_NAMES.map((value) => ({ value, label: VENUE_LABELS[value] })),
];

/** Narrows what stands below it to one venue, where there are several. */
export function VenueChoice({ venue, onVenue }: VenueChoiceProps) {
  const isSeveral = useHasVenues();
  if (!isSeveral) return null;
  return (
    <NativeSelect
      label="Venue"
      maw={220}
      data={CHOICES}
      value={venue ?? ''}
      onChange={({ currentTarget: { value } }) => onVenue(VENUE_NAMES.find((name) => name === value))}
    />
  );
}
