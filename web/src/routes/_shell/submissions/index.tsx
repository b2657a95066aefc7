import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { SubmissionList } from '../../../features/chain-steps/submission-list.tsx';
import { type SubmissionSearch, submissionSearchFrom } from '../../../features/chain-steps/submission-search.ts';
import { NEWEST_FIRST } from '../../../lists/list-search.ts';

export const Route = createFileRoute('/_shell/submissions/')({
  validateSearch: (raw: Partial<SubmissionSearch> & SearchSchemaInput) => submissionSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NEWEST_FIRST)] },
  component: SubmissionList,
});
