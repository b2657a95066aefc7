/** What of a reason a person can change, and where: reasons name settings as calls do, and limits and switches by their words. */
import { LIMITS, type LimitName } from '@dutchbook/contract/limits.ts';
import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import type { SettingName } from '@dutchbook/contract/system-settings.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';

/** `setting`: the anchor of the page of settings; `cash`: the shard that cash has to be moved into; `proposed`: relations that wait for approval. */
export type WayToChange = { kind: 'setting'; anchor: string } | { kind: 'cash'; shard: string } | { kind: 'proposed' };

/** What the gate of the balance says of a pocket that is short of cash. */
const SHORT_SHARD = /\bshard (\d{1,4}) has .{1,60}: move cash into it/i;

const SWITCHED_OFF_KIND = /^Its kind, ([a-z ]{1,20}), is switched off in the discovery settings/;

/** What the gates of the limits say, and which of them says it. */
const LIMIT_WORDS: readonly [words: string, limit: LimitName][] = [
  ['takes up to $', 'per_batch_usd'],
  ['with this batch today is', 'per_day_usd'],
  ['with this batch open exposure is', 'open_exposure_usd'],
];

/** What gates say that are settings of a number or switches, in their own words. */
const GATE_WORDS: readonly [words: RegExp, anchor: string][] = [
  [/, outside 0\.00/, 'discovery-price_low'],
  [/, outside \d/, 'PRICE_LOW_THRESHOLD'],
  [/ in \d{1,9} s, a batch needs \d/, 'MARKET_TIMING_VALIDATION_ENABLED'],
  [/the price moved .{1,40} is allowed/i, 'PRICE_DEVIATION_THRESHOLD'],
  [/ shares per position, needs /, 'MIN_ORDER_SHARES'],
  [/ is worth \$[\d.]{1,20}, needs \$/, 'MIN_ORDER_VALUE_USD'],
  [/\bnet -?[\d.]{1,20} ?%, needs /i, 'MIN_PROFIT_TRIGGER_THRESHOLD'],
];

/** As a gate says it, and what was missed for it is found by. */
export const APPROVE_FIRST = 'A superuser has to approve the relation first';

/** The way to change each sentence's cause, in order: an order that two settings refuse needs both. */
export function waysToChange(message: string): WayToChange[] {
  const ways = message.split('. ').flatMap((sentence) => wayToChange(sentence) ?? []);
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
}

/** Null where nothing of a sentence is changed by a setting or a button. */
export function wayToChange(message: string): WayToChange | null {
  const shard = SHORT_SHARD.exec(message)?.[1];
  if (shard !== undefined) return { kind: 'cash', shard };
  const name = message
    .match(/\b[A-Z]{2,20}(?:_[A-Z]{2,20}){1,6}\b/g)
    ?.findLast((each) => Object.hasOwn(SETTING_LABELS, each));
  if (name !== undefined) return { kind: 'setting', anchor: name };
  if (message.startsWith(APPROVE_FIRST)) return { kind: 'proposed' };
  const gate = GATE_WORDS.find(([words]) => words.test(message));
  const anchor = limitOf(message) ?? discoveryAnchor(message) ?? gate?.[1] ?? null;
  return anchor === null ? null : { kind: 'setting', anchor };
}

/** The anchor of a limit; of several accounts, `where` is the venue, or the whole desk. */
export function limitAnchor(limit: LimitName, where?: string): string {
  return where === undefined ? limit : `${limit}-${where}`;
}

/** What a setting, limit or switch of discovery is called where it is changed. */
export function anchorWords(anchor: string): string {
  const [name = '', where] = anchor.split('-');
  if (Object.hasOwn(SETTING_LABELS, name)) return SETTING_LABELS[name as SettingName];
  if (Object.hasOwn(LIMITS, name)) return `${LIMITS[name as LimitName]}${limitOwner(where)}`;
  return DISCOVERY_WORDS[where as DiscoveryField] ?? 'Discovery';
}

function limitOwner(where: string | undefined): string {
  if (where === undefined) return '';
  return where === 'desk' ? ' of the whole desk' : ` at ${VENUE_LABELS[where as VenueName]}`;
}

/** The fields of discovery that an address names one by one. */
export const DISCOVERY_WORDS = {
  min_profit_usd: 'Least profit',
  price_low: 'Lowest price of a found position',
  auto_place_found: 'Place found opportunities automatically',
};
type DiscoveryField = keyof typeof DISCOVERY_WORDS;

function limitOf(message: string): string | null {
  const text = message.toLowerCase();
  const limit = limitIn(text);
  if (limit === null) return null;
  const venue = /^(polymarket|kalshi): /.exec(text)?.[1];
  return limitAnchor(limit, text.includes('of the whole desk') ? 'desk' : venue);
}

function limitIn(text: string): LimitName | null {
  const missing = (Object.keys(LIMITS) as LimitName[]).find((name) =>
    text.includes(`no ${LIMITS[name].toLowerCase()} is set`),
  );
  if (missing !== undefined) return missing;
  if (!text.includes('the limit')) return null;
  if (text.includes('the order of leg')) return 'per_order_usd';
  return LIMIT_WORDS.find(([words]) => text.includes(words))?.[1] ?? null;
}

function discoveryAnchor(message: string): string | null {
  const kind = SWITCHED_OFF_KIND.exec(message)?.[1];
  if (kind !== undefined) return `discovery-${kind.replaceAll(' ', '_')}`;
  if (message.includes('the least profit is $')) return 'discovery-min_profit_usd';
  return /found opportunities are not placed automatically/i.test(message) ? 'discovery-auto_place_found' : null;
}
