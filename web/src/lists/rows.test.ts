import type { Change } from '@dutchbook/contract/stream.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { fresher } from '../live/fresher.ts';
import { hasChanged, isFirstChange, isRelevant, noteShown } from './list-refresh.ts';
import { inOrderOf } from './steady-rows.ts';

describe('of a row that was read and one that came by the stream', () => {
  const row = (updatedMs: number, name: string) => ({ updated_at: instantFromMs(updatedMs), name });
  const read = { ...row(1_000, 'read'), requestedAtMs: 50 };
  const live = (updatedMs: number, receivedAtMs: number) => ({ data: row(updatedMs, 'live'), receivedAtMs });

  it.each([
    ['the read one, when nothing else came', undefined, 'read'],
    ['the one with the later update, even if it came first', live(2_000, 10), 'live'],
    ['the read one, when the other is older', live(900, 90), 'read'],
    ['the streamed one of two equal updates, when it came after the question', live(1_000, 60), 'live'],
    ['the read one of two equal updates, when it was asked for later', live(1_000, 40), 'read'],
    ['the read one of two equal updates, when it was asked for in the moment the other came', live(1_000, 50), 'read'],
  ])('shows %s', (_what, entry, shown) => {
    expect(fresher(read, entry).name).toBe(shown);
  });
});

it('holds the rows in place, each in its newest state', () => {
  const shown = [
    { id: 'a', price: 1 },
    { id: 'b', price: 2 },
    { id: 'c', price: 3 },
  ];
  const newest = [
    { id: 'c', price: 9 },
    { id: 'd', price: 4 },
    { id: 'a', price: 7 },
  ];
  // What is offered for these rows stays as long as they do.
  expect(inOrderOf(newest, newest)).toBe(newest);
  expect(inOrderOf(shown, newest)).toEqual([
    { id: 'a', price: 7 },
    { id: 'b', price: 2 },
    { id: 'c', price: 9 },
  ]);
});

describe('a list is read again', () => {
  const rows = [{ id: 'a', created_at: instantFromMs(1_000) }];
  const change = (type: string, id: string, createdMs: number | null) =>
    ({
      seq: 1,
      topic: 't',
      type,
      id,
      data: createdMs === null ? null : { created_at: createdMs },
    }) as unknown as Change;

  it.each([
    ['for a younger row', change('batch', 'b', 2_000), true],
    ['not for a row it shows', change('batch', 'a', 2_000), false],
    ['not for an older row of another page', change('batch', 'b', 500), false],
    ['not for another kind of object', change('order', 'b', 2_000), false],
    ['when a row it shows is deleted', change('opportunity_deleted', 'a', null), true],
    ['not when another one is', change('opportunity_deleted', 'b', null), false],
  ])('%s', (_what, change, expected) => {
    expect(isRelevant(change, 'batch', rows)).toBe(expected);
  });

  it('once for a row that appears however often it changes, and once more when it is deleted', () => {
    const known = { type: 'batch', considered: new Set<string>() } as const;
    const appears = change('batch', 'b', 2_000);
    const seen = (change: Change, shown = rows) => isFirstChange(change, { ...known, rows: shown });
    expect([seen(appears), seen(appears)]).toEqual([true, false]);
    const deleted = change('opportunity_deleted', 'b', null);
    const withIt = [...rows, { id: 'b', created_at: instantFromMs(2_000) }];
    expect([seen(deleted, withIt), seen(deleted, withIt)]).toEqual([true, false]);
  });

  it('for the first row of an empty list', () => {
    expect(isRelevant(change('batch', 'b', 1), 'batch', [])).toBe(true);
  });
});

describe('a list with a filter is read again', () => {
  const row = (id: string) => ({ id, created_at: instantFromMs(1_000) });
  const failed = (id: string, status = 'failed') =>
    ({ seq: 1, topic: 'batches', type: 'batch', id, data: { status } }) as unknown as Change;
  const rule = () => ({
    type: 'batch' as const,
    matches: ({ status }: { status: string }) => status === 'failed',
    elsewhere: new Map<string, boolean>(),
  });
  const whole = (...ids: string[]) => ({ rows: ids.map(row), isWhole: true });
  const page = (...ids: string[]) => ({ rows: ids.map(row), isWhole: false });

  it('for a row that begins to match some time after it appeared, as often as it does', () => {
    const known = rule();
    const reads = (change: Change, shown: ReturnType<typeof whole>) => hasChanged(change, known, shown);
    expect(reads(failed('a', 'pending'), whole())).toBe(false);
    expect(reads(failed('a'), whole())).toBe(true);
    expect(reads(failed('a'), whole('a'))).toBe(false);
    expect(reads(failed('a', 'pending'), whole('a'))).toBe(true);
    expect(reads(failed('a'), whole())).toBe(true);
  });

  it('for each that matches while the first answer is on its way, and again where that does not have it', () => {
    const known = rule();
    expect(hasChanged(failed('a'), known, whole())).toBe(true);
    expect(hasChanged(failed('a'), known, whole('b'))).toBe(true);
  });

  it('for a row of another page that begins or ceases to match, and not for one that it hears of for the first time', () => {
    const known = rule();
    const reads = (change: Change) => hasChanged(change, known, page('b'));
    expect([reads(failed('a')), reads(failed('a'))]).toEqual([false, false]);
    expect([reads(failed('a', 'sold')), reads(failed('a', 'sold'))]).toEqual([true, false]);
    expect([reads(failed('a')), reads(failed('a'))]).toEqual([true, false]);
    noteShown(known.elsewhere, page('a', 'b').rows);
    expect(known.elsewhere.size).toBe(0);
  });

  it('once for a row of one page of several that ceases to match, and when it matches again after it has gone', () => {
    const known = rule();
    const ceases = failed('a', 'sold');
    expect([hasChanged(ceases, known, page('a')), hasChanged(ceases, known, page('a'))]).toEqual([true, false]);
    noteShown(known.elsewhere, page('b').rows);
    expect(hasChanged(failed('a'), known, page('b'))).toBe(true);
  });

  it('not for another kind of object, and when a row of it is deleted', () => {
    const known = rule();
    const order = { ...failed('a'), type: 'order' } as unknown as Change;
    expect(hasChanged(order, known, whole())).toBe(false);
    const deleted = { seq: 1, topic: 't', type: 'opportunity_deleted', id: 'a', data: null } as const;
    expect(hasChanged(deleted, known, whole('a'))).toBe(true);
    expect(hasChanged(deleted, known, whole('b'))).toBe(false);
  });
});
