import { boundWords } from '@dutchbook/contract/notes/size-words.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { NewNotification } from '../../people/notifications/record.ts';
import type { Intent } from './record-batch.ts';

/** The notification of a batch that a user, or the trigger, has decided on. */
export function placedNotification(
  batchId: string,
  { opportunityId, name, plan, sizeBoundedBy, automatic, settings }: Intent,
): NewNotification {
  const simulated = settings.ORDER_SIMULATION_ENABLED;
  const how = `${automatic ? 'automatically' : 'by hand'}${simulated ? ', simulated' : ''}`;
  const bound = sizeBoundedBy === null ? '' : `, ${boundWords(sizeBoundedBy)}`;
  return {
    type: 'order_placed',
    opportunityId,
    message: `${name}: ${sharesToText(plan.size)} sets are being bought ${how}${bound}: ${plan.orders.length} orders for ${formatUsd(plan.totalCost)} and ${formatUsd(plan.totalFees)} fees, to make ${formatUsd(plan.expectedProfit)}`,
    data: {
      batch_id: batchId,
      name,
      orders: plan.orders.length,
      order_size: sharesToNumber(plan.size),
      size_bounded_by: sizeBoundedBy,
      total_cost_usd: usdToNumber(plan.totalCost),
      total_fees_usd: usdToNumber(plan.totalFees),
      target_profit_usd: usdToNumber(plan.expectedProfit),
      automatic,
      simulated,
    },
  };
}
