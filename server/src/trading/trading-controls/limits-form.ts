import { LIMITS, type LimitName } from '@dutchbook/contract/limits.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';

export type LimitsForm = Record<LimitName, Usd | null>;
/** Limits to set: null removes a limit, one that is left out stays. */
export type LimitChanges = { [Name in LimitName]?: LimitsForm[Name] | undefined };

export function limitsAfter(standing: TradingLimits, changes: LimitChanges): TradingLimits {
  const form = formOf(standing);
  const given = Object.entries(changes).filter(([, limit]) => limit !== undefined);
  return limitsOf({ ...form, ...Object.fromEntries(given) });
}

function limitsOf(form: LimitsForm): TradingLimits {
  return {
    perOrder: form.per_order_usd,
    perBatch: form.per_batch_usd,
    perDay: form.per_day_usd,
    openExposure: form.open_exposure_usd,
  };
}

export function formOf(limits: TradingLimits): LimitsForm {
  return {
    per_order_usd: limits.perOrder,
    per_batch_usd: limits.perBatch,
    per_day_usd: limits.perDay,
    open_exposure_usd: limits.openExposure,
  };
}

/** Limits that must be set before a real venue is armed. */
export function unsetLimits(limits: TradingLimits): LimitName[] {
  const form = formOf(limits);
  return (Object.keys(form) as LimitName[]).filter((name) => form[name] === null);
}

/** Within a sentence: "limit per day". */
export function nameInText(name: LimitName): string {
  return `${LIMITS[name].charAt(0).toLowerCase()}${LIMITS[name].slice(1)}`;
}

/** "with a limit per day of $400.00 and no other". */
export function limitsInWords(limits: TradingLimits): string {
  const set = Object.entries(formOf(limits)) as [LimitName, Usd | null][];
  const words = set.flatMap(([name, limit]) =>
    limit === null ? [] : [`a ${nameInText(name)} of ${formatUsd(limit)}`],
  );
  if (words.length === 0) return 'without any limit';
  return `with ${listed([...words, ...(words.length < set.length ? ['no other'] : [])])}`;
}

/** One limit that would change, and how it stands. */
export type LimitChange = { name: LimitName; from: Usd | null; to: Usd | null };

export function limitChanges(standing: TradingLimits, limits: TradingLimits): LimitChange[] {
  const [before, after] = [formOf(standing), formOf(limits)];
  return (Object.keys(after) as LimitName[])
    .map((name) => ({ name, from: before[name], to: after[name] }))
    .filter(({ from, to }) => from !== to);
}

/** Whether more could be spent with it than without. */
export function isRaised({ from, to }: LimitChange): boolean {
  return from !== null && (to === null || to > from);
}

/** "Raise the limit per day from $400.00 to $1,000.00 and remove the limit per batch, which is $10.00,". */
export function changesInWords(changes: readonly LimitChange[]): string {
  const words = listed(changes.map(changeInWords));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function changeInWords({ name, from, to }: LimitChange): string {
  const limit = `the ${nameInText(name)}`;
  if (to === null) return `remove ${limit}${from === null ? '' : `, which is ${formatUsd(from)},`}`;
  if (from === null) return `set ${limit} to ${formatUsd(to)}`;
  return `${to > from ? 'raise' : 'lower'} ${limit} from ${formatUsd(from)} to ${formatUsd(to)}`;
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}
