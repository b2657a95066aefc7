import type { Activity } from '@dutchbook/contract/status.ts';

/** Of things that are alike the latest, and how often it was done. */
export type Folded = Activity & { times: number };

/** How far apart what is alike may stand: the clips of a series are bought and filled in turn. */
const APART_MAX = 4;

/** Joins what was done again and again, as the clips of a series are, so that what else was done stays in sight. */
export function folded(activity: readonly Activity[]): Folded[] {
  const shown: Folded[] = [];
  for (const each of activity) {
    const alike = shown.slice(-APART_MAX).find(({ kind, text }) => kind === each.kind && text === each.text);
    if (alike === undefined) shown.push({ ...each, times: 1 });
    else alike.times += 1;
  }
  return shown;
}
