import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flagInQuery, id } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { instant } from './quantities.ts';

export const jobKind = explained(
  { check_all: 'opportunities are checked against fresh books', update_prices: 'all prices are refreshed' },
  z.enum(['check_all', 'update_prices']),
);
export type JobKind = z.output<typeof jobKind>;

/** A background job as the screen follows it, over the stream's topic `jobs`. */
export const job = z.object({
  id,
  kind: jobKind,
  status: explained(
    { running: 'it waits or runs', done: 'it is done', failed: 'it ended with an error' },
    z.enum(['running', 'done', 'failed']),
  ),
  done: described('How many are done.', z.int()),
  total: described('How many there are in all.', z.int()),
  message: z.nullable(z.string()),
  started_at: instant,
  finished_at: described('When it finished; null while it runs.', z.nullable(instant)),
});
export type Job = z.output<typeof job>;

const tag = 'Arbitrage';

const jobStarted = z.object({ message: z.string(), job_id: described('The job that does it in the background.', id) });

export const checkAllOpportunities = endpoint({
  method: 'POST',
  path: '/arbitrage/check-all',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Check all opportunities in the background',
  query: z.object({
    active_only: described('Whether only active opportunities are checked.', z._default(flagInQuery, true)),
  }),
  reply: jobStarted,
});

export const updatePrices = endpoint({
  method: 'POST',
  path: '/arbitrage/update-prices',
  access: 'user',
  asksVenue: true,
  tag,
  summary: 'Refresh all prices in the background; never triggers',
  reply: jobStarted,
});
