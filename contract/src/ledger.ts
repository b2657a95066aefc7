/** The double-entry ledger: every cent and every share that moved, by its cause. */
import { ARRIVAL_NAMES, LEDGER_ACCOUNTS, LEDGER_KINDS } from '@dutchbook/units/ledger-kinds.ts';
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, listOf, notReversed, page, sortOrder } from './listing.ts';
import { instant, usd } from './quantities.ts';

const ledgerAccount = z.enum(LEDGER_ACCOUNTS);
const ledgerKind = z.enum(LEDGER_KINDS);

/** Of a unit the decimal number, exact, with up to six places. */
const amount = z.string();

const ledgerLine = z.object({
  account: ledgerAccount,
  /** `usd`, `pol` for gas, or the id of the token whose shares moved. */
  unit: z.string(),
  /** Positive where the account has more of it afterwards. In every unit the lines of an entry add up to nothing. */
  amount,
});

export const ledgerEntry = z.object({
  id: z.int(),
  at: instant,
  kind: ledgerKind,
  lines: z.array(ledgerLine),
  /** Dollars of cash and receivable that it brought, negative where it took them. */
  usd,
  batch_id: z.nullable(id),
  order_id: z.nullable(id),
  market_name: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  trade_id: z.nullable(z.string()),
  submission_id: z.nullable(id),
  /** The transaction that proves dollars that came or left. */
  transaction_hash: z.nullable(z.string()),
  /** Who sent dollars that came. */
  sender: z.nullable(z.string()),
  /** Of an entry that says what dollars of unknown origin are: theirs. */
  names_entry_id: z.nullable(z.int()),
  /** Of dollars of unknown origin: what a person has said that they are; null until then, and of all other entries. */
  named_as: z.nullable(ledgerKind),
  stated_by: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The block that it is sealed in; null for the seconds until it is. */
  block: z.nullable(z.int()),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

const tag = 'Ledger';

const filters = {
  kind: z.optional(ledgerKind),
  account: z.optional(ledgerAccount),
  unit: z.optional(z.string().check(z.maxLength(100))),
  batch_id: z.optional(id),
  submission_id: z.optional(id),
  /** The first moment itself included, the last one not. */
  since: z.optional(instant),
  until: z.optional(instant),
};

export const listLedger = endpoint({
  method: 'GET',
  path: '/ledger/',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'The entries of the ledger, newest first',
  query: z.object({ ...page, ...filters, sort_order: z._default(sortOrder, 'desc') }).check(notReversed('since')),
  reply: listOf(ledgerEntry),
});

/** Answers `text/csv`; the reply schema is the text. */
export const exportLedger = endpoint({
  method: 'GET',
  path: '/ledger/export-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary:
    'The statement: a row for each line of the entries, oldest first, and the totals of accounts at its end; of an account or a unit those lines alone',
  query: z.object(filters).check(notReversed('since')),
  reply: z.string(),
});

/** `price`: a split gives its outcomes what each was quoted at then. `half`: the same to each. */
const splitBasis = z.enum(['price', 'half']);

export const exportTax = endpoint({
  method: 'GET',
  path: '/ledger/tax-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'Disposals first in, first out, with their cost and gain, and the totals of the ledger; not advice',
  query: z
    .object({
      since: z.optional(instant),
      until: z.optional(instant),
      split_basis: z._default(splitBasis, 'price'),
    })
    .check(notReversed('since')),
  reply: z.string(),
});

export const readLedgerBalances = endpoint({
  method: 'GET',
  path: '/ledger/balances',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What each account has, and the last comparison with the venue',
  reply: z.object({
    /** Dollars and gas of every account; of shares see `tokens`. */
    accounts: z.array(z.object({ account: ledgerAccount, unit: z.string(), amount })),
    /** Shares that are held, confirmed or not. */
    tokens: z.int(),
    check: z.nullable(
      z.object({
        at: instant,
        venue_cash_usd: usd,
        ledger_cash_usd: usd,
        /** What the venue has more than the ledger explains; trades that are not confirmed are allowed for. */
        differences: z.array(
          z.object({
            unit: z.string(),
            market_name: z.nullable(z.string()),
            amount,
            /** A sentence: the entry that it equals, or that nothing explains it. */
            explanation: z.string(),
          }),
        ),
        since: z.nullable(instant),
      }),
    ),
  }),
});

export const verifyLedger = endpoint({
  method: 'POST',
  path: '/ledger/verify',
  access: 'superuser',
  heavy: 'file',
  tag,
  summary:
    'Whether every sealed entry still hashes to what its block says, and the blocks to each other and to the audit log',
  reply: z.object({
    intact: z.boolean(),
    blocks: z.int(),
    entries: z.int(),
    head: z.nullable(z.string()),
    /** The first block that is wrong or missing. */
    broken_at: z.nullable(z.int()),
  }),
});

export const nameEntry = endpoint({
  method: 'POST',
  path: '/ledger/names',
  access: 'superuser',
  tag,
  summary:
    'Says what dollars of unknown origin are, once: a deposit, a reward, a rebate, or what the venue paid for shares',
  body: z.object({
    /** The entry, of kind `unknown`, by which they came. */
    entry_id: z.int().check(z.minimum(1)),
    /** `redeem`: what the venue paid for shares. */
    kind: z.enum(ARRIVAL_NAMES),
    reason: z.string().check(z.minLength(1, 'A reason is needed'), z.maxLength(500)),
  }),
  reply: ledgerEntry,
});

export const stateDifference = endpoint({
  method: 'POST',
  path: '/ledger/statements',
  access: 'superuser',
  tag,
  summary:
    'Enters what the venue has and the ledger had not: a deposit, a withdrawal, or a correction, with the reason',
  body: z.object({
    kind: z.enum(['deposit', 'withdrawal', 'correction']),
    /** `usd`, or the id of a token. */
    unit: z.string().check(z.minLength(1), z.maxLength(100)),
    /** What the account has more of: negative for a withdrawal. Up to six places. */
    amount: z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'Input should be a number with at most six decimals')),
    reason: z.string().check(z.minLength(1, 'A reason is needed'), z.maxLength(500)),
  }),
  reply: ledgerEntry,
});
