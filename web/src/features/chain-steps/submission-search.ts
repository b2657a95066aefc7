import { CHAIN_STATUSES } from '@dutchbook/contract/list-values.ts';
import { wholeId } from '../../lists/filters.ts';
import { type FilterOf, NEWEST_FIRST, oneOf, type RawSearch, searchReader } from '../../lists/list-search.ts';

export const SUBMISSION_FILTER = {
  status: { from: oneOf(CHAIN_STATUSES) },
  batchId: wholeId('Batch ID', { flex: '0 1 300px' }),
};

export type SubmissionFilter = FilterOf<typeof SUBMISSION_FILTER>;

const read = searchReader(SUBMISSION_FILTER, ['created_at'], NEWEST_FIRST);

/** They are served newest first, and in no other order. */
export function submissionSearchFrom(raw: RawSearch): ReturnType<typeof read> {
  return { ...read(raw), sortOrder: 'desc' };
}

/** The state of the list, as it stands in the address. */
export type SubmissionSearch = ReturnType<typeof submissionSearchFrom>;
