/** How pages say a reason that many sentences share: with the figures of the dearest of them in place of the gaps between its words. */
import { boundWords, type SizeBound } from './size-words.ts';

/** What a reason has where sentences that share it have figures. */
export const GAP = '#';

/** No longer than this is a reason that the funnel gives. */
export const REASON_LENGTH_MAX = 300;

/** `example`: the dearest of them, in its own words. */
export function reasonWords(reason: string, example: string | null): string {
  if (example === null || !reason.includes(GAP)) return reason;
  const [first = reason] = example.split('. ');
  return first.replace(/\.$/, '');
}

/** Of dollars that were left because less was bought than paid. */
export function smallerWords(bound: SizeBound | null): string {
  return `Orders were smaller than what paid${bound === null ? '' : `, ${boundWords(bound)}`}`;
}
