import { expect, it } from 'vitest';
import { rowTimes, type ToldRow } from './match-rows.ts';
import { eventOf } from './planted.fixture.ts';

const SPAN = { fromMs: 1000, toMs: 100_000 };

function rowAt(atMs: number, changed: Partial<ToldRow> = {}): ToldRow {
  return { eventId: 'cup', opportunityId: 'first', active: true, atMs, ...changed };
}

it('times each window to its first active row, also where the row comes after the window has ended', () => {
  const cup = eventOf([
    [2000, 3000],
    [9000, 9010],
    [20_000, 21_000],
  ]);
  const rows = [
    rowAt(1990, { eventId: 'another' }),
    rowAt(2025),
    rowAt(2030, { opportunityId: 'second' }),
    rowAt(8000, { active: false }),
    rowAt(8000, { opportunityId: 'second', active: false }),
    rowAt(9040),
    rowAt(15_000, { active: false }),
    rowAt(20_007),
  ];
  expect(rowTimes([cup], rows, SPAN)).toEqual({ tookMs: [25, 40, 7], missing: [] });
});

it('counts a window without a row as missing, and leaves out one whose opportunity was in the list', () => {
  const cup = eventOf([
    [500, 600],
    [2000, 3000],
    [5000, 6000],
    [7000, 8000],
  ]);
  const rows = [rowAt(5020), rowAt(7010)];
  expect(rowTimes([cup], rows, SPAN)).toEqual({ tookMs: [20], missing: [{ event: cup, fromMs: 2000 }] });
  expect(rowTimes([eventOf([[2000, 3000]], { is_decoy: true })], rows, SPAN)).toEqual({ tookMs: [], missing: [] });
});
