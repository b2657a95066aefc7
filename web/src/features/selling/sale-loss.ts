import type { Order } from '@dutchbook/contract/orders.ts';
import type { HeldSaleExecution, PlannedSale, SellSimulation } from '@dutchbook/contract/selling.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { formatPercent, PERCENT_ZERO, type Percent, percentOf } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, formatUsd, notional, subtractUsd, USD_ZERO, type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { useQuestion } from '../../ui/dialog.tsx';
import { useSystemStatus } from '../status/system-status.ts';

/** What a sale brings after its fees, at least where it is `least`, and what its shares have cost. */
export type Outcome = { brings: Usd; cost: Usd; least?: boolean };

type OrderSale = Pick<PlannedSale, 'sell_size' | 'proceeds' | 'fee' | 'original_value' | 'buy_fee'>;
type Simulation = Pick<SellSimulation, 'estimated_proceeds' | 'estimated_fees' | 'estimated_profit'>;

/** The cost with its fees, as the profit has it. */
export function outcomeOf(simulation: Simulation): Outcome {
  const brings = subtractUsd(simulation.estimated_proceeds, simulation.estimated_fees);
  return { brings, cost: subtractUsd(brings, simulation.estimated_profit) };
}

/**
 * With the fees that were paid for the shares, as in all sales. `planned` is what the bids take of all of them; fewer, if `size` is, are
 * reckoned at its average, and bring more where bids differ: the best go first.
 */
export function outcomeOfOrder(planned: OrderSale, size: Shares | undefined): Outcome {
  const { sell_size, original_value, buy_fee } = planned;
  const cost = addUsd(original_value, buy_fee);
  const brings = subtractUsd(planned.proceeds, planned.fee);
  if (size === undefined || size >= sell_size) return { brings, cost };
  const part = (of: Usd, rounding: 'up' | 'down') => usdFromMicro(mulDiv(of, size, sell_size, rounding));
  return { brings: part(brings, 'down'), cost: part(cost, 'up'), least: true };
}

/** Outcome of a waiting sale: at its own price, against the shares' cost with fees. */
export function outcomeOfWaiting(bought: Bought, size: Shares, price: Price): Outcome | undefined {
  if (bought.average_price === null || bought.filled_size === 0) return undefined;
  const fee = usdFromMicro(mulDiv(bought.fee, size, bought.filled_size, 'up'));
  return { brings: notional(size, price, 'down'), cost: addUsd(notional(size, bought.average_price, 'up'), fee) };
}

type Sold = Pick<HeldSaleExecution['orders'][number], 'order_id' | 'sold_size' | 'proceeds' | 'fee'>;

/** What was sold brought after its fees, less what these shares cost with theirs, as the plan has it; undefined where that is not known, or nothing was sold. */
export function soldGain(
  sold: readonly Sold[],
  planned: readonly (OrderSale & Pick<PlannedSale, 'order_id'>)[],
): Usd | undefined {
  const plans = new Map(planned.map((plan) => [plan.order_id, plan]));
  let gain = USD_ZERO;
  let isSold = false;
  for (const { order_id, sold_size, proceeds, fee } of sold) {
    if (sold_size === 0) continue;
    const plan = plans.get(order_id);
    if (plan === undefined || plan.sell_size === 0) return undefined;
    isSold = true;
    const cost = usdFromMicro(mulDiv(addUsd(plan.original_value, plan.buy_fee), sold_size, plan.sell_size, 'up'));
    gain = subtractUsd(addUsd(gain, subtractUsd(proceeds, fee)), cost);
  }
  return isSold ? gain : undefined;
}

type Bought = Pick<Order, 'average_price' | 'filled_size' | 'fee'>;

/** What is said of a sale that loses more than is taken without a question; `undefined` of any other. */
export function useSaleLoss(outcome: Outcome | undefined): string | undefined {
  const tolerated = useSystemStatus()?.sale_loss_warning ?? PERCENT_ZERO;
  return outcome && largeLoss(outcome, tolerated);
}

export function largeLoss({ brings, cost, least = false }: Outcome, tolerated: Percent): string | undefined {
  const loss = subtractUsd(cost, brings);
  if (loss <= USD_ZERO || cost <= USD_ZERO) return undefined;
  const share = percentOf(loss, cost, 'up');
  if (share <= tolerated) return undefined;
  return `This sale loses ${least ? 'at most ' : ''}${formatUsd(loss)}, ${formatPercent(share)} of what its shares cost.`;
}

type Sale = {
  /** A large loss that it makes now, in words. */
  loss: string | undefined;
  /** Why it cannot be carried out now. */
  refusal: string | undefined;
  onSell: () => void;
};

/** Asks once more before a sale at a large loss, with its current figures as long as the question stands. `question` belongs where the form ends. */
export function useLossQuestion({ loss, refusal, onSell }: Sale) {
  const text = loss ?? 'The bids have risen: this sale makes no such loss any more.';
  const { ask, question } = useQuestion({ text, refused: refusal, onConfirm: onSell });
  const sell = () => {
    if (loss === undefined) onSell();
    else ask({ title: 'Sell at This Loss?', text, confirm: 'Sell at This Loss' }, onSell);
  };
  return { sell, question };
}
