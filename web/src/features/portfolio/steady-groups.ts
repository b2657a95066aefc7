import { useLayoutEffect, useRef } from 'react';
import { inOrderOf } from '../../lists/steady-rows.ts';
import { distinct, waysOf } from './exit-words.ts';
import { type HeldGroup, type HoldingRow, isExternal, isMissing } from './holding-groups.ts';

/**
 * The groups to show. While `held` (the pointer is over them) they keep their order, and a group whose height would change keeps its
 * old content, so that nothing moves under the pointer; one of which nothing is held any more says so, and offers nothing.
 */
export function useSteadyGroups(groups: readonly HeldGroup[], held: boolean): readonly HeldGroup[] {
  const shown = useRef(groups);
  const next = held ? steadyGroups(shown.current, groups) : groups;
  useLayoutEffect(() => {
    shown.current = next;
  }, [next]);
  return next;
}

function steadyGroups(shown: readonly HeldGroup[], newest: readonly HeldGroup[]): HeldGroup[] {
  const newestById = new Map(newest.map((group) => [group.event.event_id, group]));
  return shown.map((group) => {
    const next = newestById.get(group.event.event_id);
    if (next === undefined) return { ...group, isGone: true };
    if (shapeOf(next) !== shapeOf(group)) return group;
    return { ...next, rows: [...inOrderOf(group.rows, next.rows)] };
  });
}

/** The part of a group that determines its height and its button. */
function shapeOf({ event: { routes }, rows }: HeldGroup): string {
  const ways = routes === null ? [] : waysOf(routes);
  return JSON.stringify([
    rows.map(remarksOf).sort(),
    routes?.hold.steps.length,
    ways.map(({ route: { steps }, refusal, isBest }) => [
      isBest,
      refusal,
      steps.length,
      distinct(steps.map(({ why }) => why)),
    ]),
  ]);
}

function remarksOf(row: HoldingRow): string {
  const isUnderWay = row.settling_shares > 0 || row.in_sale_shares > 0;
  return [row.id, row.batch_ids.length, isUnderWay, isExternal(row), isMissing(row)].join(' ');
}
