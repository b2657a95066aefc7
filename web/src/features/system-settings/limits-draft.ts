import { LIMITS, type LimitName, limitsForm } from '@dutchbook/contract/limits.ts';
import { belowClipWords } from '@dutchbook/contract/notes/size-words.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { type DraftOf, formDraft } from './form-draft.ts';
import { numberFrom } from './number-from.ts';

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

/** What a limit that is typed does to the size of clips. It is not refused: a limit can always be lowered. */
export function clipProblem(
  name: LimitName,
  typed: string,
  { SIZE_POLICY: policy, CLIP_USD: clip }: Pick<Settings, 'SIZE_POLICY' | 'CLIP_USD'>,
): string | undefined {
  const limit = numberFrom(typed) ?? Number.NaN;
  if (name === 'per_order_usd' || policy === 'smallest' || !(limit < clip)) return undefined;
  return belowClipWords(usdFromNumber(clip));
}
