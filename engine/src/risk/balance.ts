import { usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { refusedByVenue } from './limits/touched.ts';
import { tellApart } from './wording.ts';

/** Each account holds what all orders there could take at their limits with their fees, which is what the venue reserves. */
export function balanceGate(context: GateContext): Blocker | null {
  return refusedByVenue(context, ({ account: { balance }, reserve }) => {
    const required = usdToNumber(reserve);
    if (balance === null) return { gate: 'balance', message: 'the balance is not known', actual: null, required };
    if (balance >= reserve) return null;
    const [has, needs] = tellApart(balance, reserve);
    return {
      gate: 'balance',
      message: `the balance ${context.practice ? 'of practice ' : ''}is $${has}, needs $${needs}`,
      actual: usdToNumber(balance),
      required,
    };
  });
}
