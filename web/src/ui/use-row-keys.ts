import { type KeyboardEvent, useRef } from 'react';
import { useAfterPaint } from './use-in-slices.ts';
import { useShortcuts } from './use-shortcuts.ts';

const NO_KEYS = {};

/**
 * Moves the focus from row to row of a table's body: j and k from anywhere on the page, the arrows from a row. Enter
 * opens the row it is on. Without `onOpen` the table has no keys.
 */
export function useRowKeys<Row>(rows: readonly Row[] | undefined, onOpen: ((row: Row) => void) | undefined) {
  const body = useRef<HTMLTableSectionElement>(null);
  const move = (step: 1 | -1) => focusRow(body.current, step);
  useShortcuts(onOpen === undefined ? NO_KEYS : { j: () => move(1), k: () => move(-1) });
  const onKeyDown = (event: KeyboardEvent) => {
    if (onOpen === undefined || !(event.target instanceof HTMLTableRowElement)) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') open(event.target);
    else return;
    event.preventDefault();
  };
  const openSoon = useAfterPaint((row: Row) => onOpen?.(row));
  const open = (element: HTMLTableRowElement) => {
    const row = rows?.[element.sectionRowIndex];
    if (row !== undefined) openSoon(row);
  };
  return { body, onKeyDown };
}

/** From outside, the first step leads to the first row, or backwards to the last. */
function focusRow(body: HTMLTableSectionElement | null, step: 1 | -1): void {
  if (body === null) return;
  const focused = document.activeElement?.closest('tr');
  const at = focused && focused.parentElement === body ? focused.sectionRowIndex : undefined;
  const outside = step === 1 ? 0 : body.rows.length - 1;
  body.rows[at === undefined ? outside : at + step]?.focus();
}
