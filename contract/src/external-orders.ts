/** Orders of our account at the venue that were not placed here. They are shown, and otherwise left alone. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flagInQuery, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { SIDE_MEANINGS } from './notes/meanings.ts';
import { instant, price, shares } from './quantities.ts';
import { venueName } from './venue-names.ts';

const externalOrder = z.object({
  order_hash: described('What the venue calls it.', z.string()),
  token_id: z.string(),
  market_id: z.nullable(z.string()),
  market_name: described('Null where the venue did not say.', z.nullable(z.string())),
  outcome: z.nullable(z.string()),
  side: explained(SIDE_MEANINGS, z.enum(['buy', 'sell'])),
  price,
  size: shares,
  matched_size: described('How many of its shares were matched.', shares),
  since: described('When it was first seen here.', instant),
  ended_at: described(
    "When it was found to be gone from the venue's books; null while it stands there.",
    z.nullable(instant),
  ),
});
export type ExternalOrder = z.output<typeof externalOrder>;

export const listExternalOrders = endpoint({
  method: 'GET',
  path: '/external-orders',
  access: 'viewer',
  heavy: 'list',
  tag: 'Orders',
  summary: 'Orders at the venue that were placed with our key from outside of this product, newest first',
  query: z.object({
    ...page,
    standing: described('Only orders that are still open at the venue, or only the others.', z.optional(flagInQuery)),
    venue: described('Only orders at this venue.', z.optional(venueName)),
  }),
  reply: listOf(externalOrder),
});
