import type { Order } from '@dutchbook/contract/orders.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { useEffect, useEffectEvent } from 'react';
import { simulateSellAll } from './sale-calls.ts';
import { type OrderOutlook, outlookOf } from './sell-order-outlook.ts';
import type { SellPrices } from './sell-prices.ts';
import { useSimulation } from './use-simulation.ts';

/** Bids move, and the stream does not tell of them here. */
const PLAN_INTERVAL_MS = 5_000;

/** What selling all of an order would bring now, at `price` or else down the bids; asked again and again while it is `watched`. */
export function usePlannedSale(order: Order, price: Price | undefined, watched: boolean): OrderOutlook {
  const { shown, isPending, simulate } = useSimulation((asked: SellPrices) => simulateSellAll(order.batch_id, asked));
  const ask = useEffectEvent((at: Price | undefined) => simulate(pricesOf(order, at)));
  useEffect(() => {
    if (watched) ask(price);
  }, [watched, price]);
  useEffect(() => {
    if (!watched || isPending) return;
    const timer = setTimeout(() => ask(price), PLAN_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [watched, isPending, price]);
  return outlookOf(order.id, pricesOf(order, price), shown);
}

function pricesOf({ token_id }: Order, price: Price | undefined): SellPrices {
  return price === undefined ? {} : { [token_id]: price };
}
