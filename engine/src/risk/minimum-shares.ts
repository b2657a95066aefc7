import { sharesToNumber, sharesToText } from '@dutchbook/units/shares.ts';
import type { Blocker, GateContext } from './context.ts';

/** The size is at least MIN_ORDER_SHARES, and never nothing. */
export function minimumSharesGate({ plan, settings }: GateContext): Blocker | null {
  const { minOrderShares } = settings;
  if (plan.size >= minOrderShares && plan.size > 0) return null;
  return {
    gate: 'minimum-shares',
    message: `${sharesToText(plan.size)} shares per position, needs ${sharesToText(minOrderShares)}`,
    actual: sharesToNumber(plan.size),
    required: sharesToNumber(minOrderShares),
  };
}
