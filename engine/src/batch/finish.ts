/** Getting out of leg risk: buying what the sets that are held in part lack, against selling what no whole set needs. */
import type { Price } from '@dutchbook/units/price.ts';
import { minShares, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { namePosition } from '../opportunity/position.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import { filledSize } from '../order/life.ts';
import type { PlacementPlan } from '../order/plan.ts';
import { batchFigures } from './figures.ts';
import { planRemainder, type RemainderOrder } from './remainder.ts';

/**
 * `cost`: what the missing shares take at the current asks, fees included; `atMost`: what their orders take at their limit prices.
 * `pays`: what the completed sets pay when they settle. `loss`: `cost` and what the unhedged shares cost, less `pays`; below zero it is
 * a gain. `reason` is a phrase.
 */
export type Finish<Quote extends PositionQuote> =
  | { kind: 'plan'; plan: PlacementPlan; quotes: Quote[]; cost: Usd; atMost: Usd; pays: Usd; loss: Usd }
  | { kind: 'refused'; reason: string };

export type CheaperWay = 'finish' | 'unwind';

/** Plans to make whole sets of the unhedged shares of a batch, and to buy nothing beyond that. */
export function planFinish<Quote extends PositionQuote>(
  orders: readonly RemainderOrder<Quote>[],
  targetPrice: Price,
): Finish<Quote> {
  const { unhedged } = batchFigures(orders, targetPrice);
  if (unhedged === null) return { kind: 'refused', reason: 'Nothing is missing' };
  const remainder = planRemainder(onlyUnhedged(orders), targetPrice);
  if (remainder.kind === 'refused') return remainder;
  const { plan, quotes } = remainder;
  const unknown = quotes.find(({ market, book }) => book === undefined || market === undefined || !market.feeSchedule);
  if (unknown !== undefined) return refused(unknown, 'its price is not known');
  const shut = quotes.find(({ market }) => market?.acceptingOrders !== true || market.closed);
  if (shut !== undefined) return refused(shut, 'its market takes no orders');
  const [short] = plan.shortOf;
  if (short !== undefined) {
    const missing = sharesToText(short.missing);
    return { kind: 'refused', reason: `Leg ${short.leg}: ${missing} of the missing shares are not on offer` };
  }
  const cost = addUsd(plan.totalCost, plan.totalFees);
  const pays = addUsd(plan.expectedProfit, addUsd(cost, unhedged.worstLoss));
  return {
    kind: 'plan',
    plan,
    quotes,
    cost,
    atMost: plan.totalReserve,
    pays,
    loss: subtractUsd(USD_ZERO, plan.expectedProfit),
  };
}

/** The orders of a batch that is to hold no more sets than its fullest position has shares for. */
function onlyUnhedged<Quote extends PositionQuote>(orders: readonly RemainderOrder<Quote>[]): RemainderOrder<Quote>[] {
  const most = Math.max(...orders.map(({ fills }) => filledSize(fills))) as Shares;
  return orders.map((order) => ({ ...order, size: minShares(order.size, most) }));
}

/** The way that loses less; null where one is not known, or both lose as much. */
export function cheaperWay(finish: Finish<PositionQuote>, unwindCost: Usd | null): CheaperWay | null {
  if (finish.kind === 'refused' || unwindCost === null || finish.loss === unwindCost) return null;
  return finish.loss < unwindCost ? 'finish' : 'unwind';
}

/**
 * Why what is missing is not bought, whether by hand or automatically: a phrase, or null. A set that pays is finished although bids
 * would pay more for what is held: only a person unwinds, and until then the shares stay unhedged.
 */
export function finishRefusal(finish: Finish<PositionQuote>, unwindCost: Usd | null): string | null {
  if (finish.kind === 'refused') return null;
  if (finish.cost >= finish.pays)
    return `Finishing the set costs ${formatUsd(finish.cost)} and pays ${formatUsd(finish.pays)}`;
  if (finish.loss <= 0 || unwindCost === null || cheaperWay(finish, unwindCost) !== 'unwind') return null;
  return `Finishing the set ${lossWords(finish.loss)}, unwinding ${lossWords(unwindCost)}`;
}

function lossWords(loss: Usd): string {
  return loss > 0 ? `loses ${formatUsd(loss)}` : `makes ${formatUsd(-loss as Usd)}`;
}

function refused(quote: PositionQuote, why: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason: `${namePosition(quote, quote.market)}: ${why}` };
}
