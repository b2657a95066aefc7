import type { Activity } from '@dutchbook/contract/status.ts';
import { expect, it } from 'vitest';
import { folded } from './fold.ts';

const done = (kind: Activity['kind'], text: string, nth: number) =>
  ({ id: `${nth}`, at: nth, kind, text, opportunity_id: null, batch_id: `batch ${nth}` }) as unknown as Activity;

it('joins what the clips of a series do in turn, each with the latest of them, and nothing that differs', () => {
  const activity = [
    ...[9, 7, 5].flatMap((nth) => [done('filled', 'Profit $0.74', nth), done('bought', '10 sets', nth - 1)]),
    ...[done('triggered', 'up to 2.53%', 3), done('filled', 'Profit $0.71', 2)],
  ];
  expect(folded(activity).map(({ kind, text, times, batch_id }) => [kind, text, times, batch_id])).toEqual([
    ['filled', 'Profit $0.74', 3, 'batch 9'],
    ['bought', '10 sets', 3, 'batch 8'],
    ['triggered', 'up to 2.53%', 1, 'batch 3'],
    ['filled', 'Profit $0.71', 1, 'batch 2'],
  ]);
});

it('keeps apart what was done again after other things', () => {
  const others = ['a', 'b', 'c', 'd'].map((text, nth) => done('found', text, nth));
  const twice = [done('refused', 'No', 9), ...others, done('refused', 'No', 1)];
  expect(folded(twice).map(({ times }) => times)).toEqual([1, 1, 1, 1, 1, 1]);
});
