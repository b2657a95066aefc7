/** Submissions to the chain, with their calls in order. What asks for them stands in `exits.ts`, which the stream does not load. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { CHAIN_STATUSES } from './list-values.ts';
import { id, listOf, page } from './listing.ts';
import { instant, shares, usd } from './quantities.ts';

const chainStatus = z.enum(CHAIN_STATUSES);
export type ChainStatus = z.output<typeof chainStatus>;

/** `split`: the way into a batch. */
export const submissionPurpose = z.enum(['cash_now', 'redeem', 'approval', 'split']);
export type SubmissionPurpose = z.output<typeof submissionPurpose>;

const tokenAmounts = z.array(z.object({ token_id: z.string(), shares }));

/** Of the chain's own coin, as decimal text. */
export const gas = z.object({ amount: z.string(), symbol: z.string() });

/** One call of a contract, or a plan of it. */
export const call = {
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
  /** Of a split, `expected_usd` and `received_usd` are below zero. */
  purpose: submissionPurpose,
  status: chainStatus,
  /** Found done by the venue itself, without a submission of ours. */
  by_venue: z.boolean(),
  automatic: z.boolean(),
  /** The email of whoever asked for it; null where the product did by itself. */
  requested_by: z.nullable(z.string()),
  steps: z.array(chainStep),
  batch_ids: z.array(id),
  expected_usd: usd,
  /** What came to the account by it, as its receipt says; null before it is confirmed, and of earlier versions. */
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
  /** Since when it holds up no other: the relayer does not carry it out, for the reason in `error`. Its shares stay reserved until its nonce is used. */
  given_up_at: z.nullable(instant),
  created_at: instant,
  sent_at: z.nullable(instant),
  mined_at: z.nullable(instant),
  ended_at: z.nullable(instant),
  /** When all batches concerned had it in their books. */
  booked_at: z.nullable(instant),
});
export type ChainSubmission = z.output<typeof chainSubmission>;

/** Submissions that merge, in a day; `allowed` as far as the venue says. */
export const quota = z.object({ used: z.int(), allowed: z.int(), resets_at: z.nullable(instant) });
export type ChainQuota = z.output<typeof quota>;

const tag = 'Chain';

export const listChainSubmissions = endpoint({
  method: 'GET',
  path: '/chain-submissions',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Submissions to the chain, newest first, and how much of the quota they have used',
  query: z.object({ ...page, status: z.optional(chainStatus), batch_id: z.optional(id) }),
  /** `quota` is null where nothing is counted: on a venue without a chain, and where the account pays its own gas. */
  reply: z.extend(listOf(chainSubmission), { quota: z.nullable(quota) }),
});

export const readChainSubmission = endpoint({
  method: 'GET',
  path: '/chain-submissions/{submission_id}',
  access: 'viewer',
  tag,
  summary: 'Read a submission to the chain',
  params: z.object({ submission_id: id }),
  reply: chainSubmission,
});
