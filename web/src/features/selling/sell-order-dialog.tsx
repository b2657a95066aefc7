import type { Order } from '@dutchbook/contract/orders.ts';
import { sellOrder } from '@dutchbook/contract/selling.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { type LostAnswer, useTrade } from '../../calls/use-trade.ts';
import { DealFoot } from '../../ui/deal-foot.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Details } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { toastProblem, toastSuccess } from '../../ui/toasts.tsx';
import { batchKey, batchListKey, useBatch } from '../batches/batch-queries.ts';
import { LOST } from './lost-answer.ts';
import { outcomeOfOrder, outcomeOfWaiting, useLossQuestion, useSaleLoss } from './sale-loss.ts';
import { saleMessage } from './sale-message.ts';
import { heldShares } from './sale-rows.ts';
import { type OrderSale, readOrderSale, WAITS, type Wait, waitingTerms } from './sell-order-draft.ts';
import { brokenSetsInWords, saleAsShown, saleInWords, waitingInWords } from './sell-order-outlook.ts';
import { SellPriceField } from './sell-price-field.tsx';
import { readSellPrice } from './sell-prices.ts';
import styles from './selling.module.css';
import { usePlannedSale } from './use-planned-sale.ts';

const SELLING = 'Selling. The server finishes this even if you close the dialog.';
const CORRECT_FIRST = 'Correct or clear what is marked.';

export type SellOrderDialogProps = { opened: boolean; order: Order; onClose: (isSubmitting: boolean) => void };

/** Sells the shares of one order: all of them unless a number is typed, down to where the bids take them unless a price is. */
export function SellOrderDialog({ opened, order, onClose }: SellOrderDialogProps) {
  const [typed, setTyped] = useState<{ size: string; price: string; wait: Wait }>({ size: '', price: '', wait: '' });
  // Counted from the choice: asked again after a lost answer, it is the same sale.
  const [waiting, setWaiting] = useState<Pick<OrderSale, 'wait' | 'wait_until'>>({});
  const waits = typed.wait !== '';
  const held = heldShares(order);
  const read = readOrderSale(typed, held);
  const sizeProblem = 'problems' in read ? read.problems.size : undefined;
  const price = readSellPrice(typed.price);
  const { start, isPending, lostAnswerOf } = useSellOrder(order, () => onClose(false));
  // What was sent stays as it is until its answer is known: asked again it is the same sale.
  const watched = opened && !isPending && lostAnswerOf(undefined) === undefined;
  // What waits is not planned down the bids: the best of them is shown beside it.
  const outlook = usePlannedSale(order, 'price' in price && !waits ? price.price : undefined, watched);
  const sale = 'sale' in read ? read.sale : undefined;
  const waitsAt = sale?.sell_price === undefined ? undefined : { ...sale, ...waiting };
  const request = waits ? waitsAt : sale && saleAsShown(sale, outlook);
  const bid = 'planned' in outlook ? outlook.planned.average_price : undefined;
  const lostAnswer = lostAnswerOf(request);
  const outcome = () => {
    if (request === undefined) return undefined;
    const { sell_size, sell_price } = request;
    if (waits) return sell_price && outcomeOfWaiting(order, sell_size ?? held, sell_price);
    return 'planned' in outlook ? outcomeOfOrder(outlook.planned, sell_size) : undefined;
  };
  const loss = useSaleLoss(outcome());
  const { sell, question } = useLossQuestion({
    loss,
    refusal: request === undefined ? 'Simulating what this sale would bring.' : undefined,
    onSell: () => request !== undefined && start(request),
  });
  const sayWhat = (sale: OrderSale) =>
    waits ? waitingInWords(sale, held, typed.wait, bid) : saleInWords(sale, outlook);
  const stateId = useId();
  const isTyped = typed.size !== '' || typed.price !== '' || waits;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request !== undefined) sell();
  };
  return (
    <Dialog opened={opened} title="Sell Order" onClose={() => onClose(isPending)} unsaved={isTyped && !isPending}>
      <form className={styles.sale} noValidate onSubmit={submit}>
        <Details details={detailsOf(order)} />
        <div className={styles.fields}>
          <TextInput
            label="Shares to Sell"
            description={`Empty: all ${formatShares(held)}.`}
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            value={typed.size}
            onChange={({ currentTarget }) => setTyped({ ...typed, size: currentTarget.value })}
            error={sizeProblem}
          />
          <SellPriceField
            label="Sell Price"
            description={waits ? 'Above the best bid.' : 'Or better. Empty: as shown below.'}
            typed={typed.price}
            onTyped={(price) => setTyped({ ...typed, price })}
          />
          <NativeSelect
            label="Wait at This Price"
            description="In the book, until bids come up to it."
            data={WAITS}
            value={typed.wait}
            onChange={({ currentTarget }) => {
              const wait = currentTarget.value as Wait;
              setTyped({ ...typed, wait });
              setWaiting(waitingTerms(wait, Date.now()));
            }}
          />
        </div>
        <BrokenSets batchId={order.batch_id} />
        <DealFoot
          stateId={stateId}
          state={isPending ? SELLING : inWords(lostAnswer, 'sale' in read ? sayWhat(read.sale) : CORRECT_FIRST)}
          isUnknown={lostAnswer !== undefined && !isPending}
          risk={loss && <p className={styles.loss}>{loss}</p>}
        >
          <Button variant="default" onClick={() => onClose(isPending)}>
            {isPending ? 'Close' : 'Cancel'}
          </Button>
          {/* Marked rather than disabled: what is missing may come by itself, and the focus would be gone. */}
          <Button
            type="submit"
            data-disabled={request === undefined}
            aria-disabled={request === undefined}
            aria-describedby={stateId}
            loading={isPending}
            {...(loss === undefined ? {} : { color: 'red' })}
          >
            {waits ? 'Place Sale' : 'Sell Shares'}
          </Button>
        </DealFoot>
      </form>
      {question}
    </Dialog>
  );
}

function BrokenSets({ batchId }: { batchId: string }) {
  const { batch } = useBatch(batchId);
  const broken = batch && brokenSetsInWords(batch);
  return broken === undefined ? null : <Note tone="warning" title={broken} />;
}

function inWords(lostAnswer: LostAnswer | undefined, sale: string): string {
  if (lostAnswer === undefined) return sale;
  return lostAnswer === 'same' ? LOST.same : `${LOST.other} ${sale}`;
}

function detailsOf({ market_name, outcome, average_price, ...order }: Order) {
  return [
    { name: 'Market', value: market_name },
    { name: 'Outcome', value: outcome },
    { name: 'Held', value: `${formatShares(heldShares(order))} sh` },
    { name: 'Bought At', value: average_price === null ? '–' : formatPrice(average_price) },
  ];
}

function useSellOrder({ id, batch_id }: Order, onSold: () => void) {
  const client = useQueryClient();
  return useTrade<Order, OrderSale>({
    send: (sale, idempotencyKey) => call(sellOrder, { params: { order_id: id }, query: sale, idempotencyKey }),
    onSuccess: (sold) => {
      void readAgain(client, batchKey(batch_id));
      void readAgain(client, batchListKey);
      const message = saleMessage(sold);
      if (message.tone === 'problem') toastProblem(message.text);
      else {
        toastSuccess(message.text);
        onSold();
      }
    },
    failure: 'Failed to sell order',
    unknown: 'The answer was lost, so it is not known what was sold.',
  });
}
