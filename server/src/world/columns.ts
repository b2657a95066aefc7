import type { Instant } from '@dutchbook/units/instant.ts';
import { instantFromIso, instantToIso } from '@dutchbook/units/instant.ts';
import { bigint, customType } from 'drizzle-orm/pg-core';

/** Scaled quantities are stored as the whole number of millionths they are. */
export function micro(name: string) {
  return bigint(name, { mode: 'number' });
}

/** A moment with milliseconds, UTC. Drivers hand back a Date or the server's text, so both are read. */
export const instant = customType<{ data: Instant; driverData: string | Date }>({
  dataType: () => 'timestamp(3) with time zone',
  toDriver: instantToIso,
  fromDriver: (value) => instantFromIso(value instanceof Date ? value.toISOString() : isoFromServer(value)),
});

/** PostgreSQL writes `2026-01-02 03:04:05.678+00`. */
function isoFromServer(text: string): string {
  return text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
}
