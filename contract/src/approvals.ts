/** What the venue's contracts may move of the account's dollars and shares. */
import * as z from 'zod/mini';
import { chainSubmission } from './chain-steps.ts';
import { endpoint } from './endpoint.ts';
import { id } from './listing.ts';
import { usd } from './quantities.ts';

const approval = z.object({
  contract: z.string(),
  name: z.string(),
  asset: z.enum(['cash', 'shares']),
  /** The contract that keeps what may be moved. */
  holder: z.string(),
  is_allowed: z.boolean(),
  /** Dollars that are left of it; null where there is no limit, where nothing is allowed, and of shares. */
  limit_usd: z.nullable(usd),
  /** `trade`: orders settle by it; `turn`: shares become dollars by it; `retired`: the venue uses it no more. */
  purpose: z.enum(['trade', 'turn', 'retired']),
  /** A sentence: what is wrong with it, and what that means; null where all is well. */
  problem: z.nullable(z.string()),
  /** What changes it now. */
  submission_id: z.nullable(id),
});
export type Approval = z.output<typeof approval>;

const tag = 'Chain';

export const listApprovals = endpoint({
  method: 'GET',
  path: '/approvals',
  access: 'viewer',
  tag,
  summary: "What the venue's contracts may move; none where shares are not turned into dollars on this venue",
  asksVenue: true,
  reply: z.object({ data: z.array(approval), count: z.int() }),
});

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const address = z.string().check(z.regex(ADDRESS, 'Input should be an address: 0x and 40 hexadecimal digits'));

export const changeApproval = endpoint({
  method: 'POST',
  path: '/approvals',
  access: 'superuser',
  tag,
  summary: 'Let a contract move what another keeps for the account, or no longer',
  idempotent: true,
  body: z.strictObject({ contract: address, holder: address, is_allowed: z.boolean() }),
  reply: chainSubmission,
});
