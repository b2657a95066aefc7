import { reconcileBatch } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { Icon } from '../../ui/icons.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';

/** Has the venue asked now, rather than when it is its turn. */
export function ReconcileButton({ batchId }: { batchId: string }) {
  const client = useQueryClient();
  const reconciliation = useSingleMutation({
    mutationFn: () => call(reconcileBatch, { params: { batch_id: batchId } }),
    onSuccess: ({ message }) => {
      toastSuccess(message);
      void readAgain(client, ['batch', batchId]);
    },
    meta: { failure: 'Failed to reconcile batch' },
  });
  return (
    <Button
      size="xs"
      leftSection={<Icon name="refresh" size={16} />}
      loading={reconciliation.isPending}
      onClick={() => reconciliation.start()}
    >
      Reconcile
    </Button>
  );
}
