import type { Activity } from '@dutchbook/contract/status.ts';
import { addUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';

/** Similar entries as one: the latest, all of them, and their dollars where all are known. */
export type Folded = { latest: Activity; all: readonly Activity[]; usd: Usd | null };

/** How far apart what is alike may stand: the clips of a series are bought, filled and paid in turn. */
const APART_MAX = 4;

/** Joins what was done again and again, as the clips of a series are, so that what else was done stays in sight. */
export function folded(activity: readonly Activity[]): Folded[] {
  const shown: { key: string; all: Activity[] }[] = [];
  for (const each of activity) {
    const key = keyOf(each);
    const alike = shown.slice(-APART_MAX).find((other) => other.key === key);
    if (alike === undefined) shown.push({ key, all: [each] });
    else alike.all.push(each);
  }
  return shown.flatMap(({ all }) => {
    const [latest] = all;
    return latest === undefined ? [] : { latest, all, usd: sumOf(all) };
  });
}

/** What brings dollars is alike whatever it brought: those are added up. */
function keyOf({ kind, text, usd }: Activity): string {
  return `${kind} ${usd === null ? text : text.replaceAll(/-?\$[\d.,]{1,20}/g, '$')}`;
}

function sumOf(all: readonly Activity[]): Usd | null {
  return all.some(({ usd }) => usd === null)
    ? null
    : all.reduce((sum, { usd }) => addUsd(sum, usd ?? USD_ZERO), USD_ZERO);
}
