import { LIMITS, type LimitName, type Limits, limitsForm } from '@dutchbook/contract/limits.ts';
import { type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { rulesOf } from '../../app/form-rules.ts';
import { numberFrom } from './number-from.ts';

/** The limits as they are being typed: dollars as texts, empty for no limit. */
export type LimitsDraft = Record<LimitName, string>;

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

export function limitsDraftOf(limits: Record<LimitName, Usd | null>): LimitsDraft {
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

/** The limits as their call takes them, from a draft without problems. */
export function limitsOf(draft: LimitsDraft) {
  return z.decode(limitsForm, amounts(draft));
}

export function isChanged(saved: Limits, draft: LimitsDraft): boolean {
  const typed = amounts(draft);
  return LIMIT_NAMES.some((name) => {
    const usd = saved[name];
    return typed[name] !== (usd === null ? null : usdToNumber(usd));
  });
}

function amounts(draft: LimitsDraft): Record<LimitName, number | null> {
  return mapped((name) => numberFrom(draft[name]) ?? null);
}

function mapped<Value>(read: (name: LimitName) => Value): Record<LimitName, Value> {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, read(name)])) as Record<LimitName, Value>;
}
