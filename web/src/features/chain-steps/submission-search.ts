import { CHAIN_STATUSES } from '@dutchbook/contract/list-values.ts';
import { type FilterOf, idFrom, oneOf, type RawSearch, searchReader } from '../../lists/list-search.ts';

const FILTER = { status: oneOf(CHAIN_STATUSES), batchId: idFrom };

export type SubmissionFilter = FilterOf<typeof FILTER>;

export const SUBMISSION_SEARCH_DEFAULTS = { page: 1, sortBy: 'created_at', sortOrder: 'desc' } as const;

const read = searchReader(FILTER, ['created_at'], SUBMISSION_SEARCH_DEFAULTS);

/** They are served newest first, and in no other order. */
export function submissionSearchFrom(raw: RawSearch): ReturnType<typeof read> {
  return { ...read(raw), sortOrder: 'desc' };
}

/** The state of the list, as it stands in the address. */
export type SubmissionSearch = ReturnType<typeof submissionSearchFrom>;
