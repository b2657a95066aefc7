import type { Batch } from '@dutchbook/contract/batches.ts';

export type SizeBound = NonNullable<Batch['size_bounded_by']>;

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
};
