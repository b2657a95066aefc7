/** A row of the list of relations, apart from their calls: every page can be told of one by the stream. */
import * as z from 'zod/mini';
import { RELATION_BASES, RELATION_KINDS, RELATION_STATES } from './list-values.ts';
import { id } from './listing.ts';
import { instant, shares, usd } from './quantities.ts';

export const relationKind = z.enum(RELATION_KINDS);
export const relationBasis = z.enum(RELATION_BASES);
export const relationState = z.enum(RELATION_STATES);

/** Which of its baskets: Yes on members, or No on members. */
export const relationDirection = z.enum(['yes', 'no']);

/** As its prices are now. */
export const relationRow = z.object({
  id,
  created_at: instant,
  updated_at: instant,
  kind: relationKind,
  basis: relationBasis,
  state: relationState,
  /** The event it was read from, or the first of several. */
  event_id: z.string(),
  event_title: z.string(),
  /** What it says, as a sentence. */
  title: z.string(),
  members: z.int(),
  /** Members with a price to buy at and a price to sell at in a book that can be trusted. */
  quoted: z.int(),
  is_complete: z.boolean(),
  is_void_safe: z.boolean(),
  /** Whether its hits become opportunities: its kind is switched on, or it is approved. */
  may_trade: z.boolean(),
  /** Dollars a set by which its best basket costs more than it surely pays, after fees; below zero it pays. Null where it cannot be priced. */
  distance: z.nullable(usd),
  direction: z.nullable(relationDirection),
  /** The leg of the best basket with the widest gap between bid and ask, which keeps it from paying: "leg 3: Renata Quill"; null where there is none. */
  limited_by: z.nullable(z.string()),
  /** Dollars that the best size would make now, after fees; 0 while nothing pays. */
  profit_usd: usd,
  size: shares,
  /** Legs that depend on how a void is paid may make this less than it surely pays otherwise; null where it cannot be priced. */
  distance_with_voids: z.nullable(usd),
  /** The oldest of the books that the best basket buys from, in milliseconds; null where it cannot be priced. */
  oldest_book_ms: z.nullable(z.int()),
  /** The opportunity that its hits have become, active or not. */
  opportunity_id: z.nullable(id),
  first_hit_at: z.nullable(instant),
  last_hit_at: z.nullable(instant),
  hits: z.int(),
});
