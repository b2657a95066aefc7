import { sellAllRefusal, sellOrderRefusal } from '@dutchbook/engine/batch/actions.ts';
import { waitingTimeRefusal } from '@dutchbook/engine/order/age.ts';
import { NOTHING_TO_SELL, planSale, type SellPlan, type SellRequest } from '@dutchbook/engine/sell/plan.ts';
import type { SellableOrder } from '@dutchbook/engine/sell/sale.ts';
import { planUnwind } from '@dutchbook/engine/sell/unwind.ts';
import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { sellableOrder, unhedgedOf } from '../../orders/holdings.ts';
import { freeByToken, type SaleInputs, type VenueInputs } from './sale-inputs.ts';

/** The order rests in the book at its price, until then or until a user cancels it. */
export type Waiting = { until: Instant | null };

/**
 * `all` and `unwind` sell down the bids where no price is given; `size` null is all shares of the order. `shownShares`: what the
 * requester saw to be sold of each order of the plan, or of all together where it is one number; fewer are not sold. `orderIds`: these orders of the batch and no others. `tokens` sells
 * what several batches hold of some tokens.
 */
export type SaleRequest =
  | { kind: 'all'; prices: ReadonlyMap<string, Price>; orderIds?: ReadonlySet<string>; shownShares?: readonly Shares[] }
  | { kind: 'order'; orderId: string; size: Shares | null; price: Price | null; waits: Waiting | null }
  | { kind: 'unwind'; prices: ReadonlyMap<string, Price>; shownShares?: readonly Shares[] }
  | { kind: 'tokens'; prices: ReadonlyMap<string, Price>; shownShares?: readonly Shares[] };

/** `unwindCost` is null but for a asked to unwind of which it is known. */
export type PlannedSale = { plan: SellPlan; unwindCost: Usd | null };

/** Why the state of the batch, or of the order, refuses the asked: a sentence, or null. */
export function saleRefusal(inputs: SaleInputs, asked: SaleRequest, now: Instant): string | null {
  // Batches that still buy are left out, and shares that are being sold are not free.
  if (asked.kind === 'tokens') return null;
  const batch = onlyBatch(inputs);
  const { held } = inputs;
  const { status, saleUnderWay } = batch;
  if (asked.kind === 'order') {
    const waiting = asked.waits === null ? null : waitingRefusal(batch, { ...asked.waits, price: asked.price }, now);
    if (waiting !== null) return waiting;
    const own = held.find(({ order }) => order.id === asked.orderId);
    if (own === undefined) return 'A sell order holds no shares that could be sold.';
    const inputs = { orderStatus: own.order.status, holdsShares: own.holding.held > 0, saleUnderWay: own.inSale > 0 };
    return asSentence(sellOrderRefusal({ status, ...inputs }));
  }
  const chosen = asked.kind === 'all' ? asked.orderIds : undefined;
  const own = held.filter(({ order }) => chosen?.has(order.id) ?? true);
  const holdsShares = own.some(({ holding }) => holding.held > 0);
  const isBeingSold = chosen === undefined ? saleUnderWay : own.some(({ inSale }) => inSale > 0);
  const refusal = sellAllRefusal({ status, holdsShares, saleUnderWay: isBeingSold });
  if (refusal !== null || asked.kind === 'all' || batch.unhedged !== null) return asSentence(refusal);
  return `The batch is ${status} and cannot be unwound: all that it holds is in whole sets.`;
}

function onlyBatch({ batches: [batch] }: SaleInputs): SaleInputs['batches'][number] {
  if (batch === undefined) throw new Error('a sale of one batch was read without it');
  return batch;
}

function waitingRefusal(
  { simulated }: SaleInputs['batches'][number],
  { until, price }: Waiting & { price: Price | null },
  now: Instant,
): string | null {
  if (price === null) return 'A sale that waits needs a price.';
  return simulated
    ? 'A practice batch sells at the bids: nothing of it rests at the venue.'
    : waitingTimeRefusal(until, now);
}

