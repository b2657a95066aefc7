import type { Batch } from '@dutchbook/contract/batches.ts';
import { instantToIso } from '@dutchbook/units/instant.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { statusWords } from '../../ui/status-badge.tsx';

/** What Copy Batch Info puts on the clipboard: one detail per line. */
export function batchInfoText(batch: Batch): string {
  const actual = batch.actual_profit_usd === null ? 'unknown' : formatUsd(batch.actual_profit_usd);
  return [
    `Batch ID: ${batch.id}`,
    `Opportunity ID: ${batch.opportunity_id}`,
    `Status: ${statusWords(batch.status)}`,
    `Orders: ${batch.total_orders}/${batch.expected_orders}`,
    `Target Profit: ${formatUsd(batch.target_profit_usd)}`,
    `Actual Profit: ${actual}`,
    `Retries: ${batch.retry_count}/${batch.max_retries}`,
    `Created: ${instantToIso(batch.created_at)}`,
  ].join('\n');
}
