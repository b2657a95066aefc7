/** What the venue's contracts may move of the account's dollars and shares. */
import * as z from 'zod/mini';
import { chainSubmission } from './chain-steps.ts';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { id } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

const approval = z.object({
  venue: described('Of which account it is.', venueName),
  contract: described(
    'The address of the contract that may move, or wants to move, what the holder keeps.',
    z.string(),
  ),
  name: z.string(),
  asset: described(
    'What may be moved.',
    explained({ cash: 'the dollars of the account', shares: 'the shares of the account' }, z.enum(['cash', 'shares'])),
  ),
  holder: described('The contract that keeps what may be moved.', z.string()),
  is_allowed: described('Whether the contract may move it.', z.boolean()),
  limit_usd: described(
    'Dollars that are left of it; null where there is no limit, where nothing is allowed, and of shares.',
    z.nullable(usd),
  ),
  purpose: described(
    'What it is for.',
    explained(
      { trade: 'orders settle by it', conversion: 'shares become dollars by it', retired: 'the venue uses it no more' },
      z.enum(['trade', 'conversion', 'retired']),
    ),
  ),
  problem: described(
    'A sentence: what is wrong with it, and what that means; null where all is well.',
    z.nullable(z.string()),
  ),
  submission_id: described('What changes it now.', z.nullable(id)),
});
export type Approval = z.output<typeof approval>;

const tag = 'Chain';

export const listApprovals = endpoint({
  method: 'GET',
  path: '/approvals',
  access: 'viewer',
  tag,
  summary: "What the venue's contracts may move; none where shares are not converted into dollars on this venue",
  asksVenue: true,
  query: z.object({
    venue: described('Only of the account there; of all when missing.', z.optional(venueName)),
  }),
  reply: z.object({ data: z.array(approval), count: described('How many approvals there are.', z.int()) }),
});

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const address = z.string().check(z.regex(ADDRESS, 'Input should be an address: 0x and 40 hexadecimal digits'));

export const changeApproval = endpoint({
  method: 'POST',
  path: '/approvals',
  access: 'superuser',
  tag,
  summary: 'Let a contract move what another keeps for the account, or no longer',
  refusals: [
    notFound('Approval not found'),
    refusal(409, 'This venue has no chain.', 'Shares are not converted into dollars on this venue.'),
    refusal(409, 'Trading is disarmed.', 'Trading is disarmed.'),
    refusal(409, 'The approval cannot be given or taken back now.', 'The exchange is retired.'),
  ],
  idempotent: true,
  body: z.strictObject({
    contract: described('The address of the contract that may move, or wants to move, what the holder keeps.', address),
    holder: described('The address of the contract that keeps what may be moved.', address),
    is_allowed: described('Whether the contract may move it.', z.boolean()),
    venue: described('Of which account. Required where several have contracts.', z.optional(venueName)),
  }),
  reply: chainSubmission,
});
