import { LEDGER_ACCOUNTS, LEDGER_KINDS } from '@dutchbook/units/ledger-kinds.ts';
import { dayFrom } from '../../lists/day-from.ts';
import { type FilterOf, idFrom, oneOf, type RawSearch, searchReader } from '../../lists/list-search.ts';
import { LEDGER_SEARCH_DEFAULTS } from './ledger-defaults.ts';

const UNIT_LENGTH_MAX = 100;

/** `usd`, `pol`, or the id of a token, which is too long to be a number of the address. */
function unitFrom(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, UNIT_LENGTH_MAX) : undefined;
}

/** Days are those of UTC; both are included. */
const FILTER = {
  kind: oneOf(LEDGER_KINDS),
  account: oneOf(LEDGER_ACCOUNTS),
  unit: unitFrom,
  batchId: idFrom,
  submissionId: idFrom,
  since: dayFrom,
  until: dayFrom,
};

export type LedgerFilter = FilterOf<typeof FILTER>;

export const ledgerSearchFrom: (raw: RawSearch) => LedgerSearch = searchReader(
  FILTER,
  ['at'] as const,
  LEDGER_SEARCH_DEFAULTS,
);

/** The state of the ledger, as it stands in the address. */
export type LedgerSearch = LedgerFilter & { page: number; sortBy: 'at'; sortOrder: 'asc' | 'desc' };
