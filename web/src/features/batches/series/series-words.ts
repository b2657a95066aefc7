import type { Batch } from '@dutchbook/contract/batches.ts';
import { addUsd, formatUsd, USD_ZERO } from '@dutchbook/units/usd.ts';

/** What all clips of a series made, of what was predicted. */
export function seriesWords(clips: readonly Batch[]): string {
  const count = clips.length === 1 ? '1 clip' : `${clips.length} clips`;
  const profit = clips.map(({ actual_profit_usd: usd }) => usd ?? USD_ZERO).reduce(addUsd, USD_ZERO);
  const target = clips.map(({ target_profit_usd: usd }) => usd).reduce(addUsd, USD_ZERO);
  return `${count}, profit ${formatUsd(profit)} of ${formatUsd(target)} predicted`;
}
