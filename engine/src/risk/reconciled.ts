import type { Blocker, GateContext } from './context.ts';

/** Nothing new is placed before the venue has been asked about every order of an earlier run. */
export function reconciledGate({ reconciled }: GateContext): Blocker | null {
  if (reconciled) return null;
  const message = 'orders from before the start are still being reconciled with the venue';
  return { gate: 'reconciled', message, actual: null, required: null };
}
