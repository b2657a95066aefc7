/** Where the venue's fees were not what was expected of them: nothing is bought automatically in such a category until it is cleared. */
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { flagInQuery, id, listOf, page } from './listing.ts';
import { described } from './notes/described.ts';
import { instant } from './quantities.ts';
import { venueName } from './venue-names.ts';

export const feeStop = z.object({
  id,
  venue: described('The venue of the market: at others the category goes on.', venueName),
  category: described('What the venue calls the kind of fee, or its rate where it has no name for it.', z.string()),
  market_id: described('The market in which it was found.', z.string()),
  market_name: z.string(),
  message: described('What was expected and what was found, in one sentence.', z.string()),
  since: described('When it began.', instant),
  cleared_at: described('Null while it stands.', z.nullable(instant)),
  cleared_by: described('The email of the superuser who cleared it; null while it stands.', z.nullable(z.string())),
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
  query: z.object({
    ...page,
    standing: described('Only fee stops that stand, or only those that were cleared.', z.optional(flagInQuery)),
  }),
  reply: listOf(feeStop),
});

export const clearFeeStop = endpoint({
  method: 'POST',
  path: '/fee-stops/{fee_stop_id}/clear',
  access: 'superuser',
  proven: true,
  tag,
  summary: 'Have a category of fees bought automatically again',
  refusals: [
    notFound('Fee stop not found'),
    refusal(409, 'The fee stop was cleared before.', 'It was cleared before.'),
  ],
  params: z.object({ fee_stop_id: described('The fee stop.', id) }),
  reply: feeStop,
});
