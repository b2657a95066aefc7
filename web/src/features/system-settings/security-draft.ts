import { type SecuritySettingsForm, securitySettingsForm } from '@dutchbook/contract/security-settings.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf, numberFrom } from './number-from.ts';

/** The security settings as they are being changed: dollars as a text, empty for never. */
export type SecurityDraft = Record<SecuritySwitch, boolean> & { sign_off_above_usd: string };
export type SecuritySwitch = Exclude<keyof SecuritySettingsForm, 'sign_off_above_usd'>;

export function securityDraftOf(settings: SecuritySettingsForm): SecurityDraft {
  const { second_factor_for_all, sign_off_for_arming, sign_off_for_limits, sign_off_above_usd: above } = settings;
  return {
    ...{ second_factor_for_all, sign_off_for_arming, sign_off_for_limits },
    sign_off_above_usd: above === null ? '' : String(usdToNumber(above)),
  };
}

const rules = rulesOf<unknown>(securitySettingsForm);

export function securityProblems(draft: SecurityDraft): Record<string, string> {
  return rules(typed(draft));
}

/** The changed settings alone, from a draft without problems: what somebody else has set meanwhile is not undone. */
export function changedSecurity(saved: SecuritySettingsForm, draft: SecurityDraft): Partial<SecuritySettingsForm> {
  const settings = z.decode(securitySettingsForm, typed(draft));
  const changed = changedFields(draft, securityDraftOf(saved), amountOf);
  return Object.fromEntries(changed.map((name) => [name, settings[name]]));
}

function typed({ sign_off_above_usd, ...switches }: SecurityDraft) {
  return { ...switches, sign_off_above_usd: numberFrom(sign_off_above_usd) ?? null };
}
