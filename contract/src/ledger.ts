/** The double-entry ledger: every cent and every share that moved, by its cause. */
import { ARRIVAL_NAMES, LEDGER_ACCOUNTS, LEDGER_KINDS } from '@dutchbook/units/ledger-kinds.ts';
import * as z from 'zod/mini';
import { endpoint, notFound, refusal } from './endpoint.ts';
import { id, listOf, notReversed, page, sortOrder } from './listing.ts';
import { described, explained } from './notes/described.ts';
import { instant, usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

const ledgerAccount = explained(
  {
    cash: 'dollars that the venue has confirmed',
    'cash@kalshi': 'those at Kalshi',
    shares: 'shares that the venue has confirmed',
    receivable: 'matched and not confirmed, both what is owed and what is due',
    'receivable@kalshi': 'dollars of those at Kalshi',
    fees: 'spent on fees',
    gas: 'spent on gas',
    traded: 'where dollars become shares and back',
    income: 'where rewards and rebates of the venue come from',
    unnamed: 'where dollars come from of which no person has said what they are',
    outside: 'where deposits come from and withdrawals go to, and shares that pay nothing',
  },
  z.enum(LEDGER_ACCOUNTS),
);
const ledgerKind = explained(
  {
    matched: 'a trade was reported',
    settled: 'a trade was confirmed',
    undone: 'a trade was taken back',
    split: 'dollars were split into shares',
    merge: 'sets were merged into dollars',
    convert: 'shares were converted into others and dollars',
    redeem: 'shares of a resolved market were paid',
    closed: 'shares were closed at the bid at the end of a run on paper',
    lost: 'shares whose market has resolved against them were closed for nothing',
    gas: 'gas of a submission',
    opening: 'what was there before the ledger began',
    deposit: 'dollars or shares came to the account',
    withdrawal: 'dollars or shares left the account',
    reward: 'the venue paid a reward',
    rebate: 'the venue paid a rebate of fees',
    unknown: 'dollars came from an unknown sender, until a person names them',
    correction:
      'a trade was reported again with other amounts, a payout of nothing was raised, or a person stated what the venue has and the ledger had not',
  },
  z.enum(LEDGER_KINDS),
);

/** An exact decimal number of a unit, with up to six places. */
const amount = z.string();

const ledgerLine = z.object({
  account: described('The account.', ledgerAccount),
  unit: described('`usd`, `pol` for gas, or the id of the token whose shares moved.', z.string()),
  amount: described(
    'Positive where the account has more of it afterwards. In every unit the lines of an entry add up to nothing.',
    amount,
  ),
});

export const ledgerEntry = z.object({
  id: z.int(),
  at: instant,
  kind: ledgerKind,
  lines: described('What moved, by account and unit.', z.array(ledgerLine)),
  usd: described('Dollars of cash and receivable that it brought, negative where it took them.', usd),
  batch_id: z.nullable(id),
  batch_name: described(
    'What the opportunity of that batch was called when it was placed; null where there is none.',
    z.nullable(z.string()),
  ),
  order_id: z.nullable(id),
  market_name: z.nullable(z.string()),
  outcome: z.nullable(z.string()),
  trade_id: described(
    "The venue's identifier of the trade; null for entries that no trade caused.",
    z.nullable(z.string()),
  ),
  submission_id: described('The submission that caused it; null for others.', z.nullable(id)),
  stated_by: described(
    'The email of the person who stated it; null where the product booked it.',
    z.nullable(z.string()),
  ),
  transaction_hash: described('The transaction that proves dollars that came or left.', z.nullable(z.string())),
  sender: described('The address that sent dollars that came.', z.nullable(z.string())),
  names_entry_id: described(
    'Of an entry that says what dollars of unknown origin are: the entry of these dollars.',
    z.nullable(z.int()),
  ),
  named_as: described(
    'Of dollars of unknown origin: what a person has said that they are; null until then, and of all other entries.',
    z.nullable(ledgerKind),
  ),
  reason: z.nullable(z.string()),
  block: described('The block that it is sealed in; null for the seconds until it is.', z.nullable(z.int())),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

const tag = 'Ledger';

const filters = {
  kind: z.optional(ledgerKind),
  account: described('The account.', z.optional(ledgerAccount)),
  unit: described(
    'Only lines of this unit: `usd`, `pol`, or the id of a token.',
    z.optional(z.string().check(z.maxLength(100))),
  ),
  venue: described('Only entries that moved dollars or shares at this venue.', z.optional(venueName)),
  batch_id: z.optional(id),
  submission_id: described('Only entries that this submission caused.', z.optional(id)),
  since: described('The first moment itself included, the last one not.', z.optional(instant)),
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
const splitBasis = explained({ price: 'by the prices at that time', half: 'half to each' }, z.enum(['price', 'half']));

export const exportTax = endpoint({
  method: 'GET',
  path: '/ledger/tax-csv',
  access: 'viewer',
  heavy: 'file',
  tag,
  summary: 'Disposals first in, first out, with their cost and gain, and the totals of the ledger; not advice',
  query: z
    .object({
      since: described('Beginning of the span, included.', z.optional(instant)),
      until: z.optional(instant),
      split_basis: described(
        'How the dollars of a split are divided among the shares that come of it.',
        z._default(splitBasis, 'price'),
      ),
    })
    .check(notReversed('since')),
  reply: z.string(),
});

const ledgerCheck = z.object({
  venue: described('Which venue.', venueName),
  at: described('When they were compared.', instant),
  venue_cash_usd: described('Cash by the venue.', usd),
  ledger_cash_usd: described('Cash by the ledger.', usd),
  differences: described(
    'What the venue has more than the ledger explains; trades that are not confirmed are allowed for.',
    z.array(
      z.object({
        unit: described('`usd`, `pol` for gas, or the id of a token.', z.string()),
        market_name: z.nullable(z.string()),
        amount,
        explanation: described('A sentence: the entry that it equals, or that nothing explains it.', z.string()),
      }),
    ),
  ),
  since: described('Since when they differ; null while they agree.', z.nullable(instant)),
});

export const readLedgerBalances = endpoint({
  method: 'GET',
  path: '/ledger/balances',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'What each account has, and the last comparison with the venue',
  reply: z.object({
    accounts: described(
      'Dollars and gas of every account; of shares see `tokens`.',
      z.array(
        z.object({
          account: described('The account.', ledgerAccount),
          unit: described('`usd`, `pol` for gas, or the id of a token.', z.string()),
          amount,
        }),
      ),
    ),
    tokens: described('Shares that are held, confirmed or not.', z.int()),
    check: described(
      'The last comparison with the first venue; null before the first. Others are in `checks`.',
      z.nullable(ledgerCheck),
    ),
    checks: described('The last comparison with each venue that was compared.', z.array(ledgerCheck)),
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
    intact: described('Whether the chain of hashes is unbroken.', z.boolean()),
    blocks: described('How many blocks were checked.', z.int()),
    entries: described('How many entries were checked.', z.int()),
    head: described('The hash of the last block; null while there is none.', z.nullable(z.string())),
    broken_at: described('The first block that is wrong or missing.', z.nullable(z.int())),
  }),
});

export const nameEntry = endpoint({
  method: 'POST',
  path: '/ledger/names',
  access: 'superuser',
  tag,
  summary:
    'Says what dollars of unknown origin are, once: a deposit, a reward, a rebate, or what the venue paid for shares',
  refusals: [
    notFound('Entry not found'),
    refusal(409, 'A person has named these dollars.', 'These dollars were named by entry 4711.'),
  ],
  body: z.object({
    entry_id: described('The entry, of kind `unknown`, by which they came.', z.int().check(z.minimum(1))),
    kind: explained(
      {
        deposit: 'a deposit',
        reward: 'a reward of the venue',
        rebate: 'a rebate of fees',
        redeem: 'what the venue paid for shares',
      },
      z.enum(ARRIVAL_NAMES),
    ),
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
    kind: explained(
      {
        deposit: 'dollars or shares came to the account',
        withdrawal: 'dollars or shares left the account',
        correction: 'the venue has something that the ledger has not',
      },
      z.enum(['deposit', 'withdrawal', 'correction']),
    ),
    unit: described('`usd`, or the id of a token.', z.string().check(z.minLength(1), z.maxLength(100))),
    venue: described(
      'Where the dollars are; without it at the first venue. A token names its own.',
      z.optional(venueName),
    ),
    amount: described(
      'What the account has more of: negative for a withdrawal. Up to six places.',
      z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'Input should be a number with at most six decimals')),
    ),
    reason: z.string().check(z.minLength(1, 'A reason is needed'), z.maxLength(500)),
  }),
  reply: ledgerEntry,
});

const PAPER_USD_MIN = 0.01;
const PAPER_USD_MAX = 1_000_000_000;

/** The money of paper trading is not real, so that a superuser hands it out. */
export const paperTransferForm = z.object({
  kind: described(
    'Which way the dollars go.',
    explained({ deposit: 'dollars come', withdrawal: 'dollars go' }, z.enum(['deposit', 'withdrawal'])),
  ),
  usd: described(
    'How many dollars.',
    z
      .number('Amount must be a number')
      .check(
        z.minimum(PAPER_USD_MIN, `Amount must be at least ${PAPER_USD_MIN}`),
        z.maximum(PAPER_USD_MAX, `Amount must be at most ${PAPER_USD_MAX}`),
      ),
  ),
  venue: described(
    'At which venue: of Kalshi they come to the first shard. The only one, else Polymarket, where it is absent.',
    z.optional(venueName),
  ),
});

export const transferOnPaper = endpoint({
  method: 'POST',
  path: '/ledger/paper-transfers',
  access: 'superuser',
  tag: 'Ledger',
  summary:
    'Deposits dollars into the account of paper trading, or withdraws them; the ledger enters them as they arrive',
  refusals: [
    refusal(404, 'Nothing is on paper.', 'Only the account of paper trading can be changed'),
    refusal(409, 'The account has less.', 'The account has $12.50'),
    refusal(503, 'The exchange does not answer.', 'The simulated exchange does not answer'),
  ],
  body: paperTransferForm,
  reply: z.object({ message: z.string() }),
});
