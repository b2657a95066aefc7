import { type Instant, instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';

/** What an address says to look at a moment. */
export function searchAt(atMs: number | undefined): { at?: string } {
  return atMs === undefined ? {} : { at: instantToIso(instantFromMs(Math.round(atMs))) };
}

/** The moment that an address says to look at; undefined where that is no time. */
export function instantIn(at: string | undefined): Instant | undefined {
  if (at === undefined) return undefined;
  try {
    return instantFromIso(at);
  } catch {
    return undefined;
  }
}
