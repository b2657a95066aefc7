/** What the account holds, what it is worth, its cash, and the ways out. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';
import { resolutionStatus } from './markets.ts';
import { instant, price, setPrice, shares, usd } from './quantities.ts';

const holding = z.object({
  token_id: z.string(),
  market_id: z.string(),
  market_name: z.string(),
  outcome: z.string(),
  /** The market itself where it belongs to no event, or where the venue does not know it now. */
  event_id: z.string(),
  /** Bought by our batches and not sold. */
  shares,
  /** Of those, in trades that the venue has not confirmed yet. */
  settling_shares: shares,
  /** Of those, in sell orders that have not ended. */
  in_sale_shares: shares,
  /** What the venue says is held of the token; null while it does not say. */
  venue_shares: z.nullable(shares),
  /** Of the venue's, those that our fills do not explain. */
  external_shares: shares,
  /** Of ours, with fees, and that for each share. */
  cost_usd: usd,
  average_cost: z.nullable(setPrice),
  best_bid: z.nullable(price),
  /** Of ours at the best bid, or what they pay where the market has resolved; null where neither is known. */
  value_usd: z.nullable(usd),
  /** `value_usd` less `cost_usd`. */
  unrealised_usd: z.nullable(usd),
  /** When the market ends, as the venue says. */
  locked_until: z.nullable(instant),
  /** Why its dollars may come later than that; null while no answer is proposed. */
  resolution: z.nullable(resolutionStatus),
  /** What a share of it pays since the market has resolved; null while that is open. */
  resolved_value: z.nullable(price),
  /** Of those that bought it the latest ones, at most 20. */
  batch_ids: z.array(id),
});
export type Holding = z.output<typeof holding>;

/** `usd`: after fees; of `hold` what it pays at least, whatever comes true. */
const exitStep = z.object({
  kind: z.enum(['sell', 'merge', 'convert', 'horizontal_merge', 'directional_merge', 'hold']),
  market_ids: z.array(z.string()),
  shares,
  limit_price: z.nullable(price),
  usd,
  usable: z.enum(['after_settlement', 'after_confirmation', 'at_resolution']),
  risk: z.enum(['price', 'chain', 'time', 'outcome']),
  why: z.string(),
});

/** `net_usd` is usable soon; what stays pays from `held_least_usd` to `held_most_usd` once all has resolved. */
export const exitRoute = z.object({
  steps: z.array(exitStep),
  net_usd: usd,
  held_least_usd: usd,
  held_most_usd: usd,
});
export type ExitRoute = z.output<typeof exitRoute>;

const heldEvent = z.object({
  event_id: z.string(),
  title: z.string(),
  /** The last end of its markets; null where one does not say. */
  locked_until: z.nullable(instant),
  /** The worst of its markets. */
  resolution: z.nullable(resolutionStatus),
  /**
   * What may leave now, sold, turned into dollars by the venue's contracts, or held, and the mix of them that brings most. Null
   * where the venue does not know the event now.
   */
  routes: z.nullable(z.object({ sell: exitRoute, cash_now: exitRoute, hold: exitRoute, best: exitRoute })),
});
export type HeldEvent = z.output<typeof heldEvent>;

export const portfolio = z.object({
  cash: z.object({
    /** Null while the venue does not say. */
    free_usd: z.nullable(usd),
    /** What open buys may still take, fees included. */
    in_orders_usd: usd,
    /** What sales bring that are matched and not confirmed. */
    settling_usd: usd,
    /** What shares of resolved markets pay that are still held at the venue; null while it does not say. */
    redeemable_usd: z.nullable(usd),
    read_at: z.nullable(instant),
  }),
  /** Of our holdings together; what cannot be valued now counts with nothing, and how many those are. */
  value_usd: usd,
  cost_usd: usd,
  unrealised_usd: usd,
  unvalued: z.int(),
  /** Those that cost most first, and what is not ours behind them. */
  holdings: z.array(holding),
  events: z.array(heldEvent),
  /** Why prices or the venue's own holdings are missing; null where it answered. */
  venue_error: z.nullable(z.string()),
  read_at: instant,
});
export type Portfolio = z.output<typeof portfolio>;

export const readPortfolio = endpoint({
  method: 'GET',
  path: '/portfolio',
  access: 'viewer',
  tag: 'Portfolio',
  summary: 'What the account holds by event, market and token, its cash, and what each way out would bring',
  asksVenue: true,
  reply: portfolio,
});
