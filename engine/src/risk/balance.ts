import { formatUsd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';

/** The account holds what all orders could take at their limits with their fees, which is what the venue reserves. */
export function balanceGate({ plan, balance }: GateContext): Blocker | null {
  const required = usdToNumber(plan.totalReserve);
  if (balance === null) return { gate: 'balance', message: 'the balance is not known', actual: null, required };
  if (balance >= plan.totalReserve) return null;
  return {
    gate: 'balance',
    message: `the balance is ${formatUsd(balance)}, needs ${formatUsd(plan.totalReserve)}`,
    actual: usdToNumber(balance),
    required,
  };
}
