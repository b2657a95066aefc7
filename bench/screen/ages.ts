import type { Paint } from './paint-probe.ts';

/** Among so many changes after the last one shown a painted value is looked for. */
const LOOK_AHEAD = 45;

/** One change of one row's value, and when it left. A value comes again after twice LOOK_AHEAD changes at the earliest. */
export type Left = { rowId: string; value: string; atMs: number };

/**
 * How old each change was when the screen first showed it or a later one of its row, in ms; what never came to the
 * screen is infinitely old. `left` and `paints` are in the order of their time.
 */
export function agesOnScreen(left: readonly Left[], paints: readonly Paint[]): number[] {
  const changesOf = Map.groupBy(left, ({ rowId }) => rowId);
  const paintsOf = Map.groupBy(paints, ({ rowId }) => rowId);
  return [...changesOf].flatMap(([rowId, changes]) => agesOfRow(changes, paintsOf.get(rowId) ?? []));
}

function agesOfRow(changes: readonly Left[], paints: readonly Paint[]): number[] {
  const ages: number[] = [];
  for (const { text, atMs } of paints) {
    const next = changes.slice(ages.length, ages.length + LOOK_AHEAD);
    const shown = next.findIndex(({ value }) => text.endsWith(value));
    for (const change of next.slice(0, shown + 1)) ages.push(atMs - change.atMs);
  }
  return [...ages, ...changes.slice(ages.length).map(() => Number.POSITIVE_INFINITY)];
}
