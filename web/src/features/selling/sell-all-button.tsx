import type { Batch } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { Icon } from '../../ui/icons.tsx';
import { SellAllDialog } from './sell-all-dialog.tsx';
import { useOpening } from './use-opening.ts';

/**
 * Sells what a completed batch holds. Stands on the page of any batch: there is no button unless the batch is completed,
 * but the dialog stays to show what came of a sale that changed this.
 */
export function SellAllButton({ batch }: { batch: Batch }) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      {batch.status === 'completed' && (
        <Button leftSection={<Icon name="upload" />} onClick={open}>
          Sell All Orders
        </Button>
      )}
      {opening > 0 && <SellAllDialog key={opening} opened={opened} batch={batch} onClose={close} />}
    </>
  );
}
