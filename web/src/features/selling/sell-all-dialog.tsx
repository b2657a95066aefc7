import type { Batch } from '@dutchbook/contract/batches.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSimulation } from '../../calls/use-simulation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { batchKey } from '../batches/batch-queries.ts';
import { callWords, expectedOf } from '../chain-steps/chain-words.ts';
import { useIsDisarmedAt } from '../status/system-status.ts';
import { simulateSellAll } from './sale-calls.ts';
import { figuresOf } from './sale-figures.ts';
import { SaleForm } from './sale-form.tsx';
import { outcomeOf, useSaleLoss } from './sale-loss.ts';
import { SaleResult } from './sale-result.tsx';
import { SellAllPlan } from './sell-all-plan.tsx';
import { type SellPrices, samePrices, sellPrices, type TypedPrices } from './sell-prices.ts';
import { useFollowed } from './use-followed.ts';
import { useSale } from './use-sale.ts';
import { executeExit } from './ways/exit-calls.ts';
import { ExitChoice } from './ways/exit-choice.tsx';
import {
  ALL_SOLD,
  type Choices,
  exitRefusal,
  exitWords,
  type ReadyExit,
  readyExit,
  saleOfChosen,
  sellsAll,
  wayOf,
} from './ways/exit-choices.ts';
import { useBestWay } from './ways/use-best-way.ts';
import { useCashNow } from './ways/use-cash-now.ts';

export type SellAllDialogProps = { opened: boolean; batch: Batch; onClose: (isSubmitting: boolean) => void };

/**
 * Shows what selling a whole batch would bring, at the bids or at prices of one's own, beside holding it, and then sells just
 * that. Where shares of it can be converted into dollars, each order may be sold, converted or held.
 */
export function SellAllDialog({ opened, batch, onClose }: SellAllDialogProps) {
  const [typed, setTyped] = useState<TypedPrices>({});
  const [chosen, choose] = useState<Choices>();
  const choices = chosen ?? ALL_SOLD;
  const prices = sellPrices(typed);
  const { shown, isPending, isAwaited, simulate, follow } = useSimulation(
    (asked: SellPrices) => simulateSellAll(batch.id, asked),
    'Failed to simulate sell orders',
  );
  useEffect(() => simulate({}), [simulate]);
  const { isAnswered, whole, converts, converted, refresh } = useCashNow(batch.id, choices);
  const best = useBestWay({ batch, shown, isAnswered, whole, converts }, chosen, choose);
  const sale = useSale({
    reads: batchKey(batch.id),
    watched: opened,
    send: (ready: ReadyExit, idempotencyKey) => executeExit(batch.id, ready, idempotencyKey),
    failure: 'Failed to execute sell orders',
  });
  const outdated = useFollowed(shown, {
    // What was sent stays as it is until its answer is known: asked again it is the same sale.
    watched: opened && sale.result === undefined && !sale.isPending && sale.lostAnswerOf(undefined) === undefined,
    isPending,
    follow: (asked) => {
      follow(asked);
      refresh();
    },
  });
  const figures = shown && saleOfChosen(figuresOf(shown), choices);
  const ready =
    shown !== undefined && 'simulation' in shown ? readyExit(shown, choices, converted.orderIds) : undefined;
  const loss = useSaleLoss(ready && figures && outcomeOf(figures));
  const isDisarmed = useIsDisarmedAt(converted.venues);
  const soldOrders = figures?.orders.length ?? 0;
  const refusal =
    exitRefusal({ choices, typed, shown, soldOrders, converted, isDisarmed }) ??
    outdated ??
    (chosen === undefined ? 'Comparing the ways out.' : undefined);
  const close = () => onClose(sale.isPending);
  const wouldLose = sale.result === undefined && !sale.isPending && Object.values(typed).some((text) => text !== '');
  return (
    <Dialog opened={opened} title="Sell All Orders" size="min(1080px, 100%)" onClose={close} unsaved={wouldLose}>
      {sale.result === undefined ? (
        <SaleForm
          {...exitWords(soldOrders, converted.orderIds.length)}
          loss={loss}
          refusal={refusal}
          refreshing={isAwaited}
          executing={sale.isPending}
          lostAnswer={sale.lostAnswerOf(ready)}
          onRefresh={() => {
            simulate(prices);
            refresh();
          }}
          onExecute={() => ready !== undefined && sale.start(ready)}
          onCancel={close}
        >
          {shown === undefined || figures === undefined ? (
            <Skeleton height={260} />
          ) : (
            <SellAllPlan
              batchId={batch.id}
              sale={figures}
              current={!isAwaited && samePrices(prices, shown.asked)}
              typed={typed}
              onTyped={setTyped}
              disabled={sale.isPending}
              withTotals={soldOrders > 0 || sellsAll(choices)}
              isSold={(orderId) => wayOf(choices, orderId) === 'sell'}
            >
              {isAnswered && (
                <ExitChoice
                  {...{ whole, converts, best }}
                  choices={chosen}
                  onChoices={choose}
                  disabled={sale.isPending}
                />
              )}
              {converted.orderIds.length > 0 && <Converted plan={converted.plan} />}
            </SellAllPlan>
          )}
        </SaleForm>
      ) : (
        <SaleResult execution={sale.result.execution} planned={sale.result.sent.simulation.orders} onDone={close} />
      )}
    </Dialog>
  );
}

/** The total of the orders on Cash Now, or what stands in their way. */
function Converted({ plan }: { plan: ReturnType<typeof useCashNow>['converted']['plan'] }) {
  if (plan === undefined || 'error' in plan) return null;
  const { errors, steps } = plan.simulation;
  if (errors.length > 0) return <Note tone="error" title="Cash Now cannot be done" lines={errors} />;
  return (
    <Note
      tone="inactive"
      title={`Cash Now brings ${formatUsd(expectedOf(steps))}`}
      lines={steps.map((step) => callWords(step))}
    />
  );
}
