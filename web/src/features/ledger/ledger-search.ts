import { LEDGER_ACCOUNTS, LEDGER_KINDS } from '@dutchbook/units/ledger-kinds.ts';
import { choice, day, venue, wholeId } from '../../lists/filters.ts';
import { type FilterOf, LATEST_FIRST, oneOf, type RawSearch, searchReader } from '../../lists/list-search.ts';
import { ACCOUNT_WORDS, KIND_WORDS } from './ledger-words.ts';

/** Dollars at other venues than the first are filtered by from their balances. */
const ACCOUNTS = LEDGER_ACCOUNTS.filter((account) => !account.includes('@'));

const UNIT_LENGTH_MAX = 100;

/** `usd`, `pol`, or the id of a token, which is too long to be a number of the address. */
function unitFrom(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, UNIT_LENGTH_MAX) : undefined;
}

const LOOK = { flex: '1 1 150px' };
const DAY = { flex: '0 1 150px' };

/** Days are those of UTC; both are included. */
export const LEDGER_FILTER = {
  kind: choice('Kind', 'All kinds', LEDGER_KINDS, { words: KIND_WORDS }),
  account: {
    ...choice('Account', 'All accounts', ACCOUNTS, { words: ACCOUNT_WORDS }),
    from: oneOf(LEDGER_ACCOUNTS),
  },
  venue: venue(LOOK),
  unit: { ...LOOK, label: 'Unit', from: unitFrom, placeholder: 'usd, pol or a token ID' },
  batchId: wholeId('Batch ID', LOOK),
  submissionId: wholeId('Submission ID', LOOK),
  since: day('From day (UTC)', DAY),
  until: day('Until day (UTC)', DAY),
};

export type LedgerFilter = FilterOf<typeof LEDGER_FILTER>;

export const ledgerSearchFrom: (raw: RawSearch) => LedgerSearch = searchReader(
  LEDGER_FILTER,
  ['at'] as const,
  LATEST_FIRST,
);

/** The state of the ledger, as it stands in the address. */
export type LedgerSearch = LedgerFilter & { page: number; sortBy: 'at'; sortOrder: 'asc' | 'desc' };
