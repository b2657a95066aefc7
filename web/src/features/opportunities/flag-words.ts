import type { OpportunityFlag } from '@dutchbook/contract/opportunities.ts';

/** What makes an opportunity doubtful: a badge's few words, and what they mean. */
export const FLAG_WORDS: Record<OpportunityFlag, { label: string; meaning: string }> = {
  augmented_event: {
    label: 'Augmented event',
    meaning:
      'The event has an outcome that is not listed. A set over the listed ones may pay less than its target price, so it is never placed automatically.',
  },
  too_good_to_be_true: {
    label: 'Too good to be true',
    meaning:
      'It promises more than 20% after fees. Look for what is wrong with the set or its books; it is never placed automatically.',
  },
  resolution_proposed: {
    label: 'Resolution proposed',
    meaning:
      'An answer is proposed for one of its markets and counts unless it is disputed in time. The price is what traders make of it; it is never placed automatically.',
  },
  resolution_disputed: {
    label: 'Resolution disputed',
    meaning:
      'The answer of one of its markets is disputed and being voted on, which takes days and may change it. It is never placed automatically.',
  },
};
