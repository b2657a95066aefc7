/** What is turned into dollars without anybody asking. Beside the trading settings, and none of those. */
import * as z from 'zod/mini';
import { endpoint, optional } from './endpoint.ts';
import { instant, usd } from './quantities.ts';

const MIN_USD = 0.01;
const MAX_USD = 1_000_000;

const cashNowMin = z
  .number('Least dollars must be a number')
  .check(
    z.minimum(MIN_USD, `Least dollars must be at least ${MIN_USD}`),
    z.maximum(MAX_USD, `Least dollars must be at most ${MAX_USD}`),
  );

export const exitSettingsForm = z.strictObject({
  /** Whether complete sets of batches that have ended are turned into dollars once that brings the least dollars below. */
  auto_cash_now: z.boolean(),
  auto_cash_now_min_usd: z.pipe(cashNowMin, usd),
  /** Whether shares of resolved markets that won are redeemed. */
  auto_redeem: z.boolean(),
});
export type ExitSettingsForm = z.output<typeof exitSettingsForm>;

const exitSettings = z.object({
  ...exitSettingsForm.shape,
  changed_at: z.nullable(instant),
  changed_by: z.nullable(z.string()),
});
export type ExitSettings = z.output<typeof exitSettings>;

const tag = 'System settings';

export const readExitSettings = endpoint({
  method: 'GET',
  path: '/system-settings/exits',
  access: 'superuser',
  tag,
  summary: 'What is turned into dollars without anybody asking',
  reply: exitSettings,
});

export const writeExitSettings = endpoint({
  method: 'PUT',
  path: '/system-settings/exits',
  access: 'superuser',
  tag,
  summary: 'Change what is turned into dollars by itself; what is left out stays',
  body: z.strictObject(optional(exitSettingsForm.shape)),
  reply: exitSettings,
});
