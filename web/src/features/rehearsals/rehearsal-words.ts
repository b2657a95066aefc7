import { LIMITS } from '@dutchbook/contract/limits.ts';
import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import {
  FILL_MODELS,
  type FillModel,
  type Rehearsal,
  type RehearsalChanges,
  type RehearsalResult,
  type RunTotals,
} from '@dutchbook/contract/rehearsals.ts';
import { SETTINGS, type Setting, type SettingName } from '@dutchbook/contract/system-settings.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { formatUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import { statusWords } from '../../ui/status-badge.tsx';

/** The model whose figure stands for all of them where there is room for one. */
export const MAIN_MODEL: FillModel = 'measured';

/** What the proposed settings would have made beyond the present ones, by each model. */
export function gains({ present, proposed }: RehearsalResult): Record<FillModel, Usd> {
  const gain = (model: FillModel) => subtractUsd(proposed.models[model].profit_usd, present.models[model].profit_usd);
  return { touch: gain('touch'), measured: gain('measured'), pessimistic: gain('pessimistic') };
}

/** "41 triggers instead of 17, 3 more unwound, +$8.20 (+$6.10 to +$9.40 by how orders fill), worst batch -$4.10, limits hit twice." */
export function resultSentence(rehearsal: Pick<Rehearsal, 'from' | 'until'>, result: RehearsalResult): string {
  const { present, proposed, unknown } = result;
  if (isAllUnknown(rehearsal, result)) return `Nothing is known of this time: ${unknown[0]?.reason ?? 'no records'}.`;
  const { worst_batch_usd: worst, unwound } = proposed.models[MAIN_MODEL];
  const parts = [
    triggersWords(proposed.triggers, present.triggers),
    moreWords(unwound - present.models[MAIN_MODEL].unwound, 'unwound'),
    gainWords(gains(result)),
    worst === null ? '' : `worst batch ${signedUsd(worst)}`,
    proposed.limit_hits === 0 ? '' : `limits hit ${timesWords(proposed.limit_hits)}`,
  ];
  const known = unknown.length === 0 ? '' : ', as far as this time is known';
  return `${parts.filter((part) => part !== '').join(', ')}${known}.`;
}

/** Whether nothing at all was recorded of its span. */
export function isAllUnknown(
  { from, until }: Pick<Rehearsal, 'from' | 'until'>,
  { unknown }: RehearsalResult,
): boolean {
  return unknown.reduce((ms, span) => ms + span.until - span.from, 0) >= until - from;
}

function triggersWords(proposed: number, present: number): string {
  const words = proposed === 1 ? '1 trigger' : `${formatCount(proposed)} triggers`;
  return proposed === present ? `${words}, as many as now` : `${words} instead of ${formatCount(present)}`;
}

function moreWords(more: number, what: string): string {
  if (more === 0) return '';
  return more > 0 ? `${formatCount(more)} more ${what}` : `${formatCount(-more)} fewer ${what}`;
}

function gainWords(by: Record<FillModel, Usd>): string {
  const sorted = FILL_MODELS.map((model) => by[model]).toSorted((a, b) => a - b);
  const [least, most] = [signedUsd(sorted[0] ?? by.measured), signedUsd(sorted.at(-1) ?? by.measured)];
  const range = least === most ? '' : ` (${least} to ${most} by how orders fill)`;
  return `${signedUsd(by[MAIN_MODEL])}${range}`;
}

export function timesWords(times: number): string {
  if (times === 1) return 'once';
  return times === 2 ? 'twice' : `${formatCount(times)} times`;
}

function signedUsd(usd: Usd): string {
  return `${usd > 0 ? '+' : ''}${formatUsd(usd)}`;
}

/** How each model has orders fill, in a sentence. */
export function modelWords({ latency }: RehearsalResult): Record<FillModel, { name: string; words: string }> {
  const { measured_ms, pessimistic_ms, is_own } = latency;
  const own = is_own ? 'as fast as half of our own orders' : 'a guess: too few orders of our own were timed';
  return {
    touch: { name: 'At once', words: 'Of what stood in the books at the decision.' },
    measured: { name: 'Measured', words: `Of what stood there ${measured_ms} ms later (${own}).` },
    pessimistic: {
      name: 'Pessimistic',
      words: `Of what stood there all of ${pessimistic_ms} ms, and what was taken stays taken.`,
    },
  };
}

/** As the form calls those whose own name would not do. */
const DISCOVERY: Partial<Record<string, string>> = {
  enabled: 'Discovery',
  min_profit_usd: 'Least profit',
  price_low: 'Lowest price of a found position',
  price_high: 'Highest price of a found position',
  auto_place_found: 'Place found opportunities automatically',
};

/** Each value that differs from the present settings. */
export function changesWords({ settings = {}, limits = {}, discovery = {} }: RehearsalChanges): string[] {
  return [
    ...named(labelled(settings), (name) => SETTING_LABELS[name], String),
    ...named(limits, (name) => LIMITS[name], dollars),
    ...named(
      discovery,
      (name) => DISCOVERY[name] ?? statusWords(name),
      (value, name) => (name === 'min_profit_usd' ? dollars(value as Usd) : formatPrice(value as Price)),
    ),
  ];
}

/** With what a screen calls the values of choices. */
function labelled(settings: NonNullable<RehearsalChanges['settings']>): Partial<Record<SettingName, Value>> {
  const entries = Object.entries(settings).map(([name, value]) => {
    const setting: Setting = SETTINGS[name as SettingName];
    return [name, setting.kind === 'choice' ? setting.options[String(value)]?.label : value];
  });
  return Object.fromEntries(entries);
}

type Value = number | boolean | string | null;

function valueWords<Given extends Value>(value: Given, numberOf: (value: Given & number) => string): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value;
  return value === null ? 'none' : numberOf(value as Given & number);
}

function named<Name extends string, Given extends Value>(
  values: { [Key in Name]?: Given | undefined },
  nameOf: (name: Name) => string,
  numberOf: (value: Given & number, name: Name) => string,
): string[] {
  return Object.entries<Given | undefined>(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [`${nameOf(name as Name)} ${valueWords(value, (given) => numberOf(given, name as Name))}`];
  });
}

const dollars = (value: Usd) => formatUsd(value);

/** How many batches bought what one rise offered, the first and those that followed it. */
export function clipsAWindow({ batches, clips = 0 }: RunTotals): string {
  const windows = batches - clips;
  return windows === 0 ? '–' : (batches / windows).toFixed(1);
}

/** What would have been lost on unequal legs at the worst moment. */
export function atRiskWords({ worst_at_risk_usd: usd }: RunTotals): string {
  return usd === undefined ? '–' : formatUsd(usd);
}
