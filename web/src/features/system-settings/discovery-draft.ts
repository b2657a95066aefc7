import { type DiscoverySettingsForm, discoverySettingsForm } from '@dutchbook/contract/discovery-settings.ts';
import { type Price, priceToNumber } from '@dutchbook/units/price.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf, numberFrom } from './number-from.ts';

type DiscoveryNumber = 'min_profit_usd' | 'price_low' | 'price_high';

/** The discovery settings as they are being changed: numbers as texts. */
export type DiscoveryDraft = Record<DiscoverySwitch, boolean> & Record<DiscoveryNumber, string>;
export type DiscoverySwitch = Exclude<keyof DiscoverySettingsForm, DiscoveryNumber>;

export function discoveryDraftOf(form: DiscoverySettingsForm): DiscoveryDraft {
  const { min_profit_usd, price_low, price_high, ...saved } = form;
  const { enabled, pair, at_most_one, exactly_one, ladder, buckets, auto_place_found } = saved;
  const switches = { enabled, pair, at_most_one, exactly_one, ladder, buckets, auto_place_found };
  const priceText = (price: Price | null) => (price === null ? '' : String(priceToNumber(price)));
  const numbers = { min_profit_usd: String(usdToNumber(min_profit_usd)) };
  return { ...switches, ...numbers, price_low: priceText(price_low), price_high: priceText(price_high) };
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

function typed(draft: DiscoveryDraft) {
  const number = (name: DiscoveryNumber) => numberFrom(draft[name]) ?? Number.NaN;
  const price = (name: DiscoveryNumber) => (draft[name].trim() === '' ? null : number(name));
  const numbers = { price_low: price('price_low'), price_high: price('price_high') };
  return { ...draft, ...numbers, min_profit_usd: number('min_profit_usd') };
}
