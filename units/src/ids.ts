/**
 * What a venue's things are called. An id says of which venue it is: `kalshi:KXHIGHNY-26NOV30-B41.5:yes`; without a prefix it is
 * Polymarket's, so that stored rows, files and the hashes made of ids stay as they are.
 */
export const VENUE_NAMES = ['polymarket', 'kalshi'] as const;

export type VenueName = (typeof VENUE_NAMES)[number];

/** The one whose ids have no prefix. */
const UNPREFIXED: VenueName = 'polymarket';

/** Where markets that have ended are paid for without being asked: no call redeems shares there. */
export const PAYS_BY_ITSELF: Readonly<Record<VenueName, boolean>> = { polymarket: false, kalshi: true };

declare const idOf: unique symbol;

/** A plain string passes as an id of any kind; an id of one kind does not pass as one of another. */
type Id<Kind extends string> = string & { readonly [idOf]?: Kind };

export type MarketId = Id<'market'>;
export type TokenId = Id<'token'>;
export type EventId = Id<'event'>;
/** What this product calls an order before it is sent; what the venue calls it may be another name. */
export type OrderName = Id<'order'>;
export type VenueId = MarketId | TokenId | EventId | OrderName;

const PREFIXES = VENUE_NAMES.filter((venue) => venue !== UNPREFIXED).map((venue) => ({ venue, prefix: `${venue}:` }));

/** The only reader of the prefix. */
export function venueOf(id: VenueId): VenueName {
  return prefixOf(id)?.venue ?? UNPREFIXED;
}

/** What the venue itself calls it. */
export function withoutVenue(id: VenueId): string {
  return id.slice(prefixOf(id)?.prefix.length ?? 0);
}

/** The id of what `venue` calls `name`. */
export function idAt(venue: VenueName, name: string): string {
  return venue === UNPREFIXED ? name : `${venue}:${name}`;
}

function prefixOf(id: string): { venue: VenueName; prefix: string } | undefined {
  return PREFIXES.find(({ prefix }) => id.startsWith(prefix));
}

export const ID_MAX_LENGTH = 200;
const ID_TEXT = /^[A-Za-z0-9._:+=/-]+$/;

/** Why `text` can be no id; null where it can. */
export function whyNoId(text: string): string | null {
  if (text === '') return 'must not be empty';
  if (text.length > ID_MAX_LENGTH) return `must have at most ${ID_MAX_LENGTH} characters`;
  if (!ID_TEXT.test(text)) return 'must be of letters, digits and . _ : + = / - only';
  const colon = text.indexOf(':');
  if (colon === -1) return null;
  const prefix = prefixOf(text);
  if (prefix === undefined)
    return `must begin with a venue before its first colon (${PREFIXES.map(({ venue }) => venue).join(', ')})`;
  return text.length === prefix.prefix.length ? 'must have a name behind its venue' : null;
}
