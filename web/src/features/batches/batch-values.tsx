import type { Batch, BatchStatus } from '@dutchbook/contract/batches.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Signed } from '../../ui/signed.tsx';
import { StatusBadge, statusWords, type Tone } from '../../ui/status-badge.tsx';
import { useNowMs } from '../../ui/use-now.ts';
import { type Execution, executionWords, isOver } from './execution-time.ts';

export function BatchStatusBadge({ of: { status } }: { of: Pick<Batch, 'status'> }) {
  return <StatusBadge tone={BATCH_TONE[status]}>{statusWords(status)}</StatusBadge>;
}

/** What a status does not say: orders of which it is not known whether the venue has them, and that its end was asked for. */
export function EndingBadges({ of: batch }: { of: Pick<Batch, 'orders_in_doubt' | 'is_active' | 'cancel_requested'> }) {
  return (
    <>
      {batch.orders_in_doubt > 0 && <StatusBadge tone="warning">{batch.orders_in_doubt} unknown</StatusBadge>}
      {batch.is_active && batch.cancel_requested && <StatusBadge tone="inactive">Canceling…</StatusBadge>}
    </>
  );
}

export function ActualProfit({ of: { actual_profit_usd: profit } }: { of: Pick<Batch, 'actual_profit_usd'> }) {
  if (profit === null) return '–';
  return (
    <LiveNumber value={profit} arrow="none">
      <Signed value={profit}>{formatUsd(profit)}</Signed>
    </LiveNumber>
  );
}

/** Counts on by the second while the batch runs. */
export function ExecutionTime({ of: batch }: { of: Execution }) {
  if (batch.execution_started_at === null || isOver(batch)) return executionWords(batch, batch.updated_at);
  return <RunningTime of={batch} />;
}

function RunningTime({ of: batch }: { of: Execution }) {
  return executionWords(batch, instantFromMs(useNowMs()));
}

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
