import { LIMITS, type LimitName, limitsForm } from '@dutchbook/contract/limits.ts';
import { type DraftOf, formDraft } from './form-draft.ts';

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

const draft = formDraft(limitsForm);

/** Dollars as texts, empty for no limit. */
export const limitsDraftOf = draft.draftOf;
/** Null where a limit is taken back. */
export const changedLimits = draft.changed;

/** What each limit gets wrong; where limits are required, none may be empty. */
export function limitsProblems(typed: DraftOf<Record<LimitName, number | null>>, required: boolean) {
  const missing = LIMIT_NAMES.filter((name) => required && typed[name].trim() === '');
  const unset = Object.fromEntries(missing.map((name) => [name, `${LIMITS[name]} is required on a real venue`]));
  return { ...draft.problems(typed), ...unset };
}
