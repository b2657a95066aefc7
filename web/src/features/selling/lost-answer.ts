import type { LostAnswer } from '../../calls/use-trade.ts';

/** What is said while it is not known what came of a sale. */
export const LOST: Readonly<Record<LostAnswer, string>> = {
  same: 'The answer was lost, so it is not known what was sold. Ask again: the server knows that it is the same sale, and sells nothing twice.',
  other:
    'The answer was lost, so it is not known what the first sale sold: look at the batch. This would be another sale.',
};
