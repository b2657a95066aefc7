import type { KeyboardEvent } from 'react';

const STEPS: Record<string, [rows: number, buttons: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Arrow keys lead from button to button: up and down between the rows (`data-row`) of `list`, left and right in one. */
export function moveByArrow(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = STEPS[event.key];
  if (step === undefined || list === null) return;
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].map(buttonsOf).filter((row) => row.length > 0);
  const from = placeOf(rows, document.activeElement);
  const [rowStep, buttonStep] = step;
  const row = rows[from.row + rowStep];
  const target = row?.[Math.min(Math.max(from.button + buttonStep, 0), row.length - 1)];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

/** From the search field, which stands above all rows, one step down is the first. */
export function focusFirst(event: KeyboardEvent, list: HTMLElement | null): void {
  const first = list?.querySelector<HTMLElement>('[data-row] button:not(:disabled)');
  if (event.key !== 'ArrowDown' || !first) return;
  event.preventDefault();
  first.focus();
}

const buttonsOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>('button:not(:disabled)')];

function placeOf(rows: readonly HTMLElement[][], focused: Element | null): { row: number; button: number } {
  if (!(focused instanceof HTMLElement)) return { row: -1, button: 0 };
  const row = rows.findIndex((buttons) => buttons.includes(focused));
  return { row, button: rows[row]?.indexOf(focused) ?? 0 };
}
