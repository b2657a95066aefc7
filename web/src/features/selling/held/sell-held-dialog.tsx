import { formatUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSimulation } from '../../../calls/use-simulation.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Note } from '../../../ui/states.tsx';
import { PricedPlan } from '../priced-plan.tsx';
import { executeSellHeld, simulateSellHeld } from '../sale-calls.ts';
import { figuresOf } from '../sale-figures.ts';
import { SaleForm } from '../sale-form.tsx';
import { outcomeOf, useSaleLoss } from '../sale-loss.ts';
import { SaleResult } from '../sale-result.tsx';
import { type HeldTokens, legRows } from '../sale-rows.ts';
import { type ReadySale, sellAllRefusal } from '../sell-all-readiness.ts';
import { type SellPrices, samePrices, sellPrices, type TypedPrices } from '../sell-prices.ts';
import { useFollowed } from '../use-followed.ts';
import { useSale } from '../use-sale.ts';
import { HeldOrders } from './held-orders.tsx';

export type SellHeldDialogProps = {
  opened: boolean;
  title: string;
  tokens: HeldTokens;
  /** What all of them pay at least if they are held, and bring if they are converted into dollars, where that is known. */
  instead: { heldPays: Usd; cashNow: Usd } | undefined;
  onClose: (isSubmitting: boolean) => void;
};

const PORTFOLIO = ['portfolio'];

/** Shows what selling all that orders hold of some tokens would bring, leg by leg, and sells just that with one press. */
export function SellHeldDialog({ opened, title, tokens: newest, instead, onClose }: SellHeldDialogProps) {
  // What is sold stands still while it is looked at.
  const [tokens] = useState(newest);
  const ids = tokens.map(({ token_id }) => token_id);
  const [typed, setTyped] = useState<TypedPrices>({});
  const [showsOrders, showOrders] = useState(false);
  const prices = sellPrices(typed);
  const { shown, isPending, isAwaited, simulate, follow } = useSimulation(
    (asked: SellPrices) => simulateSellHeld(ids, asked),
    'Failed to simulate sell orders',
  );
  useEffect(() => simulate({}), [simulate]);
  const sale = useSale({
    reads: PORTFOLIO,
    watched: opened,
    send: (ready: ReadySale, idempotencyKey) => executeSellHeld(ids, ready, idempotencyKey),
    failure: 'Failed to execute sell orders',
  });
  const watched = opened && sale.result === undefined && !sale.isPending && sale.lostAnswerOf(undefined) === undefined;
  const outdated = useFollowed(shown, { watched, isPending, follow });
  const figures = shown && figuresOf(shown);
  const ready = shown !== undefined && 'simulation' in shown ? shown : undefined;
  const loss = useSaleLoss(ready && outcomeOf(ready.simulation));
  const close = () => onClose(sale.isPending);
  const wouldLose = sale.result === undefined && !sale.isPending && Object.values(typed).some((text) => text !== '');
  return (
    <Dialog opened={opened} title={title} size="min(1080px, 100%)" onClose={close} unsaved={wouldLose}>
      {sale.result === undefined ? (
        <>
          <SaleForm
            execute="Execute Sell Orders"
            promise="Sells these shares at these sell prices or better, all legs together. What finds no bid is kept."
            loss={loss}
            refusal={sellAllRefusal(typed, shown) ?? outdated}
            refreshing={isAwaited}
            executing={sale.isPending}
            lostAnswer={sale.lostAnswerOf(ready)}
            onRefresh={() => simulate(prices)}
            onExecute={() => ready !== undefined && sale.start(ready)}
            onCancel={close}
          >
            {shown === undefined || figures === undefined ? (
              <Skeleton height={260} />
            ) : (
              <PricedPlan
                sale={figures}
                rows={legRows(tokens, figures.orders)}
                current={!isAwaited && samePrices(prices, shown.asked)}
                typed={typed}
                onTyped={setTyped}
                disabled={sale.isPending}
                withTotals
              >
                {instead !== undefined && ready !== undefined && (
                  <CashNowInstead brings={instead.cashNow} sale={outcomeOf(ready.simulation).brings} />
                )}
                {instead !== undefined && (
                  <Note
                    tone="inactive"
                    title={`Held instead, these shares pay at least ${formatUsd(instead.heldPays)} at resolution`}
                  />
                )}
              </PricedPlan>
            )}
          </SaleForm>
          <details onToggle={({ currentTarget }) => showOrders(currentTarget.open)}>
            <summary>Sell a single order, a part of it, or at a price that waits</summary>
            {showsOrders && <HeldOrders tokens={tokens} />}
          </details>
        </>
      ) : (
        <SaleResult execution={sale.result.execution} planned={sale.result.sent.simulation.orders} onDone={close} />
      )}
    </Dialog>
  );
}

/** Nothing where the sale brings as much. */
function CashNowInstead({ brings, sale }: { brings: Usd; sale: Usd }) {
  const more = subtractUsd(brings, sale);
  if (more <= 0) return null;
  return <Note tone="warning" title={`Cash Now brings ${formatUsd(brings)}, ${formatUsd(more)} more`} />;
}
