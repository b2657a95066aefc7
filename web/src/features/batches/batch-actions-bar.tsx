import type { Batch } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useRetryBatch } from './batch-actions.ts';
import { CancelBatchDialog } from './cancel-batch-dialog.tsx';

/** `sellAll`: the button for it, which belongs to another feature. */
type BatchActionsProps = { batch: Batch; sellAll: ReactNode };

export function BatchActions({ batch, sellAll }: BatchActionsProps) {
  const { id, can_retry, is_active, opportunity_id } = batch;
  const retry = useRetryBatch();
  return (
    <section className="row" aria-label="Actions">
      <Changing>
        {sellAll}
        {(can_retry || retry.isPending) && (
          <Button leftSection={<Icon name="refresh" />} loading={retry.isPending} onClick={() => retry.start(id)}>
            Retry Batch
          </Button>
        )}
        {is_active && <CancelButton batch={batch} />}
      </Changing>
      <Button
        variant="default"
        leftSection={<Icon name="arbitrage" />}
        renderRoot={(props) => (
          <Link to="/arbitrage/$opportunityId" params={{ opportunityId: opportunity_id }} {...props} />
        )}
      >
        View Opportunity
      </Button>
    </section>
  );
}

function CancelButton({ batch }: { batch: Batch }) {
  const [asking, setAsking] = useState(false);
  // Marked rather than disabled, so that the focus which the dialog gives back has somewhere to go.
  const underWay = batch.cancel_requested;
  return (
    <>
      <Button
        variant="default"
        c={underWay ? 'var(--inactive-ink)' : 'var(--error-ink)'}
        leftSection={<Icon name="stop" />}
        data-disabled={underWay}
        aria-disabled={underWay}
        onClick={() => !underWay && setAsking(true)}
      >
        {underWay ? 'Canceling…' : 'Cancel Batch'}
      </Button>
      <CancelBatchDialog opened={asking} batch={batch} onClose={() => setAsking(false)} />
    </>
  );
}
