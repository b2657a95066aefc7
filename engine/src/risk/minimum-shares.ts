import { SHARES_ZERO, sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import type { Blocker, GateContext } from './context.ts';

/** The size is at least MIN_ORDER_SHARES, and never nothing; what completes sets may be less. */
export function minimumSharesGate({ plan, completes, settings }: GateContext): Blocker | null {
  const minOrderShares = completes ? SHARES_ZERO : settings.minOrderShares;
  if (plan.size >= minOrderShares && plan.size > 0) return null;
  return {
    gate: 'minimum-shares',
    message: `${sharesToText(plan.size)} shares per position, needs ${sharesToText(minOrderShares)}`,
    actual: sharesToNumber(plan.size),
    required: sharesToNumber(minOrderShares),
  };
}
