import type { Batch } from '@dutchbook/contract/batches.ts';
import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { copyText } from '../../ui/copy.ts';
import { shortId } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useRetryBatch } from './batch-actions.ts';
import { batchInfoText } from './batch-info-text.ts';

type BatchRowMenuProps = { batch: Batch; onCancel: (batch: Batch) => void };

export function BatchRowMenu({ batch, onCancel }: BatchRowMenuProps) {
  const { id, can_retry, is_active, cancel_requested } = batch;
  const retry = useRetryBatch();
  return (
    <RowMenu of={shortId(id)} busy={retry.isPending}>
      <Menu.Item
        leftSection={<Icon name="eye" size={16} />}
        renderRoot={(props) => <Link to="/batches/$batchId" params={{ batchId: id }} {...props} />}
      >
        View Details
      </Menu.Item>
      {can_retry && (
        <Menu.Item leftSection={<Icon name="refresh" size={16} />} onClick={() => retry.start(id)}>
          Retry Batch
        </Menu.Item>
      )}
      {is_active && (
        <Menu.Item
          c={cancel_requested ? 'var(--ink-muted)' : 'var(--error-ink)'}
          leftSection={<Icon name="stop" size={16} />}
          disabled={cancel_requested}
          onClick={() => onCancel(batch)}
        >
          {cancel_requested ? 'Canceling…' : 'Cancel Batch'}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<Icon name="copy" size={16} />}
        onClick={() => copyText(batchInfoText(batch), 'Batch info')}
      >
        Copy Batch Info
      </Menu.Item>
    </RowMenu>
  );
}
