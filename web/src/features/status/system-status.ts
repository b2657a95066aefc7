import { modeOf, readSystemStatus, type SystemStatus } from '@dutchbook/contract/status.ts';
import type { Change } from '@dutchbook/contract/stream.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { callQuery } from '../../calls/call-query.ts';
import { recall, remember } from '../../calls/remembered.ts';
import { systemStatusKey } from '../../calls/system-status-key.ts';
import { useChanges, useTopic } from '../../live/live.ts';
import type { Link } from '../../live/stream-client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

const statusQuery = callQuery(systemStatusKey, readSystemStatus, {}, { staleTime: 30_000 });

/** Venue, mode and feed, as last received. */
export function useSystemStatus(): SystemStatus | undefined {
  useTopic('system');
  const client = useQueryClient();
  const { data } = useQuery(statusQuery);
  const takeIn = useCallback(
    (changes: readonly Change[]) => {
      for (const change of changes) if (change.type === 'system') client.setQueryData(systemStatusKey, change.data);
    },
    [client],
  );
  useChanges(takeIn);
  return data;
}

/** Whether no venue has a key: prices are read, and no account is known. */
export function useIsWithoutKey(): boolean {
  const status = useSystemStatus();
  if (status === undefined) return false;
  const { world, isReadOnly = false } = modeOf(status.venue);
  return world === 'real' && isReadOnly;
}

const VENUES = 'venues';
const ARMED = 'armed';

/** The configured venues, if several. Undefined until the first status of the session has arrived. */
export function useVenues(): readonly VenueName[] | undefined {
  const status = useSystemStatus();
  return useMemo(() => (status === undefined ? venuesBefore() : venuesOf(status)), [status]);
}

const venuesOf = ({ venues = [] }: SystemStatus): VenueName[] => venues.map(({ venue }) => venue);

function venuesBefore(): VenueName[] | undefined {
  const names = recall(VENUES);
  return Array.isArray(names) ? names.filter((name) => name in VENUE_LABELS) : undefined;
}

export function useVenuesRemembered(): void {
  const status = useSystemStatus();
  useEffect(() => {
    if (status === undefined) return;
    remember(VENUES, venuesOf(status));
    remember(ARMED, status.armed);
  }, [status]);
}

/** Whether trading may be armed: as an earlier page of this session read it. True where none has. */
export function mayBeArmed(): boolean {
  return recall(ARMED) !== false;
}

const isOfSeveral = (status: SystemStatus) => (status.venues?.length ?? 0) > 1;

/** Whether there are several venues, for rows of lists: drawn again only when that changes. */
export function useHasVenues(): boolean {
  const { data } = useQuery({ ...statusQuery, select: isOfSeveral });
  return data ?? (venuesBefore()?.length ?? 0) > 1;
}

/** These fields of a filter; the one that chooses a venue only where there are several. */
export function useFieldsByVenue<Field extends { name: string }>(fields: readonly Field[]): readonly Field[] {
  // Until that is known the field keeps its place.
  const isSeveral = (useVenues()?.length ?? 2) > 1;
  return useMemo(() => (isSeveral ? fields : fields.filter(({ name }) => name !== 'venue')), [isSeveral, fields]);
}

/** Whether trading is disarmed at one of these venues. */
export function useIsDisarmedAt(venues: readonly VenueName[]): boolean {
  const status = useSystemStatus();
  const isDisarmed = (venue: VenueName) =>
    (status?.venues?.find((each) => each.venue === venue) ?? status)?.armed === false;
  return venues.some(isDisarmed);
}

/** At the venue, where several are configured; where none is named, at all. False while that is not known. */
export function useIsDisarmed(venue?: VenueName): boolean {
  const status = useSystemStatus();
  const at = status?.venues?.find((each) => each.venue === venue) ?? status;
  return at?.armed === false;
}

export type FeedState = { tone: Tone; text: string; explanation: string };

const FEED: Record<SystemStatus['feed'], FeedState> = {
  live: { tone: 'success', text: 'Live', explanation: 'Prices move as the venue sends them.' },
  degraded: {
    tone: 'warning',
    text: 'Stale',
    explanation: 'The venue’s stream or its answers are late. Books that may be out of date are not traded on.',
  },
  down: { tone: 'error', text: 'Feed down', explanation: 'The venue sends no prices. Nothing is traded on old ones.' },
  starting: {
    tone: 'pending',
    text: 'Starting',
    explanation: 'The venue’s prices are on their way. Nothing is traded before they are here.',
  },
  polled: { tone: 'active', text: 'Polled', explanation: 'Prices are read from the venue at intervals.' },
};

const DATABASE_AWAY: FeedState = {
  tone: 'error',
  text: 'Database away',
  explanation: 'The database does not answer. Nothing is placed until it does.',
};

const LINK: Record<Exclude<Link, 'live'>, FeedState> = {
  connecting: {
    tone: 'pending',
    text: 'Connecting',
    explanation: 'Connecting after other tabs.',
  },
  stale: { tone: 'warning', text: 'Stale', explanation: 'The server has not answered for a moment.' },
  offline: { tone: 'error', text: 'Offline', explanation: 'No connection to the server. Trying again.' },
};

type Known = Pick<SystemStatus, 'feed' | 'database_away' | 'venues'>;

/** One word for how fresh the screen is: the weakest link between the venue and this tab. */
export function feedState(link: Link, known: Known | undefined): FeedState {
  if (link !== 'live') return LINK[link];
  if (known?.database_away) return DATABASE_AWAY;
  return known === undefined ? LINK.connecting : FEED[known.feed];
}

/** State of each venue's feed where there are several: "Kalshi: Feed down". */
export function feedStates(link: Link, known: Known | undefined): FeedState[] {
  const venues = link === 'live' && !known?.database_away ? known?.venues : undefined;
  if (venues === undefined) return [feedState(link, known)];
  return venues.map(({ venue, feed }) => ({ ...FEED[feed], text: `${VENUE_LABELS[venue]}: ${FEED[feed].text}` }));
}
