import { addUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/** All orders together, over all attempts of the batch, take no more than one person may spend alone. */
export function signOffGate({ plan, spentBefore, signOffAbove = null }: GateContext): Blocker | null {
  const amount = spentBefore.reduce((sum, { spent }) => addUsd(sum, spent), plan.totalReserve);
  if (signOffAbove === null || amount <= signOffAbove) return null;
  const [actual, allowed] = tellApart(amount, signOffAbove);
  const message = `the batch takes up to $${actual}, and needs a second person above $${allowed}`;
  return { gate: 'sign-off', message, actual: usdToNumber(amount), required: usdToNumber(signOffAbove) };
}
