import { useLayoutEffect, useRef, useState } from 'react';

/** Handlers that tell whether the pointer is over a list, menus it opened included. */
export function usePointerInside() {
  const [inside, setInside] = useState(false);
  return { inside, handlers: { onPointerEnter: () => setInside(true), onPointerLeave: () => setInside(false) } };
}

/**
 * The rows to show: the newest, but in the order and number already on screen while `held`, so that no row moves under
 * the pointer. Another `view` (page, filter, sort, an action of the user's own) shows at once.
 */
export function useSteadyRows<Row extends { id: string }>(rows: readonly Row[], held: boolean, view: string) {
  const shown = useRef({ rows, view });
  const next = held && shown.current.view === view ? inOrderOf(shown.current.rows, rows) : rows;
  useLayoutEffect(() => {
    shown.current = { rows: next, view };
  }, [next, view]);
  return next;
}

/** `shown` with each row in its newest state; rows that are gone or new wait. */
export function inOrderOf<Row extends { id: string }>(shown: readonly Row[], newest: readonly Row[]): readonly Row[] {
  const newestById = new Map(newest.map((row) => [row.id, row]));
  return shown.map((row) => newestById.get(row.id) ?? row);
}

/** Of a row, how many fold behind it, and the last of them. */
export type Behind = ReadonlyMap<string, { last: string; count: number }>;

/** Rows in a row of one key fold behind the first, but where the last of them is among those that are opened. */
export function folded<Row extends { id: string }>(
  rows: readonly Row[],
  keyOf: ((row: Row) => string | null) | undefined,
  opened: ReadonlySet<string>,
): { shown: readonly Row[]; behind: Behind } {
  if (keyOf === undefined) return { shown: rows, behind: new Map() };
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const key = keyOf(row);
    if (group !== undefined && key !== null && keyOf(group[0]) === key) group.push(row);
    else groups.push([row]);
  }
  const behind: Behind = new Map(
    groups.flatMap((group) => {
      const last = group.at(-1);
      return last === undefined || group.length === 1
        ? []
        : [[group[0].id, { last: last.id, count: group.length - 1 }] as const];
    }),
  );
  const shown = groups.flatMap((group) => (opened.has(group.at(-1)?.id ?? '') ? group : [group[0]]));
  return { shown, behind };
}
