import { usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { tellApart } from './wording.ts';

/** The account holds what all orders could take at their limits with their fees, which is what the venue reserves. */
export function balanceGate({ plan, balance, practice }: GateContext): Blocker | null {
  const required = usdToNumber(plan.totalReserve);
  if (balance === null) return { gate: 'balance', message: 'the balance is not known', actual: null, required };
  if (balance >= plan.totalReserve) return null;
  const [has, needs] = tellApart(balance, plan.totalReserve);
  return {
    gate: 'balance',
    message: `the balance ${practice ? 'of practice ' : ''}is $${has}, needs $${needs}`,
    actual: usdToNumber(balance),
    required,
  };
}
