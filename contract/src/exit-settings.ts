/** What is converted into dollars automatically. Beside the trading settings, and none of those. */
import * as z from 'zod/mini';
import { endpoint, optional } from './endpoint.ts';
import { described } from './notes/described.ts';
import { lastChange, usd } from './quantities.ts';
import { venueName } from './venue-names.ts';

const MIN_USD = 0.01;
const MAX_USD = 1_000_000;

const cashNowMin = z
  .number('Least dollars must be a number')
  .check(
    z.minimum(MIN_USD, `Least dollars must be at least ${MIN_USD}`),
    z.maximum(MAX_USD, `Least dollars must be at most ${MAX_USD}`),
  );

export const exitSettingsForm = z.strictObject({
  auto_cash_now: described(
    'Whether complete sets of batches that have ended are converted into dollars once that brings the least dollars below.',
    z.boolean(),
  ),
  auto_cash_now_min_usd: described(
    'Dollars that complete sets must bring to be converted into cash automatically.',
    z.pipe(cashNowMin, usd),
  ),
  auto_redeem: described('Whether shares of resolved markets that won are redeemed.', z.boolean()),
});
export type ExitSettingsForm = z.output<typeof exitSettingsForm>;

const exitSettings = z.object({
  ...exitSettingsForm.shape,
  pays_by_itself: described(
    'Whether the venue takes both outcomes for a dollar a pair and pays for markets that have ended by itself: nothing is converted or redeemed there, whatever is set.',
    z.boolean(),
  ),
  is_read_only: described(
    'Whether no key that may trade is configured for the venue: nothing is sent there, whatever is set.',
    z.boolean(),
  ),
  ...lastChange,
});

const query = z.object({
  venue: described(
    'Of which venue. Required where several are configured, so that nothing is converted that was not meant.',
    z.optional(venueName),
  ),
});

const tag = 'System settings';

export const readExitSettings = endpoint({
  method: 'GET',
  path: '/system-settings/exits',
  access: 'superuser',
  tag,
  summary: 'What is converted into dollars automatically',
  query,
  reply: exitSettings,
});

export const writeExitSettings = endpoint({
  method: 'PUT',
  path: '/system-settings/exits',
  access: 'superuser',
  tag,
  summary:
    'Change what is converted into dollars automatically; what is left out stays. Nothing can be switched on at a venue that pays by itself',
  query,
  body: z.strictObject(optional(exitSettingsForm.shape)),
  reply: exitSettings,
});
