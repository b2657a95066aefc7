/** What of the security settings has to do with sign-offs. */
import type { SecuritySettingsForm } from '@dutchbook/contract/security-settings.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';

/** The person who asks, and a second one. */
export const SUPERUSERS_NEEDED = 2;

/** Whether anything is signed off. */
export function asksForSignOffs(form: SecuritySettingsForm): boolean {
  return form.sign_off_for_arming || form.sign_off_for_limits || form.sign_off_above_usd !== null;
}

/** Whether something is signed off that was not before. */
export function isMoreSignedOff(before: SecuritySettingsForm, after: SecuritySettingsForm): boolean {
  return lessSignedOff(after, before).length > 0;
}

/** What is signed off no more, or of fewer batches, in the words of a request for it. */
export function lessSignedOff(before: SecuritySettingsForm, after: SecuritySettingsForm): string[] {
  const [above, next] = [before.sign_off_above_usd, after.sign_off_above_usd];
  return [
    ...(before.sign_off_for_arming && !after.sign_off_for_arming ? ['switch off the sign-off of arming'] : []),
    ...(before.sign_off_for_limits && !after.sign_off_for_limits ? ['switch off the sign-off of raised limits'] : []),
    ...(above !== null && next === null ? [`switch off the sign-off of batches above ${formatUsd(above)}`] : []),
    ...(above !== null && next !== null && next > above
      ? [`raise the dollars above which a batch is signed off from ${formatUsd(above)} to ${formatUsd(next)}`]
      : []),
  ];
}

/** All that changes, in a sentence without its full stop. */
export function securityChangesInWords(before: SecuritySettingsForm, after: SecuritySettingsForm): string {
  const isFactor = before.second_factor_for_all !== after.second_factor_for_all;
  const words = [
    ...lessSignedOff(before, after),
    ...(isMoreSignedOff(before, after) ? ['have other things signed off'] : []),
    ...(isFactor ? [`switch the second factor for all users ${after.second_factor_for_all ? 'on' : 'off'}`] : []),
  ];
  const sentence = new Intl.ListFormat('en-GB').format(words);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
