import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useByNow } from '../../ui/use-now.ts';
import { isCurrent } from './chain-words.ts';
import { SUBMISSION_COLUMNS } from './submission-columns.tsx';
import { useRecentSubmissions } from './submission-queries.ts';
import { Quotas } from './submission-values.tsx';

const KEYS = ['what', 'status', 'created', 'expected', 'received'];
const COLUMNS = SUBMISSION_COLUMNS.filter(({ key }) => KEYS.includes(key));

/** What is on its way to the chain, or has just ended; nothing where there is none. */
export function RecentSubmissions() {
  const { data } = useRecentSubmissions();
  const rows = useCurrent(data?.data ?? NONE);
  if (data === undefined || rows.length === 0) return null;
  return (
    <Panel title="Submissions" folds aside={<Quotas of={data.quotas} />}>
      <DataTable label="Submissions" columns={COLUMNS} rows={rows} />
    </Panel>
  );
}

const NONE: readonly never[] = [];

function useCurrent(submissions: readonly ChainSubmission[]) {
  const ids = useByNow((nowMs) =>
    submissions
      .filter((each) => isCurrent(each, nowMs))
      .map(({ id }) => id)
      .join(' '),
  );
  return submissions.filter(({ id }) => ids.includes(id));
}

/** Leads to all of them. */
export function SubmissionsButton() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/submissions" {...props} />}>
      Submissions
    </Button>
  );
}

/** Leads to what the venue's contracts may move. */
export function ApprovalsButton() {
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/approvals" {...props} />}>
      Approvals
    </Button>
  );
}
