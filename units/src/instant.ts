import { UnitError } from './micro.ts';

declare const epoch: unique symbol;

/** A moment: whole milliseconds since 1970-01-01 UTC. */
export type Instant = number & { readonly [epoch]: 'milliseconds' };

/** @throws UnitError unless a whole number of milliseconds that a date can hold. */
export function instantFromMs(ms: number): Instant {
  if (!Number.isSafeInteger(ms) || Math.abs(ms) > 8.64e15) throw new UnitError(`instant: ${ms} is not in milliseconds`);
  return ms as Instant;
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * From ISO 8601, or the same with a space before the time as some venues write it. A text without a zone is UTC.
 * @throws UnitError when it is no such text or no day of the calendar.
 */
export function instantFromIso(text: string): Instant {
  const [, date = '', time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  const ms = Date.parse(`${date}T${time}${canonicalZone(zone)}`);
  if (Number.isNaN(ms) || !isDay(date)) throw new UnitError(`instant: "${text.slice(0, 40)}" is not an ISO 8601 time`);
  return ms as Instant;
}

const DAY_MS = 86_400_000;

/** The day that was written last: moments are written by the dozen, most of them of one day. */
let written = { midnight: Number.NaN, day: '' };

/** @throws RangeError when no date can hold it. */
export function instantToIso(instant: Instant): string {
  const midnight = startOfUtcDay(instant);
  if (midnight !== written.midnight) {
    const iso = new Date(midnight).toISOString();
    written = { midnight, day: iso.slice(0, iso.indexOf('T')) };
  }
  const ms = instant - midnight;
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ];
  return `${written.day}T${two(hours)}:${two(minutes)}:${two(seconds)}.${ms % 1000 < 100 ? '0' : ''}${two(ms % 1000)}Z`;
}

function two(count: number): string {
  return count < 10 ? `0${count}` : String(count);
}

/** The midnight, UTC, that the day of `instant` began with. */
export function startOfUtcDay(instant: Instant): Instant {
  return (Math.floor(instant / DAY_MS) * DAY_MS) as Instant;
}

/** Whole milliseconds from `earlier` to `later`; negative when the clock went backwards. */
export function elapsedMs(earlier: Instant, later: Instant): number {
  return later - earlier;
}

/** `+02` and `+0200` in the one form that every parser takes. */
function canonicalZone(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z';
  const digits = zone.replace(/\D/g, '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** Parsers let 31 February pass as a day of March; every month has the first 28. */
function isDay(date: string): boolean {
  if (Number(date.slice(8)) <= 28) return true;
  const midnight = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
}
