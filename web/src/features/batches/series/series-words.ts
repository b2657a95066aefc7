import type { Batch } from '@dutchbook/contract/batches.ts';
import { settingWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { addUsd, formatUsd, USD_ZERO } from '@dutchbook/units/usd.ts';

export const LAST_ALLOWED = `the last that ${settingWords('CLIPS_MAX')} allowed`;

/** Whether it is the last clip that CLIPS_MAX allows its series. */
export function isLastAllowed({
  clip_number: number,
  clips_max: most,
}: Pick<Batch, 'clip_number' | 'clips_max'>): boolean {
  return number !== null && most !== null && number >= most;
}

/** What all clips of a series made, of what was predicted. */
export function seriesWords(clips: readonly Batch[]): string {
  const many = clips.length === 1 ? '1 clip' : `${clips.length} clips`;
  const count = clips.some(isLastAllowed) ? `${many}, as many as ${settingWords('CLIPS_MAX')} allowed` : many;
  const profit = clips.map(({ actual_profit_usd: usd }) => usd ?? USD_ZERO).reduce(addUsd, USD_ZERO);
  const target = clips.map(({ target_profit_usd: usd }) => usd).reduce(addUsd, USD_ZERO);
  return `${count}, profit ${formatUsd(profit)} of ${formatUsd(target)} predicted`;
}
