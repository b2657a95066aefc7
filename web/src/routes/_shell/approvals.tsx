import { createFileRoute } from '@tanstack/react-router';
import { ApprovalsPage } from '../../features/chain-steps/approvals-page.tsx';

export const Route = createFileRoute('/_shell/approvals')({ component: ApprovalsPage });
