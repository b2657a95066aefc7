import { addUsd, USD_ZERO, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, SignOffContext } from './context.ts';
import { tellApart } from './wording.ts';

/** Placements of one person within this time count as one, so that a large batch cannot be split to avoid a sign-off. */
export const TOGETHER_MINUTES = 15;

/**
 * All orders together, over all attempts of the batch, take no more than one person may spend alone, with what they have asked
 * for in other batches lately.
 */
export function signOffGate({
  plan,
  spentBefore,
  signOffAbove = null,
  askedLately = USD_ZERO,
  seriesSpent = USD_ZERO,
}: SignOffContext): Blocker | null {
  const ofBatch = spentBefore.reduce((sum, { spent }) => addUsd(sum, spent), plan.totalReserve);
  const amount = addUsd(addUsd(ofBatch, askedLately), seriesSpent);
  if (signOffAbove === null || amount <= signOffAbove) return null;
  const [actual, allowed] = tellApart(amount, signOffAbove);
  const what = whatTakes(askedLately, seriesSpent);
  const message = `${what} $${actual}, and needs a second person above $${allowed}`;
  return { gate: 'sign-off', message, actual: usdToNumber(amount), required: usdToNumber(signOffAbove) };
}

function whatTakes(askedLately: Usd, seriesSpent: Usd): string {
  if (seriesSpent > 0) return 'the batch, with the clips before it, takes up to';
  if (askedLately === 0) return 'the batch takes up to';
  return `the batch, with what the same person asked for within ${TOGETHER_MINUTES} minutes, takes up to`;
}
