import { type Instant, instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';

/** What an address says of the moment that is looked at; nothing where that is no time. */
export function momentIn(at: unknown): { at?: string } {
  return typeof at === 'string' && instantIn(at) !== undefined ? { at } : {};
}

/** What an address says to look at a moment. */
export function searchAt(atMs: number | undefined): { at?: string } {
  return atMs === undefined ? {} : { at: instantToIso(instantFromMs(Math.round(atMs))) };
}

export function instantIn(at: string | undefined): Instant | undefined {
  if (at === undefined) return undefined;
  try {
    return instantFromIso(at);
  } catch {
    return undefined;
  }
}
