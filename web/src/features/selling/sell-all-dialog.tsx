import type { Batch } from '@dutchbook/contract/batches.ts';
import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useOpening } from '../../calls/use-opening.ts';
import { useSimulation } from '../../calls/use-simulation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { executeSellAll, simulateSellAll } from './sale-calls.ts';
import { figuresOf } from './sale-figures.ts';
import { SaleForm } from './sale-form.tsx';
import { outcomeOf, useSaleLoss } from './sale-loss.ts';
import { SaleResult } from './sale-result.tsx';
import { SellAllPlan } from './sell-all-plan.tsx';
import { pricesAsShown, type ReadySale, sellAllRefusal } from './sell-all-readiness.ts';
import { type SellPrices, samePrices, sellPrices, type TypedPrices } from './sell-prices.ts';
import { useSale } from './use-sale.ts';
import { useSettling } from './use-settling.ts';

type SellAllDialogProps = { opened: boolean; batch: Batch; onClose: (running: boolean) => void };

/** Shows what selling a whole batch would bring, at the bids or at prices of one's own, and then sells just that. */
function SellAllDialog({ opened, batch, onClose }: SellAllDialogProps) {
  const [typed, setTyped] = useState<TypedPrices>({});
  const prices = sellPrices(typed);
  const { shown, isPending, simulate, follow } = useSimulation(
    (asked: SellPrices) => simulateSellAll(batch.id, asked),
    'Failed to simulate sell orders',
  );
  useEffect(() => simulate({}), [simulate]);
  const sale = useSale({
    batchId: batch.id,
    watched: opened,
    send: (ready: ReadySale, idempotencyKey) => executeSellAll(batch.id, pricesAsShown(ready), idempotencyKey),
    failure: 'Failed to execute sell orders',
  });
  const watched = opened && sale.result === undefined && !sale.isPending && !isPending;
  useSettling(shown, watched, follow);
  const ready = shown !== undefined && 'simulation' in shown ? shown : undefined;
  const loss = useSaleLoss(ready && outcomeOf(ready.simulation));
  const close = () => onClose(sale.isPending);
  const wouldLose = sale.result === undefined && !sale.isPending && Object.values(typed).some((text) => text !== '');
  return (
    <Dialog opened={opened} title="Sell All Orders" size="min(1080px, 100%)" onClose={close} unsaved={wouldLose}>
      {sale.result === undefined ? (
        <SaleForm
          execute="Execute Sell Orders"
          promise="Sells at these sell prices or better. What finds no bid is kept."
          loss={loss}
          refusal={sellAllRefusal(typed, shown)}
          refreshing={isPending}
          executing={sale.isPending}
          lostAnswer={sale.lostAnswerOf(ready)}
          onRefresh={() => simulate(prices)}
          onExecute={() => ready !== undefined && sale.start(ready)}
          onCancel={close}
        >
          {shown === undefined ? (
            <Skeleton height={260} />
          ) : (
            <SellAllPlan
              batchId={batch.id}
              sale={figuresOf(shown)}
              current={!isPending && samePrices(prices, shown.asked)}
              typed={typed}
              onTyped={setTyped}
              disabled={sale.isPending}
            />
          )}
        </SaleForm>
      ) : (
        <SaleResult {...sale.result} onDone={close} />
      )}
    </Dialog>
  );
}

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
