import type { Instant } from '@dutchbook/units/instant.ts';

const MINUTE_MS = 60_000;
const STEPS = [
  { unit: 'm', ms: MINUTE_MS },
  { unit: 'h', ms: 60 * MINUTE_MS },
  { unit: 'd', ms: 24 * 60 * MINUTE_MS },
] as const;

/** How long ago a moment is, in the largest unit it fills: "just now", "4m ago", "2d ago". */
export function ageWords(at: Instant, nowMs: number): string {
  const ageMs = nowMs - at;
  const step = STEPS.findLast(({ ms }) => Math.abs(ageMs) >= ms);
  if (step === undefined) return 'just now';
  const age = `${Math.trunc(Math.abs(ageMs) / step.ms)}${step.unit}`;
  return ageMs > 0 ? `${age} ago` : `in ${age}`;
}
