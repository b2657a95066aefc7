import type { Batch } from '@dutchbook/contract/batches.ts';
import { Button } from '@mantine/core';
import { UnwindDialog } from './unwind-dialog.tsx';
import { useOpening } from './use-opening.ts';

/** Sells the shares of a batch that no whole set needs, once the loss that this makes has been looked at. */
export function UnwindButton({ batch }: { batch: Batch }) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      <Button variant="default" onClick={open}>
        Unwind
      </Button>
      {opening > 0 && <UnwindDialog key={opening} opened={opened} batch={batch} onClose={close} />}
    </>
  );
}
