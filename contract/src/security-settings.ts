/** What accounts are asked for on this venue. Beside the trading settings, and none of those. */
import * as z from 'zod/mini';
import { endpoint, optional } from './endpoint.ts';
import { instant } from './quantities.ts';

export const securitySettingsForm = z.strictObject({
  /** Whether nobody changes anything before they have a second factor, but for their own account and to stop trading. */
  second_factor_for_all: z.boolean(),
});
export type SecuritySettingsForm = z.output<typeof securitySettingsForm>;

const securitySettings = z.object({
  ...securitySettingsForm.shape,
  changed_at: z.nullable(instant),
  changed_by: z.nullable(z.string()),
});
export type SecuritySettings = z.output<typeof securitySettings>;

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
  proven: true,
  body: z.strictObject(optional(securitySettingsForm.shape)),
  reply: securitySettings,
});
