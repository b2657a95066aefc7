import type { BatchStatus } from '@dutchbook/contract/batches.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export const BATCH_TONE: Record<BatchStatus, Tone> = {
  completed: 'success',
  sold: 'success',
  partial_completed: 'warning',
  failed: 'error',
  canceled: 'inactive',
  processing: 'active',
  pending: 'pending',
  retry_pending: 'pending',
};
