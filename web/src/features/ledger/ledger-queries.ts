import { type LedgerEntry, listLedger, readLedgerBalances } from '@dutchbook/contract/ledger.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';
import type { ListSource } from '../../lists/list.ts';
import { filterQuery } from '../../lists/list-search.ts';
import type { LedgerFilter, LedgerSearch } from './ledger-search.ts';

const DAY_MS = 86_400_000;

/** The ledger is compared with the venue once a minute. */
const COMPARED_MS = 20_000;

export type EntryRow = Omit<LedgerEntry, 'id'> & { id: string };

/** The filter as the calls take it: the days of UTC as moments, the last of them not included. */
export function ledgerQueryOf({ since, until, ...filter }: LedgerFilter) {
  return { ...filterQuery(filter), ...momentsOf({ since, until }) };
}

/** Two days, both included, as the moments between which they lie. */
export function momentsOf({ since, until }: Pick<LedgerFilter, 'since' | 'until'>) {
  return {
    since: since === undefined ? undefined : midnightOf(since),
    until: until === undefined ? undefined : instantFromMs(midnightOf(until) + DAY_MS),
  };
}

function midnightOf(day: string): Instant {
  return instantFromIso(`${day}T00:00Z`);
}

export const readEntries: ListSource<EntryRow, LedgerSearch>['read'] = async ({ sort_by, ...page }, search, signal) => {
  const { data, count } = await call(listLedger, { query: { ...page, ...ledgerQueryOf(search) }, signal });
  return { data: data.map((entry): EntryRow => ({ ...entry, id: String(entry.id) })), count };
};

/** Below the key of the list, so that what reads that again reads this too. */
export const balancesQuery = callQuery(
  ['entries', 'balances'],
  readLedgerBalances,
  {},
  { refetchInterval: COMPARED_MS },
);
