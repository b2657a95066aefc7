/** How pages say a reason that many sentences share: with the figures of the dearest of them in place of the gaps between its words. */
import type { SettingName } from '../system-settings.ts';
import { boundWords, type SizeBound } from './size-words.ts';

/** What a reason has where sentences that share it have figures. */
export const GAP = '#';

/** No longer than this is a reason that the funnel gives. */
export const REASON_LENGTH_MAX = 300;

/** `example`: the dearest of them, in its own words. */
export function reasonWords(reason: string, example: string | null): string {
  if (example === null || !reason.includes(GAP)) return pastWords(reason);
  const [first = reason] = example.split('. ');
  return pastWords(first.replace(/\.$/, ''));
}

/** A refusal of the past on a screen of today: a gate says it in the present tense, which need not hold any more. */
export function pastWords(refusal: string): string {
  return refusal.replace(/\b([Tt])rading is disarmed\b/g, '$1rading was disarmed');
}

/** What of the size policy is raised to buy more. */
const RAISED: Partial<Record<SizeBound, SettingName>> = {
  clip: 'CLIP_USD',
  clips: 'CLIPS_MAX',
  'loss allowance': 'LOSS_ALLOWANCE_USD',
};

/** Says that less was bought than paid, and which setting to raise for more. */
export function smallerWords(bound: SizeBound | null): string {
  if (bound === null) return 'Orders were smaller than what paid';
  const raised = RAISED[bound];
  const raise = raised === undefined ? '' : `; raise ${raised} to buy more`;
  return `Orders were smaller than what paid, ${boundWords(bound)}${raise}`;
}
