import * as z from 'zod/mini';
import { id } from './listing.ts';
import { instant } from './quantities.ts';

export const jobKind = z.enum(['check_all', 'update_prices']);
export type JobKind = z.output<typeof jobKind>;

/** A background job as the screen follows it, over the stream's topic `jobs`. */
export const job = z.object({
  id,
  kind: jobKind,
  status: z.enum(['running', 'done', 'failed']),
  done: z.int(),
  total: z.int(),
  message: z.nullable(z.string()),
  started_at: instant,
  finished_at: z.nullable(instant),
});
export type Job = z.output<typeof job>;
