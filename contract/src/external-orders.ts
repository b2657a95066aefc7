/** Orders of our account at the venue that were not placed here. They are shown, and otherwise left alone. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flagInQuery, listOf, page } from './listing.ts';
import { instant, price, shares } from './quantities.ts';

const externalOrder = z.object({
  /** What the venue calls it. */
  order_hash: z.string(),
  token_id: z.string(),
  market_id: z.nullable(z.string()),
  /** Null where the venue did not say. */
  market_name: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  side: z.enum(['buy', 'sell']),
  price,
  size: shares,
  matched_size: shares,
  /** When it was first seen here. */
  since: instant,
  /** When it was found to be gone from the venue's books; null while it stands there. */
  ended_at: z.nullable(instant),
});
export type ExternalOrder = z.output<typeof externalOrder>;

export const listExternalOrders = endpoint({
  method: 'GET',
  path: '/external-orders',
  access: 'viewer',
  heavy: 'list',
  tag: 'Orders',
  summary: 'Orders at the venue that somebody else placed with our key, newest first',
  query: z.object({ ...page, standing: z.optional(flagInQuery) }),
  reply: listOf(externalOrder),
});
