import { PAPER_FILLS, type PaperFills, type VenueMode } from '@dutchbook/contract/status.ts';
import { VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import type { Config } from '../runtime/config.ts';
import type { Variables } from './variables.ts';

/** Paper trading, or the real venues that VENUE lists; none of them is the simulated exchange. */
export type Asked = 'paper' | readonly VenueName[];

const REAL_VENUES = VENUE_NAMES.join(', ');

/** What VENUE asks for. Where that is wrong, a venue whose other variables have defaults, so that only VENUE is complained of. */
export function askedVenue(read: Variables): Asked {
  const given = read.text('VENUE') ?? 'simulated';
  const [world = '', mirrored] = given.split(':').map((part) => part.trim());
  if (world === 'paper') return askedPaper(read, mirrored);
  const names = given.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === 'simulated') return [];
  const venues = VENUE_NAMES.filter((name) => names.includes(name));
  if (venues.length === names.length) return venues;
  read.complain('VENUE', `simulated, paper, or any of ${REAL_VENUES}, separated by commas`);
  return [];
}

function askedPaper(read: Variables, mirrored = 'polymarket'): Asked {
  if (mirrored === 'polymarket') return 'paper';
  const names = mirrored.split(',').map((name) => name.trim());
  const why = names.includes('kalshi')
    ? ': Kalshi is not mirrored, because without a key its whole books come one market a call'
    : '';
  read.complain('VENUE', `paper or paper:polymarket${why}`);
  return ['polymarket'];
}

/** Keys and accounts of real venues. */
const CREDENTIALS = [
  ...['POLYMARKET_PRIVATE_KEY', 'POLYMARKET_FUNDER', 'POLYMARKET_RELAYER_KEY'],
  ...['KALSHI_KEY_ID', 'KALSHI_PRIVATE_KEY', 'KALSHI_PRIVATE_KEY_FILE'],
];

/** Paper trading uses no key of a real venue: one that is named is complained of, and not read. */
export function readPaper(read: Variables, venueMode: VenueMode): Config['paper'] {
  if (venueMode !== 'paper') {
    if (read.text('PAPER_UPSTREAM') !== null) read.complain('PAPER_UPSTREAM', 'it to be unset, or VENUE=paper');
    return null;
  }
  for (const name of CREDENTIALS)
    if (read.text(name) !== null) read.complain(name, 'it to be unset: paper trading uses no key of a real venue');
  if (read.text('EXCHANGE_REPLAY') !== null)
    read.complain('EXCHANGE_REPLAY', 'it to be unset: paper trading follows the prices of now');
  const fills = read.choice('PAPER_FILLS', Object.keys(PAPER_FILLS) as PaperFills[], 'latency');
  return { fills, upstream: placeOf(read.text('PAPER_UPSTREAM') ?? 'real') };
}

/** Addresses without what only says how they are asked. */
function placeOf(upstream: string): string {
  const places = upstream.split(',').map((part) => URL.parse(part.trim()));
  return places
    .map((url) => (url === null ? 'real' : `${url.protocol}//${url.host}${url.pathname.replace(/\/{1,9}$/, '')}`))
    .join();
}
