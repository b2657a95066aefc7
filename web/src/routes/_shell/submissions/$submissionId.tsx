import { createFileRoute } from '@tanstack/react-router';
import { SubmissionDetails } from '../../../features/chain-steps/submission-details.tsx';

export const Route = createFileRoute('/_shell/submissions/$submissionId')({ component: SubmissionPage });

function SubmissionPage() {
  const { submissionId } = Route.useParams();
  return <SubmissionDetails key={submissionId} id={submissionId} />;
}
