import { reconcileBatch } from '@dutchbook/contract/batches.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import type { Read } from '../../live/fresher.ts';
import { Changing } from '../../ui/changing.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';
import { useLatestOrder } from './latest-order.ts';
import styles from './unknown-orders-panel.module.css';

type UnknownOrdersPanelProps = { batchId: string; orders: readonly Read<Order>[] };

/** The orders of which it is not known whether the venue has them: since when, and what the venue said when it was asked. */
export function UnknownOrdersPanel({ batchId, orders }: UnknownOrdersPanelProps) {
  return (
    <Panel
      title="Unknown Orders"
      tone="warning"
      aside={
        <Changing>
          <ReconcileButton batchId={batchId} />
        </Changing>
      }
    >
      <p className={styles.meaning}>
        These were sent, and the venue has not said whether it has them: they count neither as placed nor as failed.
        Nothing is sent in their place before the venue has answered.
      </p>
      <ul className={styles.orders}>
        {orders.map((order) => (
          <UnknownOrder key={order.id} order={order} />
        ))}
      </ul>
    </Panel>
  );
}

function UnknownOrder({ order }: { order: Read<Order> }) {
  const { doubt, market_name, outcome, side, size, price } = useLatestOrder(order);
  if (doubt === null) return null;
  const { since, asked_at, answer } = doubt;
  return (
    <li>
      <p className={styles.order}>
        <strong>{market_name}</strong>
        <span>
          {side === 'buy' ? 'Buy' : 'Sell'} {formatShares(size)} {outcome} at {formatPrice(price)}
        </span>
      </p>
      <dl className={styles.details}>
        <dt>Unknown since</dt>
        <dd>
          <LocalTime at={since} />
        </dd>
        <dt>Asked</dt>
        <dd>
          <Question of={doubt} />
          {asked_at !== null && (
            <>
              {' '}
              at <LocalTime at={asked_at} />
            </>
          )}
        </dd>
        <dt>Answered</dt>
        <dd>{answer ?? 'Nothing yet'}</dd>
      </dl>
    </li>
  );
}

/** The order's hash in it is shown in short, and copied as a whole. */
function Question({ of: { question, order_hash } }: { of: NonNullable<Order['doubt']> }) {
  const [before, after] = question.split(order_hash);
  if (after === undefined) return question;
  return (
    <>
      {before}
      <Copyable text={order_hash} what="Order hash" mono>
        {order_hash.slice(0, 10)}…{order_hash.slice(-6)}
      </Copyable>
      {after}
    </>
  );
}

/** Has the venue asked now, rather than when it is due. */
function ReconcileButton({ batchId }: { batchId: string }) {
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
