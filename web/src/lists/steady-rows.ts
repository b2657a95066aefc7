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

/** `shown` with each row in its newest state; rows that are gone or new wait. Where that is what is newest, it is that array itself. */
export function inOrderOf<Row extends { id: string }>(shown: readonly Row[], newest: readonly Row[]): readonly Row[] {
  const newestById = new Map(newest.map((row) => [row.id, row]));
  const rows = shown.map((row) => newestById.get(row.id) ?? row);
  return rows.length === newest.length && rows.every((row, place) => row === newest[place]) ? newest : rows;
}
