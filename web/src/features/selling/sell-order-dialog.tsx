import type { Order } from '@dutchbook/contract/orders.ts';
import { type PlannedSale, sellOrder } from '@dutchbook/contract/selling.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { call } from '../../app/call.ts';
import { readAgain } from '../../app/read-again.ts';
import { useTrade } from '../../app/use-trade.ts';
import { DealFoot } from '../../ui/deal-foot.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/panel.tsx';
import { toastProblem, toastSuccess } from '../../ui/toasts.tsx';
import { batchKey, batchListKey } from '../batches/batch-queries.ts';
import { simulateSellAll } from './sale-calls.ts';
import { saleNews } from './sale-news.ts';
import { heldShares } from './sale-rows.ts';
import { type OrderSale, readOrderSale } from './sell-order-draft.ts';
import { SellPriceField } from './sell-price-field.tsx';
import styles from './selling.module.css';
import { useSimulation } from './use-simulation.ts';

const ANSWER_LOST =
  'Failed to sell order, or the answer was lost: it is not known what was sold. Asking again sells nothing twice.';

type SellOrderDialogProps = { opened: boolean; order: Order; onClose: (running: boolean) => void };

/** Sells the shares of one order, all of them unless a number is typed, down the bids unless a price is. */
export function SellOrderDialog({ opened, order, onClose }: SellOrderDialogProps) {
  const [typed, setTyped] = useState({ size: '', price: '' });
  const held = heldShares(order);
  const read = readOrderSale(typed, held);
  const sizeProblem = 'problems' in read ? read.problems.size : undefined;
  const planned = usePlannedSale(order);
  const { start, isPending } = useSellOrder(order, () => onClose(false));
  const isTyped = typed.size !== '' || typed.price !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ('sale' in read) start(read.sale);
  };
  return (
    <Dialog opened={opened} title="Sell Order" onClose={() => onClose(isPending)} unsaved={isTyped && !isPending}>
      <form className={styles.sale} noValidate onSubmit={submit}>
        <Facts facts={factsOf(order)} />
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
            description="Or better. Empty: down the bids."
            typed={typed.price}
            onTyped={(price) => setTyped({ ...typed, price })}
          />
        </div>
        <DealFoot
          state={isPending ? 'Selling. The server finishes this even if you close the dialog.' : outlook(planned)}
        >
          <Button variant="default" onClick={() => onClose(isPending)}>
            {isPending ? 'Close' : 'Cancel'}
          </Button>
          <Button type="submit" disabled={'problems' in read} loading={isPending}>
            Sell Shares
          </Button>
        </DealFoot>
      </form>
    </Dialog>
  );
}

function factsOf({ market_name, outcome, average_price, ...order }: Order) {
  return [
    { name: 'Market', value: market_name },
    { name: 'Outcome', value: outcome },
    { name: 'Held', value: `${formatShares(heldShares(order))} sh` },
    { name: 'Bought At', value: average_price === null ? '–' : formatPrice(average_price) },
  ];
}

/** What selling all of it down the bids would bring now; `undefined` while nobody can say. */
function usePlannedSale({ id, batch_id }: Order): PlannedSale | undefined {
  const { shown, simulate } = useSimulation((_asked: undefined) => simulateSellAll(batch_id, {}));
  useEffect(() => simulate(undefined), [simulate]);
  if (shown === undefined || 'error' in shown) return undefined;
  return shown.simulation.orders.find(({ order_id }) => order_id === id);
}

function outlook(planned: PlannedSale | undefined): string {
  if (planned === undefined) return '';
  const { sell_size, sell_price, average_price, proceeds, fee } = planned;
  return `The bids take ${formatShares(sell_size)} shares now, down to ${formatPrice(sell_price)} and ${formatPrice(average_price)} on average: ${formatUsd(proceeds)}, less a fee of ${formatUsd(fee)}.`;
}

function useSellOrder({ id, batch_id }: Order, onSold: () => void) {
  const client = useQueryClient();
  return useTrade<Order, OrderSale>({
    send: (sale, idempotencyKey) => call(sellOrder, { params: { order_id: id }, query: sale, idempotencyKey }),
    onSuccess: (sold) => {
      void readAgain(client, batchKey(batch_id));
      void readAgain(client, batchListKey);
      const news = saleNews(sold);
      if (news.tone === 'problem') toastProblem(news.text);
      else {
        toastSuccess(news.text);
        onSold();
      }
    },
    failure: 'Failed to sell order',
    unknown: ANSWER_LOST,
  });
}
