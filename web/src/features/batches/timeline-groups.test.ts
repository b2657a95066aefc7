import type { TimelineEntry } from '@dutchbook/contract/execution.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { expect, it } from 'vitest';
import { countWords, type EventGroup, groupEvents, hashIn, offsetMs } from './timeline-groups.ts';

const START_MS = 1_700_000_000_000;

function entry(event: TimelineEntry['event'], ms: number, order_id: string | null = null): TimelineEntry {
  const at = instantFromMs(START_MS + ms);
  return {
    at,
    event,
    order_id,
    leg: null,
    market_name: null,
    outcome: null,
    side: null,
    size: null,
    price: null,
    detail: null,
  };
}

it('tells what happened to several orders in a row once, and nothing out of its order', () => {
  const groups = groupEvents([
    entry('decided', 0),
    entry('committed', 2, 'a'),
    entry('committed', 2, 'b'),
    entry('filled', 9, 'a'),
    entry('settled', 10, 'a'),
    entry('filled', 11, 'b'),
  ]);
  expect(groups.map(({ event, entries }) => [event, entries.map(({ order_id }) => order_id)])).toEqual([
    ['decided', [null]],
    ['committed', ['a', 'b']],
    ['filled', ['a']],
    ['settled', ['a']],
    ['filled', ['b']],
  ]);
});

it('counts orders, and not their trades, of what happened to several', () => {
  const wordsOf = (apartMs: number, ...orders: string[]) => {
    const all = [entry('decided', 0), ...orders.map((order, nth) => entry('filled', 50 + nth * apartMs, order))];
    return countWords(groupEvents(all)[1] as EventGroup, all);
  };
  expect(wordsOf(0, 'a', 'b', 'c')).toBe('3 orders');
  expect(wordsOf(0, 'a', 'b', 'a', 'c')).toBe('4 times, 3 orders');
  expect(wordsOf(0, 'a', 'a')).toBe('2 times, 1 order');
  expect(wordsOf(4, 'a', 'b', 'c')).toBe('3 orders, the last +58 ms');
});

it('keeps what happened to the whole batch twice apart', () => {
  expect(groupEvents([entry('retry_requested', 0), entry('retry_requested', 5)])).toHaveLength(2);
});

it('counts from the decision', () => {
  const entries = [entry('decided', 100), entry('sent', 138)];
  expect(offsetMs(entries, instantFromMs(START_MS + 138))).toBe(38);
  expect(offsetMs([], instantFromMs(START_MS))).toBe(0);
});

it('finds the hash of a transaction in a detail', () => {
  const hash = `0x${'4b'.repeat(32)}`;
  expect(hashIn(`Transaction ${hash} in block 7.`)).toEqual({ before: 'Transaction ', hash, after: ' in block 7.' });
  expect(hashIn('Market 0x1b48 resolved.')).toBeUndefined();
});
