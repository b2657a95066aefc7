import type { Order } from '@dutchbook/contract/orders.ts';
import { cancelOrder } from '@dutchbook/contract/selling.ts';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { useTrade } from '../../calls/use-trade.ts';
import { Changing } from '../../ui/changing.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { batchKey, batchListKey } from '../batches/batch-queries.ts';
import { waitingWords } from './waiting-words.ts';

/** Until when a sale waits in the book, with the button that takes it off, or why it ended before it filled. */
export function WaitingSale({ of: order }: { of: Order }) {
  const words = waitingWords(order);
  if (words === undefined) return null;
  const { text, until, canCancel } = words;
  return (
    <>
      <span className="hint">
        {text} {until !== null && <LocalTime at={until} />}
      </span>
      {canCancel && (
        <Changing>
          <CancelButton order={order} />
        </Changing>
      )}
    </>
  );
}

function CancelButton({ order }: { order: Order }) {
  const client = useQueryClient();
  const { start, isPending } = useTrade({
    send: () => call(cancelOrder, { params: { order_id: order.id } }),
    onSuccess: () => {
      void readAgain(client, batchKey(order.batch_id));
      void readAgain(client, batchListKey);
      void readAgain(client, ['orders']);
    },
    success: 'Sale canceled successfully',
    failure: 'Failed to cancel the sale',
    unknown: 'The answer was lost, so it is not known whether the sale is canceled. Asking again does not do it twice.',
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      aria-label={`Cancel the sale of ${order.outcome} of ${order.market_name}`}
      onClick={() => start()}
    >
      Cancel
    </Button>
  );
}
