import type { Opportunity, OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';

type Placeable = Pick<OpportunityRow, 'active' | 'profit_percentage'>;

/** Why Place Order is disabled, or `undefined` when the opportunity is active and pays. */
export function placingRefusal({ active, profit_percentage }: Placeable): string | undefined {
  if (!active) return 'Orders cannot be placed: the opportunity is not active.';
  if (profit_percentage === null) return 'Orders cannot be placed: the profit is not known yet.';
  if (profit_percentage <= 0)
    return `Orders cannot be placed: the profit is not positive (${formatPercent(profit_percentage)}).`;
  return undefined;
}

/** Why it is disabled while trading is disarmed; what is only simulated is placed all the same, and no gate refuses it. */
export function disarmedRefusal({ blockers }: Pick<Opportunity, 'blockers'>, isDisarmed: boolean): string | undefined {
  const isRefused = isDisarmed && blockers.some(({ gate }) => gate === 'armed');
  return isRefused ? 'Orders cannot be placed: trading is disarmed.' : undefined;
}
