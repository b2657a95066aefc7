/** Shares that the venue's contracts turn into dollars: submissions to the chain, with their calls in order. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { CHAIN_STATUSES } from './list-values.ts';
import { flagInQuery, id, listOf, page } from './listing.ts';
import { exitRoute } from './portfolio.ts';
import { instant, price, shares, usd } from './quantities.ts';

const chainStatus = z.enum(CHAIN_STATUSES);
export type ChainStatus = z.output<typeof chainStatus>;

const tokenAmounts = z.array(z.object({ token_id: z.string(), shares }));

/** Of the chain's own coin, as decimal text. */
const gas = z.object({ amount: z.string(), symbol: z.string() });

/** One call of a contract, or a plan of it. */
const call = {
  kind: z.enum([
    ...(['merge', 'convert', 'horizontal_merge', 'directional_merge', 'redeem', 'approve'] as const),
    ...(['split', 'horizontal_split'] as const),
  ]),
  market_ids: z.array(z.string()),
  /** In the same order. */
  market_names: z.array(z.string()),
  /** Of an approval: nothing. */
  shares,
  expected_usd: usd,
  tokens_out: tokenAmounts,
  tokens_in: tokenAmounts,
};

const chainStep = z.object({
  id,
  ...call,
  /** Of a redemption: the token that won. */
  token_id: z.nullable(z.string()),
  /** Of an approval: what may move what the holder keeps, or may not any more. */
  contract: z.nullable(z.string()),
  holder: z.nullable(z.string()),
  is_allowed: z.nullable(z.boolean()),
  /** Each gives, or receives, its part of the shares of the step. */
  orders: z.array(z.object({ order_id: id, batch_id: id })),
});
export type ChainStep = z.output<typeof chainStep>;

const balances = z.nullable(z.object({ cash_usd: usd, shares: tokenAmounts }));

export const chainSubmission = z.object({
  id,
  /** `split`: the way into a batch; its `expected_usd` and `received_usd` are below zero. */
  purpose: z.enum(['cash_now', 'redeem', 'approval', 'split']),
  status: chainStatus,
  /** Found done by the venue itself, without a submission of ours. */
  by_venue: z.boolean(),
  automatic: z.boolean(),
  /** The email of whoever asked for it; null where the product did by itself. */
  requested_by: z.nullable(z.string()),
  steps: z.array(chainStep),
  batch_ids: z.array(id),
  expected_usd: usd,
  /** What the account's cash rose by, as the chain says; null before it is confirmed, or where that could not be read. */
  received_usd: z.nullable(usd),
  nonce: z.nullable(z.int()),
  /** After this it cannot be carried out any more; null where nothing is signed, or time alone does not end it. */
  deadline: z.nullable(instant),
  /** Null where nothing is signed, or the relayer pays. */
  highest_gas: z.nullable(gas),
  gas: z.nullable(gas),
  hash: z.nullable(z.string()),
  block: z.nullable(z.int()),
  balances_before: balances,
  balances_after: balances,
  /** A sentence: why it waits, is unknown or has failed. */
  error: z.nullable(z.string()),
  created_at: instant,
  sent_at: z.nullable(instant),
  mined_at: z.nullable(instant),
  ended_at: z.nullable(instant),
  /** When all batches concerned had it in their books. */
  booked_at: z.nullable(instant),
});
export type ChainSubmission = z.output<typeof chainSubmission>;

/** Submissions that merge, in a day; `allowed` as far as the venue says. */
const quota = z.object({ used: z.int(), allowed: z.int(), resets_at: z.nullable(instant) });
export type ChainQuota = z.output<typeof quota>;

const tag = 'Chain';

export const listChainSubmissions = endpoint({
  method: 'GET',
  path: '/chain-submissions',
  access: 'user',
  tag,
  summary: 'Submissions to the chain, newest first, and how much of the quota they have used',
  query: z.object({ ...page, status: z.optional(chainStatus), batch_id: z.optional(id) }),
  /** `quota` is null where shares are not turned into dollars on this venue. */
  reply: z.extend(listOf(chainSubmission), { quota: z.nullable(quota) }),
});

export const readChainSubmission = endpoint({
  method: 'GET',
  path: '/chain-submissions/{submission_id}',
  access: 'user',
  tag,
  summary: 'Read a submission to the chain',
  params: z.object({ submission_id: id }),
  reply: chainSubmission,
});

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
  stops: true,
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
  stops: true,
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
  stops: true,
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
