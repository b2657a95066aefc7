import { instantFromIso } from '@dutchbook/units/instant.ts';
import { pgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { instant } from './columns.ts';

const { at } = pgTable('moments', { at: instant('at') });

it.each([
  ['2026-01-02 03:04:05.678+00', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02 03:04:05.07+00', '2026-01-02T03:04:05.070Z'],
  ['2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.600Z'],
  ['2026-12-31 23:59:59+00', '2026-12-31T23:59:59.000Z'],
  ['2028-02-29 00:00:00.001+00', '2028-02-29T00:00:00.001Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ['2026-01-02 03:04:05.678+02', '2026-01-02T01:04:05.678Z'],
  ['2026-01-02T03:04:05.678+00:00', '2026-01-02T03:04:05.678Z'],
])('a moment that PostgreSQL writes as %s is read', (text, iso) => {
  expect(at.mapFromDriverValue(text)).toBe(instantFromIso(iso));
  expect(at.mapFromDriverValue(new Date(iso))).toBe(instantFromIso(iso));
});
