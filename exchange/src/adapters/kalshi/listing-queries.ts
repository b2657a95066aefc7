import { z } from 'zod';
import type { MarketStatus } from './states.ts';

export const EVENTS_PAGE_MAX = 200;
export const MARKETS_PAGE_MAX = 1000;

/** A filter word of the venue, which has others for the states of markets. */
export const STATUSES_OF_FILTERS = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed', 'amended'],
  settled: ['finalized'],
} as const satisfies Readonly<Record<string, readonly MarketStatus[]>>;
const filterWord = z.enum(['unopened', 'open', 'paused', 'closed', 'settled']).optional();

export const whole = z.coerce.number().int().nonnegative().optional();
const flag = z.enum(['true', 'false']).optional();
const names = z
  .string()
  .max(20_000)
  .optional()
  .transform((text) => (text === undefined || text === '' ? null : new Set(text.split(','))));

export const eventsQuery = z.object({
  limit: whole,
  cursor: z.string().optional(),
  status: filterWord,
  series_ticker: z.string().optional(),
  tickers: names,
  min_close_ts: whole,
  min_updated_ts: whole,
  with_nested_markets: flag,
  with_milestones: flag,
});

export type EventsQuery = z.infer<typeof eventsQuery>;

export const marketsQuery = z.object({
  limit: whole,
  cursor: z.string().optional(),
  status: filterWord,
  event_ticker: z.string().optional(),
  series_ticker: z.string().optional(),
  tickers: names,
  min_close_ts: whole,
  max_close_ts: whole,
  min_updated_ts: whole,
  min_settled_ts: whole,
  max_settled_ts: whole,
  min_created_ts: whole,
  max_created_ts: whole,
  mve_filter: z.enum(['only', 'exclude']).optional(),
});
export type MarketsQuery = z.infer<typeof marketsQuery>;

/** How many kinds of times a query filters by; the venue takes one. */
export function timeFilters(query: MarketsQuery): number {
  const kinds = [
    [query.min_created_ts, query.max_created_ts],
    [query.min_close_ts, query.max_close_ts],
    [query.min_settled_ts, query.max_settled_ts],
    [query.min_updated_ts],
  ];
  return kinds.filter((kind) => kind.some((value) => value !== undefined)).length;
}
