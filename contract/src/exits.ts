/** Converting shares into dollars by the venue's contracts, simulated and asked for. */
import * as z from 'zod/mini';
import { call, chainSubmission, gas, quota } from './chain-steps.ts';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { flagInQuery, id } from './listing.ts';
import { described } from './notes/described.ts';
import { exitRoute } from './portfolio.ts';
import { price, shares, usd } from './quantities.ts';
import { isVenueId } from './rules/finding.ts';
import { venueName } from './venue-names.ts';

const tag = 'Chain';

/** Shares that go this way, and what they bring: at least, for `hold`; after fees, for the others. */
const way = z.object({ shares, usd });

/** What each way does with the shares of one order that may leave now. What is neither sold nor converted is held. */
const orderExits = z.object({
  order_id: id,
  batch_id: id,
  leg: z.int(),
  market_id: z.string(),
  market_name: z.string(),
  token_id: z.string(),
  outcome: z.string(),
  free_shares: described('Shares that may leave now.', shares),
  sell: described('Shares that are sold, and what that brings.', way),
  cash_now: described("Shares that the venue's contracts convert into dollars, and what that brings.", way),
  hold: described('Shares that are held, and what they pay at least.', way),
});
export type OrderExits = z.output<typeof orderExits>;

const submissionPlan = {
  steps: described('The calls of contracts, in their order.', z.array(z.object(call))),
  submissions: described('How many submissions it takes.', z.int()),
  quota: described("The relayer's quota; null where nothing is counted.", z.nullable(quota)),
  highest_gas: described(
    'Gas of all submissions together, at most; null where the relayer pays, or it is known only once they are signed.',
    z.nullable(gas),
  ),
  errors: described('What refuses it, as sentences. It may be executed only when this is empty.', z.array(z.string())),
};

const cashNowSimulation = z.object({
  simulation: described('True: nothing was done.', z.literal(true)),
  routes: described(
    'Null where the venue does not know the markets now.',
    z.nullable(
      z.object({
        sell: described('Selling all of it.', exitRoute),
        cash_now: described("Converting complete sets into dollars by the venue's contracts.", exitRoute),
        hold: described('Holding all of it until the markets resolve.', exitRoute),
      }),
    ),
  ),
  orders: z.array(orderExits),
  ...submissionPlan,
});
export type CashNowSimulation = z.output<typeof cashNowSimulation>;

const submitted = z.object({
  simulation: described('False: it was recorded and is carried out.', z.literal(false)),
  submissions: described(
    'The submissions that were recorded; they are sent in the background.',
    z.array(chainSubmission),
  ),
});
export type Submitted = z.output<typeof submitted>;

const simulateOrNot = z.object({
  simulate: described('True only plans it; false carries it out.', z._default(flagInQuery, true)),
});

const simulateOrNotAt = z.extend(simulateOrNot, {
  venue: described(
    'At which venue. Required where what is meant may be at several whose shares are converted into dollars.',
    z.optional(venueName),
  ),
});

export const cashNowOfBatch = endpoint({
  method: 'POST',
  path: '/arbitrage/batches/{batch_id}/cash-now',
  access: 'user',
  asksVenue: 'simulating',
  tag,
  summary: 'What converting the complete sets of a batch into dollars now would bring; simulate=false does it',
  refusals: [
    notFound('Batch not found'),
    refusal(409, 'This venue has no chain.', 'Shares are not converted into dollars on this venue.'),
    refusal(
      409,
      'Nothing can be converted into dollars, or what was planned has changed; `detail` says why.',
      'Nothing can be converted into dollars now: no complete set is settled and free.',
    ),
  ],
  idempotent: true,
  params: z.object({ batch_id: id }),
  query: simulateOrNotAt,
  body: z.optional(
    z.nullable(
      z.strictObject({
        order_ids: described(
          'Only the shares of these orders; all of the batch without.',
          z.optional(z.array(id).check(z.maxLength(1000))),
        ),
      }),
    ),
  ),
  reply: z.union([cashNowSimulation, submitted]),
});

export const cashNowOfEvent = endpoint({
  method: 'POST',
  path: '/portfolio/events/{event_id}/cash-now',
  access: 'user',
  asksVenue: 'simulating',
  tag,
  summary:
    'What converting the complete sets held of an event by all batches into dollars now would bring; simulate=false does it',
  refusals: [
    refusal(409, 'This venue has no chain.', 'Shares are not converted into dollars on this venue.'),
    refusal(
      409,
      'Nothing can be converted into dollars, or what was planned has changed; `detail` says why.',
      'Nothing can be converted into dollars now: no complete set is settled and free.',
    ),
  ],
  idempotent: true,
  params: z.object({ event_id: z.string().check(z.minLength(1), z.maxLength(100), isVenueId) }),
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
  resolved_value: described('What a share pays.', price),
  usd,
  error: described('Why it is not redeemed now; null where it would be.', z.nullable(z.string())),
});
export type Redeemable = z.output<typeof redeemable>;

const redeemSimulation = z.object({
  simulation: described('True: nothing was done.', z.literal(true)),
  markets: z.array(redeemable),
  lost: described('Shares that pay nothing.', z.array(redeemable)),
  expected_usd: described('Dollars that redeeming brings.', usd),
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
  refusals: [
    refusal(409, 'This venue has no chain.', 'Shares are not converted into dollars on this venue.'),
    refusal(
      409,
      'Nothing can be redeemed; `detail` says why.',
      'Nothing can be redeemed now: no shares of ours have won and are free.',
    ),
  ],
  idempotent: true,
  query: simulateOrNotAt,
  body: z.optional(
    z.nullable(
      z.strictObject({
        market_ids: z.optional(z.array(z.string().check(z.maxLength(100), isVenueId)).check(z.maxLength(1000))),
      }),
    ),
  ),
  reply: z.union([redeemSimulation, submitted]),
});
