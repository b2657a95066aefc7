import type { Batch } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { useOpening } from '../../calls/use-opening.ts';
import { Icon } from '../../ui/icons.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { SellAllDialogProps } from './sell-all-dialog.tsx';

const SellAllDialog = lazyDialog<SellAllDialogProps>(() =>
  import('./sell-all-dialog.tsx').then((code) => code.SellAllDialog),
);

/**
 * Sells what a completed batch holds. Stands on the page of any batch: there is no button unless the batch is completed,
 * but the dialog stays to show what came of a sale that changed this.
 */
export function SellAllButton({ batch }: { batch: Batch }) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      {batch.status === 'completed' && (
        <Button variant="default" leftSection={<Icon name="upload" />} onClick={open}>
          Sell All Orders
        </Button>
      )}
      {opening > 0 && <SellAllDialog key={opening} opened={opened} batch={batch} onClose={close} />}
    </>
  );
}
