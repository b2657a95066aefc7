import { type ExitSettingsForm, exitSettingsForm } from '@dutchbook/contract/exit-settings.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf, numberFrom } from './number-from.ts';

/** The exit settings as they are being changed: the least dollars as a text. */
export type ExitsDraft = Record<ExitsSwitch, boolean> & { auto_cash_now_min_usd: string };
export type ExitsSwitch = Exclude<keyof ExitSettingsForm, 'auto_cash_now_min_usd'>;

export function exitsDraftOf({ auto_cash_now, auto_redeem, auto_cash_now_min_usd }: ExitSettingsForm): ExitsDraft {
  return { auto_cash_now, auto_redeem, auto_cash_now_min_usd: String(usdToNumber(auto_cash_now_min_usd)) };
}

const rules = rulesOf<unknown>(exitSettingsForm);

export function exitsProblems(draft: ExitsDraft): Record<string, string> {
  return rules(typed(draft));
}

/** The changed settings alone, from a draft without problems: what somebody else has set meanwhile is not undone. */
export function changedExits(saved: ExitSettingsForm, draft: ExitsDraft): Partial<ExitSettingsForm> {
  const settings = z.decode(exitSettingsForm, typed(draft));
  const changed = changedFields(draft, exitsDraftOf(saved), amountOf);
  return Object.fromEntries(changed.map((name) => [name, settings[name]]));
}

function typed({ auto_cash_now_min_usd, ...switches }: ExitsDraft) {
  return { ...switches, auto_cash_now_min_usd: numberFrom(auto_cash_now_min_usd) ?? Number.NaN };
}
