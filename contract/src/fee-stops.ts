/** Where the venue's fees were not what was expected of them: nothing is bought automatically in such a category until it is cleared. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flagInQuery, id, listOf, page } from './listing.ts';
import { instant } from './quantities.ts';

export const feeStop = z.object({
  id,
  /** What the venue calls the kind of fee, or its rate where it has no name for it. */
  category: z.string(),
  /** The market in which it was found. */
  market_id: z.string(),
  market_name: z.string(),
  /** What was expected and what was found, in one sentence. */
  message: z.string(),
  since: instant,
  /** Null while it stands. */
  cleared_at: z.nullable(instant),
  cleared_by: z.nullable(z.string()),
});
export type FeeStop = z.output<typeof feeStop>;

const tag = 'Trading';

export const listFeeStops = endpoint({
  method: 'GET',
  path: '/fee-stops',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Categories of fees in which automatic placing was stopped, newest first',
  query: z.object({ ...page, standing: z.optional(flagInQuery) }),
  reply: listOf(feeStop),
});

export const clearFeeStop = endpoint({
  method: 'POST',
  path: '/fee-stops/{fee_stop_id}/clear',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Have a category of fees bought automatically again',
  params: z.object({ fee_stop_id: id }),
  reply: feeStop,
});
