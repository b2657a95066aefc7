import type { Blocker, GateContext } from './context.ts';

/** The product places what discovery has found only once a superuser has switched that on. */
export function foundSwitchGate({ isHeldBack }: GateContext): Blocker | null {
  if (!isHeldBack) return null;
  const message = 'found opportunities are not placed automatically, which a superuser can switch on';
  return { gate: 'found-switch', message, actual: null, required: null };
}
