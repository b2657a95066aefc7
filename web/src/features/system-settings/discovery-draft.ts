import { type DiscoverySettingsForm, discoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf, numberFrom } from './number-from.ts';

/** The discovery settings as they are being changed: the least profit as a text. */
export type DiscoveryDraft = Record<DiscoverySwitch, boolean> & { min_profit_usd: string };
export type DiscoverySwitch = Exclude<keyof DiscoverySettingsForm, 'min_profit_usd'>;

export function discoveryDraftOf({ min_profit_usd, ...saved }: DiscoverySettingsForm): DiscoveryDraft {
  const { enabled, pair, at_most_one, exactly_one, ladder, buckets, auto_place_found } = saved;
  const switches = { enabled, pair, at_most_one, exactly_one, ladder, buckets, auto_place_found };
  return { ...switches, min_profit_usd: String(usdToNumber(min_profit_usd)) };
}

const rules = rulesOf<unknown>(discoverySettingsForm);

export function discoveryProblems(draft: DiscoveryDraft): Record<string, string> {
  return rules(typed(draft));
}

/** The changed settings alone, from a draft without problems: what somebody else has set meanwhile is not undone. */
export function changedDiscovery(saved: DiscoverySettingsForm, draft: DiscoveryDraft): Partial<DiscoverySettingsForm> {
  const settings = z.decode(discoverySettingsForm, typed(draft));
  const changed = changedFields(draft, discoveryDraftOf(saved), amountOf);
  return Object.fromEntries(changed.map((name) => [name, settings[name]]));
}

function typed({ min_profit_usd, ...switches }: DiscoveryDraft) {
  return { ...switches, min_profit_usd: numberFrom(min_profit_usd) ?? Number.NaN };
}