/** The one place where a sale is planned, to be shown and to be sent. Its remarks are sentences. */
export function planSaleRequest(
  inputs: SaleInputs,
  venue: VenueInputs,
  asked: SaleRequest,
  maxDeviation: Fraction,
): PlannedSale {
  const request = { ...requestOf(inputs, venue), customPrices: new Map<string, Price>(), maxDeviation };
  switch (asked.kind) {
    case 'all': {
      const orders = request.orders.filter(({ orderId }) => asked.orderIds?.has(orderId) ?? true);
      return { plan: inSentences(planSale({ ...request, orders, customPrices: asked.prices })), unwindCost: null };
    }
    case 'order':
      return { plan: inSentences(planSale(onlyOrder(request, asked))), unwindCost: null };
    case 'tokens': {
      const plan = planSale({ ...request, customPrices: asked.prices });
      return {
        plan: inSentences({ ...plan, warnings: [...partedSets(inputs, plan), ...plan.warnings] }),
        unwindCost: null,
      };
    }
    case 'unwind': {
      const stored = onlyBatch(inputs).unhedged;
      const unhedged = stored === null ? { positions: [], worstLoss: USD_ZERO } : unhedgedOf(stored, inputs.held);
      const { plan, unwindCost } = planUnwind({ ...request, customPrices: asked.prices }, unhedged);
      return { plan: inSentences(plan), unwindCost };
    }
  }
}

/** Sold without the rest of their sets, what is left of these is no longer whole. */
function partedSets({ parted }: SaleInputs, { orders }: SellPlan): string[] {
  if (parted === 0 || orders.length === 0) return [];
  const them = parted === 1 ? '1 batch keeps shares' : `${parted} batches keep shares`;
  return [`${them} of other positions, which are unhedged once these are sold`];
}

function requestOf(
  inputs: SaleInputs,
  venue: VenueInputs,
): Pick<SellRequest, 'orders' | 'freeByToken' | 'allowancesByToken' | 'ownOrders'> {
  const orders = inputs.held.map((each, index): SellableOrder => sellableOrder(each, venue.quotes[index]));
  const { ownOrders } = inputs;
  return { orders, freeByToken: freeByToken(venue, inputs), allowancesByToken: venue.allowances, ownOrders };
}

function onlyOrder(request: SellRequest, asked: Extract<SaleRequest, { kind: 'order' }>): SellRequest {
  const orders = request.orders
    .filter(({ orderId }) => orderId === asked.orderId)
    .map((order) => ({ ...order, wanted: asked.size }));
  const prices = asked.price === null ? [] : orders.map(({ tokenId }) => [tokenId, asked.price as Price] as const);
  return { ...request, orders, customPrices: new Map(prices), waits: asked.waits !== null };
}

/** Why none of its orders may leave: with fewer shares than were shown a whole set would be left half sold. */
export function refusalsOf(plan: SellPlan, asked: SaleRequest): string[] {
  const { errors, warnings } = plan;
  // The warnings of a plan that sells nothing say why.
  if (errors.includes(`${NOTHING_TO_SELL}.`)) return [...errors, ...warnings];
  if (errors.length > 0 || asked.kind === 'order' || asked.shownShares === undefined) return errors;
  const why = changedSince(
    plan.orders.map(({ sellSize }) => sellSize),
    asked.shownShares,
  );
  return why === null ? [] : [`${why} Nothing was sold.`, ...warnings];
}

/** Null where each order takes what was shown of it; of what was shown as one number, all of them together. */
function changedSince(sizes: readonly Shares[], shown: readonly Shares[]): string | null {
  const sum = (each: readonly Shares[]) => each.reduce(addShares, SHARES_ZERO);
  const taken = sum(sizes);
  if (taken < sum(shown))
    return `The bids have changed: at these prices they take ${sharesToText(taken)} of the ${sharesToText(sum(shown))} shares that were shown.`;
  if (shown.length === 1) return null;
  if (sizes.length !== shown.length) return 'Shares of other orders are held than were shown.';
  const isLess = sizes.some((size, place) => size < (shown[place] ?? SHARES_ZERO));
  return isLess ? 'The bids have changed: at these prices they take fewer of some legs than were shown.' : null;
}

function inSentences(plan: SellPlan): SellPlan {
  return { ...plan, warnings: plan.warnings.map((text) => `${text}.`), errors: plan.errors.map((text) => `${text}.`) };
}

function asSentence(refusal: string | null): string | null {
  return refusal === null ? null : `${refusal}.`;
}
