/** Submissions to the chain, with their calls in order. What asks for them stands in `exits.ts`, which the stream does not load. */
import * as z from 'zod/mini';
import { endpoint, notFound } from './endpoint.ts';
import { CHAIN_STATUSES } from './list-values.ts';
import { id, listOf, page } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { CONVERSION_MEANINGS, SPLIT_MEANINGS } from './notes/meanings.ts';
import { instant, shares, usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

const chainStatus = explained(
  {
    planned: 'recorded, nothing is signed yet',
    approving: 'it waits for an approval that it needs',
    sent: 'handed to the chain or the relayer',
    unknown: 'it is not known yet whether it arrived',
    mined: 'in a block, and not final yet',
    confirmed: 'final',
    failed: 'it did nothing',
  },
  z.enum(CHAIN_STATUSES),
);
export type ChainStatus = z.output<typeof chainStatus>;

/** `split`: the way into a batch. */
export const submissionPurpose = explained(
  {
    cash_now: 'complete sets become dollars',
    redeem: 'shares of resolved markets become dollars',
    close: 'the end of a run on paper: shares become the dollars that are bid for them',
    approval: 'a contract may move something, or may not any more',
    split: 'dollars become shares, as a way into a batch',
  },
  z.enum(['cash_now', 'redeem', 'close', 'approval', 'split']),
);
export type SubmissionPurpose = z.output<typeof submissionPurpose>;

const tokenAmounts = z.array(z.object({ token_id: z.string(), shares }));

/** Gas in the chain's own coin, as decimal text. */
export const gas = z.object({ amount: z.string(), symbol: z.string() });

/** One call of a contract, or a plan of it. */
export const call = {
  kind: explained(
    {
      ...CONVERSION_MEANINGS,
      redeem:
        'shares of a resolved market become what they pay, or, at the end of a run on paper, what is bid for them',
      approve: 'a contract is allowed to move something, or is not any more',
      ...SPLIT_MEANINGS,
    },
    z.enum([
      ...(['merge', 'convert', 'horizontal_merge', 'directional_merge', 'redeem', 'approve'] as const),
      ...(['split', 'horizontal_split'] as const),
    ]),
  ),
  market_ids: z.array(z.string()),
  market_names: described('The questions of the markets, in the order of `market_ids`.', z.array(z.string())),
  shares: described('How many shares it converts; 0 for an approval.', shares),
  expected_usd: described('Dollars it is expected to bring to the account; below zero where it takes them.', usd),
  tokens_out: described('Shares that it takes from the account.', tokenAmounts),
  tokens_in: described('Shares that it brings to the account.', tokenAmounts),
};

const chainStep = z.object({
  id,
  ...call,
  token_id: described('Of a redemption: the token that won.', z.nullable(z.string())),
  contract: described(
    'Of an approval: what may move what the holder keeps, or may not any more.',
    z.nullable(z.string()),
  ),
  holder: described(
    'Of an approval: the address of the contract that keeps what may be moved; null for other calls.',
    z.nullable(z.string()),
  ),
  is_allowed: described(
    'Of an approval: whether it is given or taken back; null for other calls.',
    z.nullable(z.boolean()),
  ),
  orders: described(
    'Each gives, or receives, its part of the shares of the step.',
    z.array(z.object({ order_id: id, batch_id: id })),
  ),
});
export type ChainStep = z.output<typeof chainStep>;

const balances = z.nullable(z.object({ cash_usd: usd, shares: tokenAmounts }));

export const chainSubmission = z.object({
  id,
  venue: described('Of which account it is.', venueName),
  purpose: described('Of a split, `expected_usd` and `received_usd` are below zero.', submissionPurpose),
  status: chainStatus,
  by_venue: described('Found done by the venue itself, without a submission of ours.', z.boolean()),
  automatic: z.boolean(),
  requested_by: described(
    'The email of the user who asked for it; null where the product did automatically.',
    z.nullable(z.string()),
  ),
  steps: described('The calls of contracts that it holds, in their order.', z.array(chainStep)),
  batch_ids: z.array(id),
  batch_names: described(
    'What they are called, in their order; null of batches without a name.',
    z.array(z.nullable(z.string())),
  ),
  expected_usd: described('Dollars it is expected to bring to the account.', usd),
  received_usd: described(
    'What came to the account by it, as its receipt says; null before it is confirmed, and of earlier versions.',
    z.nullable(usd),
  ),
  nonce: described("Its number among the account's transactions; null before it is signed.", z.nullable(z.int())),
  deadline: described(
    'After this it cannot be carried out any more; null where nothing is signed, or time alone does not end it.',
    z.nullable(instant),
  ),
  highest_gas: described('Null where nothing is signed, or the relayer pays.', z.nullable(gas)),
  gas: described('Gas that was paid; null before it is mined, or where the relayer pays.', z.nullable(gas)),
  hash: z.nullable(z.string()),
  block: described('The number of the block it was mined in; null before.', z.nullable(z.int())),
  balances_before: described('Balances before it was sent; null where they could not be read.', balances),
  balances_after: described('Balances after it was mined; null where they could not be read, or before.', balances),
  error: described('A sentence: why it waits, is unknown or has failed.', z.nullable(z.string())),
  given_up_at: described(
    'Since when it holds up no other: the relayer does not carry it out, for the reason in `error`. Its shares stay reserved until its nonce is used.',
    z.nullable(instant),
  ),
  created_at: instant,
  sent_at: z.nullable(instant),
  mined_at: described('When it was mined; null before.', z.nullable(instant)),
  ended_at: z.nullable(instant),
  booked_at: described('When all batches concerned had it in their books.', z.nullable(instant)),
});
export type ChainSubmission = z.output<typeof chainSubmission>;

/** Submissions that merge, in a day; `allowed` as far as the venue says. */
export const quota = z.object({
  used: described('How many submissions of the quota are used.', z.int()),
  allowed: described('How many submissions the quota allows.', z.int()),
  resets_at: described('When the quota begins anew; null while none is used.', z.nullable(instant)),
});
export type ChainQuota = z.output<typeof quota>;

const tag = 'Chain';

export const listChainSubmissions = endpoint({
  method: 'GET',
  path: '/chain-submissions',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'Submissions to the chain, newest first, and how much of the quota they have used',
  query: z.object({
    ...page,
    status: z.optional(chainStatus),
    batch_id: z.optional(id),
    venue: described('Only of the account there.', z.optional(venueName)),
  }),
  reply: z.extend(listOf(chainSubmission), {
    quota: described(
      "The relayer's quota; null on a venue without a chain, where the account pays its own gas, and where several have one: see `quotas`.",
      z.nullable(quota),
    ),
    quotas: described(
      'The quota of each account that has one.',
      z.array(z.object({ venue: described('Which venue.', venueName), ...quota.shape })),
    ),
  }),
});

export const readChainSubmission = endpoint({
  method: 'GET',
  path: '/chain-submissions/{submission_id}',
  access: 'viewer',
  tag,
  summary: 'Read a submission to the chain',
  refusals: [notFound('Submission not found')],
  params: z.object({ submission_id: described('The submission.', id) }),
  reply: chainSubmission,
});
