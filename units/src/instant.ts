import { UnitError } from './micro.ts';

declare const epoch: unique symbol;

/** A moment: whole milliseconds since 1970-01-01 UTC. */
export type Instant = number & { readonly [epoch]: 'milliseconds' };

/** @throws UnitError unless a whole number of milliseconds that a date can hold. */
export function instantFromMs(ms: number): Instant {
  if (!Number.isSafeInteger(ms) || Math.abs(ms) > 8.64e15) throw new UnitError(`instant: ${ms} is not in milliseconds`);
  return ms as Instant;
}

/** From ISO 8601; a text without a zone is UTC. @throws UnitError when it is no date. */
export function instantFromIso(text: string): Instant {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const ms = Date.parse(zoned);
  if (Number.isNaN(ms)) throw new UnitError(`instant: "${text.slice(0, 40)}" is not an ISO 8601 time`);
  return ms as Instant;
}

export function instantToIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** Whole milliseconds from `earlier` to `later`; negative when the clock went backwards. */
export function elapsedMs(earlier: Instant, later: Instant): number {
  return later - earlier;
}
