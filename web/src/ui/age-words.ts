import type { Instant } from '@dutchbook/units/instant.ts';

const relative = new Intl.RelativeTimeFormat('en-US', { style: 'narrow' });

const MINUTE_MS = 60_000;
const STEPS = [
  { unit: 'minute', ms: MINUTE_MS },
  { unit: 'hour', ms: 60 * MINUTE_MS },
  { unit: 'day', ms: 24 * 60 * MINUTE_MS },
] as const;

/** How long ago a moment is, in the largest unit it fills: "just now", "4m ago", "2d ago". */
export function ageWords(at: Instant, nowMs: number): string {
  const ageMs = nowMs - at;
  const step = STEPS.findLast(({ ms }) => Math.abs(ageMs) >= ms);
  return step === undefined ? 'just now' : relative.format(-Math.trunc(ageMs / step.ms), step.unit);
}
