/** How pages, notifications and the log of what happened say which size was chosen, and what bounded it. */
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { SIZE_BOUND_MEANINGS } from './meanings.ts';
import { settingWords } from './setting-labels.ts';

export type SizeBound = keyof typeof SIZE_BOUND_MEANINGS;

/** What bounds a size, after the words "bounded by". */
export const SIZE_BOUND_WORDS: Readonly<Record<SizeBound, string>> = {
  margin: 'what the next set would make',
  depth: 'the depth of a book',
  minimum: 'the smallest order that a market takes',
  clip: 'the dollars of a clip',
  'loss allowance': 'the loss allowance of a clip',
  'price band': 'the price thresholds',
  cash: 'the free cash',
  approval: 'the approved allowance',
  'order limit': 'the limit per order',
  'batch limit': 'the limit per batch',
  'day limit': 'the limit of the day',
  exposure: 'the limit on open exposure',
  'sign-off': 'the size above which a second person signs off',
  clips: 'the most clips in a row',
};

/** `bound`: null where a person decided on the size. */
export function boundWords(bound: SizeBound | null): string {
  return bound === null ? 'sized by hand' : `bounded by ${SIZE_BOUND_WORDS[bound]}`;
}

/** "12 sh, bounded by the depth of a book". */
export function sizeWords(size: Shares, bound: SizeBound | null): string {
  return `${formatShares(size)} sh, ${boundWords(bound)}`;
}

/** Warns of a limit that is lower than a clip. It is stored nevertheless: a limit can always be lowered. */
export function belowClipWords(clip: Usd): string {
  return `Below ${settingWords('CLIP_USD')}, which is ${formatUsd(clip)}: no clip as large as that is placed.`;
}
