import type { Batch } from '@dutchbook/contract/batches.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { Button } from '@mantine/core';
import { heldShares } from './sale-rows.ts';
import { SellOrderDialog } from './sell-order-dialog.tsx';
import { useOpening } from './use-opening.ts';

/** Sells what one order holds; nothing where it holds nothing, or where its batch may still buy. */
export function SellOrderButton({ order, batch }: { order: Order; batch: Batch }) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      {heldShares(order) > 0 && !batch.is_active && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Sell ${order.outcome} of ${order.market_name}`}
          onClick={open}
        >
          Sell
        </Button>
      )}
      {opening > 0 && <SellOrderDialog key={opening} opened={opened} order={order} onClose={close} />}
    </>
  );
}
