import type { Batch } from '@dutchbook/contract/batches.ts';
import type { Order } from '@dutchbook/contract/orders.ts';
import { Button } from '@mantine/core';
import { useOpening } from '../../calls/use-opening.ts';
import { Changing } from '../../ui/changing.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { heldShares } from './sale-rows.ts';
import type { SellOrderDialogProps } from './sell-order-dialog.tsx';

const SellOrderDialog = lazyDialog<SellOrderDialogProps>(() =>
  import('./sell-order-dialog.tsx').then((code) => code.SellOrderDialog),
);

/** Sells what one order holds; nothing where it holds nothing, or where its batch may still buy. */
export function SellOrderButton({ order, batch }: { order: Order; batch: Batch }) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      {heldShares(order) > 0 && !batch.is_active && (
        <Changing>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Sell ${order.outcome} of ${order.market_name}`}
            onClick={open}
          >
            Sell
          </Button>
        </Changing>
      )}
      {opening > 0 && <SellOrderDialog key={opening} opened={opened} order={order} onClose={close} />}
    </>
  );
}
