import type { Order } from '@dutchbook/contract/orders.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { useEffect, useEffectEvent } from 'react';
import { useSimulation, waitFor } from '../../calls/use-simulation.ts';
import { simulateSellAll } from './sale-calls.ts';
import { type OrderOutlook, outlookOf } from './sell-order-outlook.ts';
import type { SellPrices } from './sell-prices.ts';

/** Bids move, and the stream does not tell of them here. */
const PLAN_INTERVAL_MS = 5_000;
/** Shares are settled within seconds, and then they can be sold. */
const SETTLING_INTERVAL_MS = 1_000;

/** What selling all of an order would bring now, at `price` or else down the bids; asked again and again while it is `watched`. */
export function usePlannedSale(order: Order, price: Price | undefined, watched: boolean): OrderOutlook {
  const { shown, isPending, simulate, follow } = useSimulation((asked: SellPrices) =>
    simulateSellAll(order.batch_id, asked),
  );
  const outlook = outlookOf(order.id, pricesOf(order, price), shown);
  const pauseMs = Math.max(outlook.kind === 'settling' ? SETTLING_INTERVAL_MS : PLAN_INTERVAL_MS, waitFor(shown));
  const ask = useEffectEvent((at: Price | undefined) => simulate(pricesOf(order, at)));
  const askAgain = useEffectEvent((at: Price | undefined) => follow(pricesOf(order, at)));
  useEffect(() => {
    if (watched) ask(price);
  }, [watched, price]);
  useEffect(() => {
    if (!watched || isPending) return;
    const timer = setTimeout(() => askAgain(price), pauseMs);
    return () => clearTimeout(timer);
  }, [watched, isPending, pauseMs, price]);
  return outlook;
}

function pricesOf({ token_id }: Order, price: Price | undefined): SellPrices {
  return price === undefined ? {} : { [token_id]: price };
}
