import { LIMITS, type LimitName, limitsForm } from '@dutchbook/contract/limits.ts';
import { type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf, numberFrom } from './number-from.ts';

/** The limits as they are being typed: dollars as texts, empty for no limit. */
export type LimitsDraft = Record<LimitName, string>;

type SavedLimits = Record<LimitName, Usd | null>;

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

export function limitsDraftOf(limits: SavedLimits): LimitsDraft {
  return mapped((name) => {
    const usd = limits[name];
    return usd === null ? '' : String(usdToNumber(usd));
  });
}

const rules = rulesOf<unknown>(limitsForm);

/** What each limit gets wrong; where limits are required, none may be empty. */
export function limitsProblems(draft: LimitsDraft, required: boolean): Record<string, string> {
  const missing = LIMIT_NAMES.filter((name) => required && draft[name].trim() === '');
  const unset = Object.fromEntries(missing.map((name) => [name, `${LIMITS[name]} is required on a real venue`]));
  return { ...rules(amounts(draft)), ...unset };
}

/**
 * The changed limits alone, as their call takes them, from a draft without problems: what somebody else has set meanwhile
 * is not undone.
 */
export function changedLimits(saved: SavedLimits, draft: LimitsDraft): Partial<SavedLimits> {
  const limits = z.decode(limitsForm, amounts(draft));
  const changed = changedFields(draft, limitsDraftOf(saved), amountOf);
  return Object.fromEntries(changed.map((name) => [name, limits[name]]));
}

function amounts(draft: LimitsDraft): Record<LimitName, number | null> {
  return mapped((name) => numberFrom(draft[name]) ?? null);
}

function mapped<Value>(read: (name: LimitName) => Value): Record<LimitName, Value> {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, read(name)])) as Record<LimitName, Value>;
}
