import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SubmissionList } from '../../../features/chain-steps/submission-list.tsx';
import {
  SUBMISSION_SEARCH_DEFAULTS,
  type SubmissionSearch,
  submissionSearchFrom,
} from '../../../features/chain-steps/submission-search.ts';

export const Route = createFileRoute('/_shell/submissions/')({
  validateSearch: (raw: Partial<SubmissionSearch> & SearchSchemaInput) => submissionSearchFrom(raw),
  search: { middlewares: [stripSearchParams(SUBMISSION_SEARCH_DEFAULTS)] },
  component: SubmissionsPage,
});

function SubmissionsPage() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const onSearch = useCallback((next: SubmissionSearch) => void navigate({ search: next }), [navigate]);
  return <SubmissionList search={search} onSearch={onSearch} />;
}
