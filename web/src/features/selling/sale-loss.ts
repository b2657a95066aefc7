import type { PlannedSale, SellSimulation } from '@dutchbook/contract/selling.ts';
import { formatPercent, PERCENT_ZERO, type Percent, percentOf } from '@dutchbook/units/percent.ts';
import { formatUsd, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { useSystemStatus } from '../status/system-status.ts';

/** What a sale brings after its fees, and what its shares have cost. */
export type Outcome = { brings: Usd; cost: Usd };

type OrderSale = Pick<PlannedSale, 'proceeds' | 'fee' | 'original_value'>;
type Simulation = Pick<SellSimulation, 'estimated_proceeds' | 'estimated_fees' | 'estimated_profit'>;

/** The cost with its fees, as the profit has it. */
export function outcomeOf(simulation: Simulation): Outcome {
  const brings = subtractUsd(simulation.estimated_proceeds, simulation.estimated_fees);
  return { brings, cost: subtractUsd(brings, simulation.estimated_profit) };
}

/** All shares of an order, before the fees that were paid for them. */
export function outcomeOfOrder({ proceeds, fee, original_value }: OrderSale): Outcome {
  return { brings: subtractUsd(proceeds, fee), cost: original_value };
}

/** What is said of a sale that loses more than is taken without a question; `undefined` of any other. */
export function useSaleLoss(outcome: Outcome | undefined): string | undefined {
  const tolerated = useSystemStatus()?.sale_loss_warning ?? PERCENT_ZERO;
  return outcome && largeLoss(outcome, tolerated);
}

export function largeLoss({ brings, cost }: Outcome, tolerated: Percent): string | undefined {
  const loss = subtractUsd(cost, brings);
  if (loss <= USD_ZERO || cost <= USD_ZERO) return undefined;
  const share = percentOf(loss, cost, 'up');
  if (share <= tolerated) return undefined;
  return `This sale loses ${formatUsd(loss)}, ${formatPercent(share)} of what its shares cost.`;
}

/** Whether it is to go on: whoever sells at a large loss is asked once more. */
export function confirmLoss(loss: string | undefined): boolean {
  return loss === undefined || window.confirm(`${loss} Sell at this loss?`);
}
