import type { LedgerEntry } from '@dutchbook/contract/ledger.ts';
import { dayFrom } from '../../lists/day-from.ts';
import { type FilterOf, idFrom, oneOf, type RawSearch, searchReader } from '../../lists/list-search.ts';
import { LEDGER_SEARCH_DEFAULTS } from './ledger-defaults.ts';

/** Why something moved. */
export const KINDS = [
  'matched',
  'settled',
  'undone',
  'split',
  'merge',
  'convert',
  'redeem',
  'gas',
  'opening',
  'deposit',
  'withdrawal',
  'correction',
] as const satisfies readonly LedgerEntry['kind'][];

export const ACCOUNTS = [
  'cash',
  'shares',
  'receivable',
  'fees',
  'gas',
  'traded',
  'outside',
] as const satisfies readonly LedgerEntry['lines'][number]['account'][];

const UNIT_LENGTH_MAX = 100;

/** `usd`, `pol`, or the id of a token, which is too long to be a number of the address. */
function unitFrom(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, UNIT_LENGTH_MAX) : undefined;
}

/** Days are those of UTC; both are included. */
const FILTER = {
  kind: oneOf(KINDS),
  account: oneOf(ACCOUNTS),
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
