import type { Batch } from '@dutchbook/contract/batches.ts';
import { Link } from '@tanstack/react-router';
import { copyText } from '../../ui/copy.ts';
import { shortId } from '../../ui/copyable.tsx';
import type { MenuEntry } from '../../ui/menu-items.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useRetryBatch } from './batch-actions.ts';
import { batchInfoText } from './batch-info-text.ts';

type BatchRowMenuProps = { batch: Batch; onCancel: () => void };

export function BatchRowMenu({ batch, onCancel }: BatchRowMenuProps) {
  const { id, can_retry, is_active } = batch;
  const retry = useRetryBatch();
  const entries: MenuEntry[] = [
    {
      label: 'View Details',
      icon: 'eye',
      link: (props) => <Link to="/batches/$batchId" params={{ batchId: id }} preload={false} {...props} />,
    },
  ];
  if (can_retry) entries.push({ label: 'Retry Batch', icon: 'refresh', onChoose: () => retry.start(id) });
  if (is_active) entries.push(cancelEntry(batch, onCancel));
  entries.push({
    label: 'Copy Batch Info',
    icon: 'copy',
    onChoose: () => copyText(batchInfoText(batch), 'Batch info'),
  });
  return <RowMenu of={shortId(id)} busy={retry.isPending} entries={entries} />;
}

function cancelEntry(batch: Batch, onCancel: () => void): MenuEntry {
  if (batch.cancel_requested) return { label: 'Canceling…', icon: 'stop', tone: 'muted', disabled: true };
  return { label: 'Cancel Batch', icon: 'stop', tone: 'danger', onChoose: onCancel };
}
