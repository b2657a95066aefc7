/** What the report counts capital as, and from which rate of failed settlements buying pauses. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { described } from '../notes/described.ts';
import { fraction } from '../quantities.ts';

const shareOf = (name: string) =>
  z.pipe(
    z
      .number(`${name} must be a number`)
      .check(z.minimum(0, `${name} must be at least 0`), z.maximum(1, `${name} must be at most 1`)),
    fraction,
  );

export const reportSettings = z.object({
  hurdle: described("What the platform's capital costs a year.", shareOf('Hurdle')),
  pause_above_failed: described(
    "Buying pauses while a greater share of the last day's settlements failed; null: it never does.",
    z.nullable(shareOf('Share of failed settlements')),
  ),
});
export type ReportSettings = z.output<typeof reportSettings>;

export const readReportSettings = endpoint({
  method: 'GET',
  path: '/report/settings',
  access: 'viewer',
  tag: 'Report',
  summary: 'What capital costs, and from which rate of failed settlements buying pauses',
  reply: reportSettings,
});

export const changeReportSettings = endpoint({
  method: 'PUT',
  path: '/report/settings',
  access: 'superuser',
  tag: 'Report',
  summary: 'Sets what capital costs, and from which rate of failed settlements buying pauses',
  body: reportSettings,
  reply: reportSettings,
});
