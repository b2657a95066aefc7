import type { Batch } from '@dutchbook/contract/batches.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Changing } from '../../ui/changing.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { shortId } from '../../ui/copyable.tsx';
import { useCancelBatch } from './batch-actions.ts';
import { useBatch } from './batch-queries.ts';

/** `batch` stays the last one while the dialog fades away. */
type CancelBatchDialogProps = { opened: boolean; batch: Batch; onClose: () => void };

export function CancelBatchDialog({ opened, batch, onClose }: CancelBatchDialogProps) {
  const cancellation = useCancelBatch(onClose);
  const { unhedged } = batch;
  return (
    <ConfirmDialog
      opened={opened}
      title="Cancel Batch"
      confirm="Cancel Batch"
      dismiss="Keep Batch"
      onConfirm={() => cancellation.start(batch.id)}
      pending={cancellation.isPending}
      onClose={onClose}
    >
      <p>
        The open orders of batch <strong>{batch.name ?? shortId(batch.id)}</strong> are taken off the venue, and nothing
        more is bought for it. What has been filled is kept.
      </p>
      {unhedged !== null && (
        <p>
          Some positions are held without the others: <strong>{formatUsd(unhedged.worst_loss_usd)}</strong> can be lost
          if they stay that way.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** For where a batch is only named. */
export function CancelBatchButton({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const { batch } = useBatch(id);
  return (
    <>
      <Changing>
        <Button
          size="compact-xs"
          variant="default"
          disabled={batch?.is_active !== true || batch.cancel_requested}
          onClick={() => setAsking(true)}
        >
          Cancel Batch
        </Button>
      </Changing>
      {batch !== undefined && <CancelBatchDialog opened={asking} batch={batch} onClose={() => setAsking(false)} />}
    </>
  );
}
