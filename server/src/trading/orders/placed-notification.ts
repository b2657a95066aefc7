import { boundWords } from '@dutchbook/contract/notes/size-words.ts';
import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import { wholeCents } from '@dutchbook/units/whole-cents.ts';
import type { NewNotification } from '../../people/notifications/record.ts';
import type { Intent } from './record-batch.ts';
import { seriesBound } from './table.ts';

/** The notification of a batch that a user, or the trigger, has decided on. */
export function placedNotification(
  batchId: string,
  { opportunityId, name, plan, sizeBoundedBy, series, automatic, settings }: Intent,
): NewNotification {
  // In whole cents, too, cost, fees and profit add up to what the set pays.
  const [cost = plan.totalCost, fees = plan.totalFees, profit = plan.expectedProfit] = wholeCents([
    plan.totalCost,
    plan.totalFees,
    plan.expectedProfit,
  ]);
  const simulated = settings.ORDER_SIMULATION_ENABLED;
  const how = `${automatic ? 'automatically' : 'by hand'}${simulated ? ', simulated' : ''}`;
  return {
    type: 'order_placed',
    opportunityId,
    message: `${name}: ${sharesToText(plan.size)} sets are being bought ${how}${sizedWords({ sizeBoundedBy, series: series ?? null, settings })}: ${plan.orders.length} orders for ${formatUsd(cost)} and ${formatUsd(fees)} fees, to make ${formatUsd(profit)}`,
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

/** Of a clip, which of how many it is: the next one buys what is left. Of the last, and of a batch by itself, what bounded it. */
function sizedWords({
  sizeBoundedBy,
  series,
  settings,
}: Pick<Intent, 'sizeBoundedBy' | 'series' | 'settings'>): string {
  const { CLIPS_MAX } = settings;
  if (series && series.clip < CLIPS_MAX) return `, clip ${series.clip} of at most ${CLIPS_MAX}`;
  const bound = seriesBound({ clipNumber: series?.clip ?? null, settings, sizeBoundedBy });
  return bound === null ? '' : `, ${boundWords(bound)}`;
}
