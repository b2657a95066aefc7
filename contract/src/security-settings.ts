/** What accounts are asked for on this venue. Beside the trading settings, and none of those. */
import * as z from 'zod/mini';
import { endpoint, optional, refusal, SIGN_OFF_ASKED } from './endpoint.ts';
import { described } from './notes/described.ts';
import { lastChange, usd } from './quantities.ts';

const ABOVE_MIN_USD = 1;
const ABOVE_MAX_USD = 100_000_000;

const above = z
  .number('Dollars of a batch must be a number')
  .check(
    z.minimum(ABOVE_MIN_USD, `Dollars of a batch must be at least ${ABOVE_MIN_USD}`),
    z.maximum(ABOVE_MAX_USD, `Dollars of a batch must be at most ${ABOVE_MAX_USD}`),
  );

export const securitySettingsForm = z.strictObject({
  second_factor_for_all: described(
    'Whether users without a second factor may change only their own account and stop trading.',
    z.boolean(),
  ),
  sign_off_for_arming: described('Whether a second person signs off that trading is armed.', z.boolean()),
  sign_off_for_limits: described(
    'Whether a second person signs off that a limit is raised or taken back.',
    z.boolean(),
  ),
  sign_off_above_usd: described(
    'Dollars, fees included: a batch needs a second person when it and what its requester asked for in the last fifteen minutes without a sign-off may spend more together. Null: never.',
    z.nullable(z.pipe(above, usd)),
  ),
});
export type SecuritySettingsForm = z.output<typeof securitySettingsForm>;

const securitySettings = z.object({
  ...securitySettingsForm.shape,
  ...lastChange,
});

const tag = 'System settings';

export const readSecuritySettings = endpoint({
  method: 'GET',
  path: '/system-settings/security',
  access: 'superuser',
  tag,
  summary: 'What accounts are asked for',
  reply: securitySettings,
});

export const writeSecuritySettings = endpoint({
  method: 'PUT',
  path: '/system-settings/security',
  access: 'superuser',
  tag,
  summary: 'Change what accounts are asked for; what is left out stays',
  refusals: [
    SIGN_OFF_ASKED,
    refusal(
      409,
      'There are too few superusers for sign-offs.',
      'Sign-offs need 2 active superusers: add another one under Admin first.',
    ),
    refusal(
      409,
      'The caller asks all users for a second factor and has none.',
      'Set up a second factor under Settings before you ask all users for one.',
    ),
  ],
  proven: true,
  body: z.strictObject(optional(securitySettingsForm.shape)),
  reply: securitySettings,
});
