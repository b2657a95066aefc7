import { DEFAULT_SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { idAt, VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { bigint, customType } from 'drizzle-orm/pg-core';

/** Scaled quantities are stored as the whole number of millionths they are. */
export function micro(name: string) {
  return bigint(name, { mode: 'number' });
}

/** A moment with milliseconds, UTC. Drivers hand back a Date or the server's text, so both are read. */
export const instant = customType<{ data: Instant; driverData: string | Date }>({
  dataType: () => 'timestamp(3) with time zone',
  toDriver: instantToIso,
  fromDriver: (value) => (value instanceof Date ? instantFromMs(value.getTime()) : instantFromServer(value)),
});

/** Settings as they held at some moment. Those that came with a later version are read at their default. */
export const storedSettings = customType<{ data: Settings; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (settings) => JSON.stringify(settings),
  fromDriver: (stored) => ({ ...DEFAULT_SETTINGS, ...(typeof stored === 'string' ? JSON.parse(stored) : stored) }),
});

/** PostgreSQL writes `2026-01-02 03:04:05.678+00`, in JSON `2026-01-02T03:04:05.678+00:00`, and never a day that the calendar lacks. */
function instantFromServer(text: string): Instant {
  if (text.endsWith('+00:00')) return instantFromMs(Date.parse(text));
  if (!text.endsWith('+00')) return instantFromIso(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  if (text[0] !== '0' && text[4] === '-') return instantFromUtc(text);
  return instantFromMs(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`));
}

const [ZERO, FRACTION_AT] = ['0'.charCodeAt(0), '2026-01-02 03:04:05.'.length];

/** The form that nearly all have, digit by digit: lists read so many of them that a parser would be felt. */
function instantFromUtc(text: string): Instant {
  const two = (at: number) => (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
  let ms = 0;
  // Zeros at the end of the fraction are not written.
  for (let at = FRACTION_AT, unit = 100; at < text.length - '+00'.length; at += 1, unit /= 10)
    ms += (text.charCodeAt(at) - ZERO) * unit;
  return instantFromMs(Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms));
}

const PREFIXED = VENUE_NAMES.map((venue) => ({ venue, prefix: idAt(venue, '') })).filter(({ prefix }) => prefix !== '');
const [UNPREFIXED = 'polymarket'] = VENUE_NAMES.filter((venue) => idAt(venue, '') === '');

/** The name of the venue of an id: `venueOf` of `units/ids.ts` in SQL. */
export function venueIn(id: SQLWrapper): SQL {
  const cases = PREFIXED.map(
    ({ venue, prefix }) => sql`when ${id} like ${sql.raw(`'${prefix}%'`)} then ${sql.raw(`'${venue}'`)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else ${sql.raw(`'${UNPREFIXED}'`)} end`;
}

/** Whether one of the ids of an array is at the venue. */
export function isAnyAt(ids: SQLWrapper, venue: VenueName): SQL {
  return sql`exists (select 1 from unnest(${ids}) as listed(id) where ${venueIn(sql`listed.id`)} = ${venue})`;
}
