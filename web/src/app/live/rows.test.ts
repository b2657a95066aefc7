import type { Change } from '@dutchbook/contract/stream.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { fresher } from './fresher.ts';
import { isFirstNews, isNews } from './list-refresh.ts';
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
  ])('%s', (_what, news, expected) => {
    expect(isNews(news, 'batch', rows)).toBe(expected);
  });

  it('once for a row that appears however often it changes, and once more when it is deleted', () => {
    const known = { type: 'batch', considered: new Set<string>() } as const;
    const appears = change('batch', 'b', 2_000);
    const seen = (news: Change, shown = rows) => isFirstNews(news, { ...known, rows: shown });
    expect([seen(appears), seen(appears)]).toEqual([true, false]);
    const deleted = change('opportunity_deleted', 'b', null);
    const withIt = [...rows, { id: 'b', created_at: instantFromMs(2_000) }];
    expect([seen(deleted, withIt), seen(deleted, withIt)]).toEqual([true, false]);
  });

  it('for the first row of an empty list', () => {
    expect(isNews(change('batch', 'b', 1), 'batch', [])).toBe(true);
  });
});
