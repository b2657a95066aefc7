import { sellAllRefusal, sellOrderRefusal } from '@dutchbook/engine/batch/actions.ts';
import { NOTHING_TO_SELL, planSale, type SellPlan, type SellRequest } from '@dutchbook/engine/sell/plan.ts';
import type { SellableOrder } from '@dutchbook/engine/sell/sale.ts';
import { planUnwind } from '@dutchbook/engine/sell/unwind.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { freeByToken, type SaleFacts, type VenueFacts } from './sale-facts.ts';
import { sellableOrder, unhedgedOf } from './sellable.ts';

/** `all` and `unwind` sell down the bids where no price is given; `size` null is all shares of the order. */
export type SaleWish =
  | { kind: 'all'; prices: ReadonlyMap<string, Price> }
  | { kind: 'order'; orderId: string; size: Shares | null; price: Price | null }
  | { kind: 'unwind'; prices: ReadonlyMap<string, Price> };

/** `unwindCost` is null but for a wish to unwind of which it is known. */
export type PlannedWish = { plan: SellPlan; unwindCost: Usd | null };

/** Why the state of the batch, or of the order, refuses the wish: a sentence, or null. */
export function wishRefusal({ batch, held }: SaleFacts, wish: SaleWish): string | null {
  const { status, saleUnderWay } = batch;
  if (wish.kind === 'order') {
    const own = held.find(({ order }) => order.id === wish.orderId);
    if (own === undefined) return 'A sell order holds no shares that could be sold.';
    const facts = { orderStatus: own.order.status, holdsShares: own.holding.held > 0, saleUnderWay: own.inSale > 0 };
    return asSentence(sellOrderRefusal({ status, ...facts }));
  }
  const holdsShares = held.some(({ holding }) => holding.held > 0);
  const refusal = sellAllRefusal({ status, holdsShares, saleUnderWay });
  if (refusal !== null || wish.kind === 'all' || batch.unhedged !== null) return asSentence(refusal);
  return `The batch is ${status} and cannot be unwound: all that it holds is in whole sets.`;
}

/** The one place where a sale is planned, to be shown and to be sent. Its remarks are sentences. */
export function planWish(facts: SaleFacts, venue: VenueFacts, wish: SaleWish, maxDeviation: Fraction): PlannedWish {
  const request = { ...requestOf(facts, venue), customPrices: new Map<string, Price>(), maxDeviation };
  switch (wish.kind) {
    case 'all':
      return { plan: inSentences(planSale({ ...request, customPrices: wish.prices })), unwindCost: null };
    case 'order':
      return { plan: inSentences(planSale(onlyOrder(request, wish))), unwindCost: null };
    case 'unwind': {
      const unhedged =
        facts.batch.unhedged === null
          ? { positions: [], worstLoss: USD_ZERO }
          : unhedgedOf(facts.batch.unhedged, facts.held);
      const { plan, unwindCost } = planUnwind({ ...request, customPrices: wish.prices }, unhedged);
      return { plan: inSentences(plan), unwindCost };
    }
  }
}

function requestOf(facts: SaleFacts, venue: VenueFacts): Pick<SellRequest, 'orders' | 'freeByToken'> {
  const orders = facts.held.map((each, index): SellableOrder => sellableOrder(each, venue.quotes[index]));
  return { orders, freeByToken: freeByToken(venue, facts) };
}

function onlyOrder(request: SellRequest, wish: Extract<SaleWish, { kind: 'order' }>): SellRequest {
  const orders = request.orders
    .filter(({ orderId }) => orderId === wish.orderId)
    .map((order) => ({ ...order, wanted: wish.size }));
  const prices = wish.price === null ? [] : orders.map(({ tokenId }) => [tokenId, wish.price as Price] as const);
  return { ...request, orders, customPrices: new Map(prices) };
}

/** What a plan that sells nothing says of it is in its warnings: they are why. */
export function refusalsOf({ errors, warnings }: SellPlan): string[] {
  return errors.includes(`${NOTHING_TO_SELL}.`) ? [...errors, ...warnings] : errors;
}

function inSentences(plan: SellPlan): SellPlan {
  return { ...plan, warnings: plan.warnings.map((text) => `${text}.`), errors: plan.errors.map((text) => `${text}.`) };
}

function asSentence(refusal: string | null): string | null {
  return refusal === null ? null : `${refusal}.`;
}
