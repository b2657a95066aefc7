import { modeOf, PAPER_FILLS, type PaperFills, type VenueMode } from '@dutchbook/contract/status.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import type { Config } from '../runtime/config.ts';
import type { Variables } from './variables.ts';

/** The venues that VENUE lists, real or mirrored on paper; none of them is the simulated exchange. */
export interface Asked {
  readonly onPaper: boolean;
  readonly venues: readonly VenueName[];
}

const REAL_VENUES = VENUE_NAMES.join(', ');

/** What VENUE asks for. Where that is wrong, a venue whose other variables have defaults, so that only VENUE is complained of. */
export function askedVenue(read: Variables): Asked {
  const given = read.text('VENUE') ?? 'simulated';
  const [world = '', mirrored] = given.split(':').map((part) => part.trim());
  if (world === 'paper') return askedPaper(read, mirrored);
  if (given === 'simulated') return { onPaper: false, venues: [] };
  const venues = venuesIn(given);
  if (venues === null) read.complain('VENUE', `simulated, paper, or any of ${REAL_VENUES}, separated by commas`);
  return { onPaper: false, venues: venues ?? [] };
}

/** In the order of the product; null where one is named that there is not. */
function venuesIn(text: string): VenueName[] | null {
  const names = text.split(',').map((name) => name.trim());
  const venues = VENUE_NAMES.filter((name) => names.includes(name));
  return venues.length === names.length ? venues : null;
}

function askedPaper(read: Variables, mirrored = 'polymarket'): Asked {
  const venues = venuesIn(mirrored);
  if (venues === null) read.complain('VENUE', `paper, paper:kalshi or paper:polymarket,kalshi`);
  return { onPaper: true, venues: venues ?? ['polymarket'] };
}

/** Keys and accounts of real venues. */
const CREDENTIALS = [
  ...['POLYMARKET_PRIVATE_KEY', 'POLYMARKET_FUNDER', 'POLYMARKET_RELAYER_KEY'],
  ...['KALSHI_KEY_ID', 'KALSHI_PRIVATE_KEY', 'KALSHI_PRIVATE_KEY_FILE'],
];

/** What each venue on paper mirrors. */
const UPSTREAMS: Readonly<Record<VenueName, { name: string; wanted: string }>> = {
  polymarket: { name: 'PAPER_UPSTREAM', wanted: 'VENUE=paper' },
  kalshi: { name: 'PAPER_KALSHI_UPSTREAM', wanted: 'VENUE=paper:kalshi or VENUE=paper:polymarket,kalshi' },
};

/** Paper trading uses no key of a real venue: one that is named is complained of, and not read. */
export function readPaper(read: Variables, venueMode: VenueMode, { venues }: Asked): Config['paper'] {
  const onPaper = modeOf(venueMode).world === 'paper';
  for (const [venue, { name, wanted }] of Object.entries(UPSTREAMS))
    if (read.text(name) !== null && !(onPaper && venues.some((each) => each === venue)))
      read.complain(name, `it to be unset, or ${wanted}`);
  if (!onPaper) return null;
  for (const name of CREDENTIALS)
    if (read.text(name) !== null) read.complain(name, 'it to be unset: paper trading uses no key of a real venue');
  if (read.text('EXCHANGE_REPLAY') !== null)
    read.complain('EXCHANGE_REPLAY', 'it to be unset: paper trading follows the prices of now');
  const fills = read.choice('PAPER_FILLS', Object.keys(PAPER_FILLS) as PaperFills[], 'latency');
  const places = venues.map((venue) => {
    const place = placeOf(read.text(UPSTREAMS[venue].name) ?? 'real');
    return venue === 'polymarket' ? place : `${venue}=${place}`;
  });
  return { fills, upstream: places.join(' ') };
}

/** Addresses without what only says how they are asked. */
function placeOf(upstream: string): string {
  const places = upstream.split(',').map((part) => URL.parse(part.trim()));
  return places
    .map((url) => (url === null ? 'real' : `${url.protocol}//${url.host}${url.pathname.replace(/\/{1,9}$/, '')}`))
    .join();
}
