import { CHAIN_STATUSES } from '@dutchbook/contract/list-values.ts';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FilterField, refusePartOfId } from '../../lists/filter-fields.tsx';
import { ListFrame } from '../../lists/list-frame.tsx';
import { useListPage } from '../../lists/list-query.ts';
import { useListRefresh } from '../../lists/list-refresh.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { STATUS_WORDS } from './chain-words.ts';
import { ApprovalsButton } from './recent-submissions.tsx';
import { SUBMISSION_COLUMNS } from './submission-columns.tsx';
import { matchesFilter, submissionListQuery, useLatestSubmission, useRecentSubmissions } from './submission-queries.ts';
import { type SubmissionFilter, type SubmissionSearch, submissionSearchFrom } from './submission-search.ts';
import { Quota } from './submission-values.tsx';

type SubmissionListProps = { search: SubmissionSearch; onSearch: (search: SubmissionSearch) => void };

/** What was sent to the chain, or will be: one page of it, live. */
export function SubmissionList({ search, onSearch }: SubmissionListProps) {
  const page = useListPage({
    list: 'submissions',
    search,
    searchFrom: submissionSearchFrom,
    onSearch,
    queryOf: submissionListQuery,
  });
  useListRefresh('chain_submission', page, matchesFilter);
  const { data } = useRecentSubmissions();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Submissions"
        back={<BackLink to="/portfolio">Portfolio</BackLink>}
        badges={<Quota of={data?.quota ?? null} />}
        actions={<ApprovalsButton />}
      />
      <ListFrame
        {...page}
        label="Submissions"
        icon="upload"
        fields={FIELDS}
        columns={SUBMISSION_COLUMNS}
        useLatest={useLatestSubmission}
        onOpen={({ id }) => navigate({ to: '/submissions/$submissionId', params: { submissionId: id } })}
        empty={
          <EmptyState
            icon="upload"
            text="Nothing was sent to the chain yet."
            hint="Submissions appear here when shares are converted into dollars or redeemed."
          >
            <Button renderRoot={(props) => <Link to="/portfolio" {...props} />}>Go to Portfolio</Button>
          </EmptyState>
        }
      />
    </>
  );
}

const FIELDS: readonly FilterField<keyof SubmissionFilter>[] = [
  {
    name: 'status',
    label: 'Status',
    flex: '0 1 170px',
    choices: [
      { value: '', label: 'All statuses' },
      ...CHAIN_STATUSES.map((status) => ({ value: status, label: STATUS_WORDS[status].text })),
    ],
  },
  { name: 'batchId', label: 'Batch ID', flex: '0 1 300px', refusal: refusePartOfId },
];
