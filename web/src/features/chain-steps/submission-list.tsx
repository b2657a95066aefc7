import { type ChainSubmission, listChainSubmissions } from '@dutchbook/contract/chain-steps.ts';
import { CHAIN_STATUSES } from '@dutchbook/contract/list-values.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { fieldsOf } from '../../lists/filter-fields.tsx';
import { choice } from '../../lists/filters.ts';
import { type List, useList } from '../../lists/list.ts';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { filterQuery } from '../../lists/list-search.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { STATUS_WORDS } from './chain-words.ts';
import { ApprovalsButton } from './recent-submissions.tsx';
import { SUBMISSION_COLUMNS } from './submission-columns.tsx';
import { matchesFilter, useLatestSubmission, useRecentSubmissions } from './submission-queries.ts';
import { SUBMISSION_FILTER, type SubmissionSearch, submissionSearchFrom } from './submission-search.ts';
import { Quotas } from './submission-values.tsx';

const STATUS = choice('Status', 'All statuses', CHAIN_STATUSES, {
  flex: '0 1 170px',
  words: Object.fromEntries(CHAIN_STATUSES.map((status) => [status, STATUS_WORDS[status].text])),
});

const SUBMISSIONS: List<ChainSubmission, SubmissionSearch> = {
  name: 'submissions',
  label: 'Submissions',
  icon: 'upload',
  searchFrom: submissionSearchFrom,
  read: ({ skip, limit }, search, signal) =>
    call(listChainSubmissions, { query: { skip, limit, ...filterQuery(search) }, signal }),
  fields: fieldsOf({ ...SUBMISSION_FILTER, status: STATUS }),
  columns: SUBMISSION_COLUMNS,
  useLatest: useLatestSubmission,
  open: ({ id }, navigate) => navigate({ to: '/submissions/$submissionId', params: { submissionId: id } }),
  empty: (
    <EmptyState
      icon="upload"
      text="Nothing was sent to the chain yet."
      hint="Submissions appear here when shares are converted into dollars or redeemed."
    >
      <Button renderRoot={(props) => <Link to="/portfolio" {...props} />}>Go to Portfolio</Button>
    </EmptyState>
  ),
};

/** What was sent to the chain, or will be: one page of it, live. */
export function SubmissionList() {
  const list = useList(SUBMISSIONS);
  useListRefresh('chain_submission', list, matchesFilter);
  const { data } = useRecentSubmissions();
  return (
    <>
      <PageHeader
        title="Submissions"
        back={<BackLink to="/portfolio">Portfolio</BackLink>}
        badges={<Quotas of={data?.quotas ?? []} />}
        actions={<ApprovalsButton />}
      />
      <ListFrame {...list} />
    </>
  );
}
