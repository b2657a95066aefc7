/** Turning shares into dollars by the venue's contracts, simulated and asked for. */
import * as z from 'zod/mini';
import { call, chainSubmission, gas, quota } from './chain-steps.ts';
import { endpoint } from './endpoint.ts';
import { flagInQuery, id } from './listing.ts';
import { exitRoute } from './portfolio.ts';
import { price, shares, usd } from './quantities.ts';

const tag = 'Chain';

/** So many of the shares go this way, and bring so much: of `hold` at least, of the others after fees. */
const way = z.object({ shares, usd });

/** What each way does with the shares of one order that may leave now. What neither sells nor is turned is held. */
const orderExits = z.object({
  order_id: id,
  batch_id: id,
  leg: z.int(),
  market_id: z.string(),
  market_name: z.string(),
  token_id: z.string(),
  outcome: z.string(),
  free_shares: shares,
  sell: way,
  cash_now: way,
  hold: way,
});
export type OrderExits = z.output<typeof orderExits>;

const submissionPlan = {
  steps: z.array(z.object(call)),
  submissions: z.int(),
  quota: z.nullable(quota),
  /** Of all submissions together, at most; null where the relayer pays, or it is known only once they are signed. */
  highest_gas: z.nullable(gas),
  /** It may be executed only when this is empty. */
  errors: z.array(z.string()),
};

const cashNowSimulation = z.object({
  simulation: z.literal(true),
  /** Null where the venue does not know the markets now. */
  routes: z.nullable(z.object({ sell: exitRoute, cash_now: exitRoute, hold: exitRoute })),
  orders: z.array(orderExits),
  ...submissionPlan,
});
export type CashNowSimulation = z.output<typeof cashNowSimulation>;

const submitted = z.object({ simulation: z.literal(false), submissions: z.array(chainSubmission) });
export type Submitted = z.output<typeof submitted>;

const simulateOrNot = z.object({ simulate: z._default(flagInQuery, true) });

export const cashNowOfBatch = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/cash-now',
  access: 'user',
  asksVenue: 'simulating',
  tag,
  summary: 'What turning the complete sets of a batch into dollars now would bring; simulate=false does it',
  idempotent: true,
  params: z.object({ batch_id: id }),
  query: simulateOrNot,
  body: z.optional(z.nullable(z.strictObject({ order_ids: z.optional(z.array(id).check(z.maxLength(1000))) }))),
  reply: z.union([cashNowSimulation, submitted]),
});

export const cashNowOfEvent = endpoint({
  method: 'POST',
  path: '/portfolio/events/{event_id}/cash-now',
  access: 'user',
  asksVenue: 'simulating',
  tag,
  summary:
    'What turning the complete sets held of an event by all batches into dollars now would bring; simulate=false does it',
  idempotent: true,
  params: z.object({ event_id: z.string().check(z.minLength(1), z.maxLength(100)) }),
  query: simulateOrNot,
  reply: z.union([cashNowSimulation, submitted]),
});

/** `resolved_value`: what a share pays; what pays nothing is lost and is not redeemed. */
const redeemable = z.object({
  market_id: z.string(),
  market_name: z.string(),
  token_id: z.string(),
  outcome: z.string(),
  shares,
  resolved_value: price,
  usd,
  /** Why it is not redeemed now; null where it would be. */
  error: z.nullable(z.string()),
});
export type Redeemable = z.output<typeof redeemable>;

const redeemSimulation = z.object({
  simulation: z.literal(true),
  markets: z.array(redeemable),
  lost: z.array(redeemable),
  expected_usd: usd,
  ...submissionPlan,
});
export type RedeemSimulation = z.output<typeof redeemSimulation>;

export const redeem = endpoint({
  method: 'POST',
  path: '/portfolio/redeem',
  access: 'user',
  asksVenue: 'simulating',
  tag,
  summary: 'What redeeming the shares that won would bring, of all markets or of some; simulate=false does it',
  idempotent: true,
  query: simulateOrNot,
  body: z.optional(
    z.nullable(
      z.strictObject({ market_ids: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(1000))) }),
    ),
  ),
  reply: z.union([redeemSimulation, submitted]),
});
