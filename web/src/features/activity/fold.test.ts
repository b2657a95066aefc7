import type { Activity } from '@dutchbook/contract/status.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { expect, it } from 'vitest';
import { folded } from './fold.ts';

const done = (kind: Activity['kind'], text: string, nth: number, usd: number | null = null) =>
  ({
    ...{ id: `${nth}`, at: nth, kind, text, opportunity_id: null, batch_id: `batch ${nth}` },
    usd: usd === null ? null : usdFromNumber(usd),
  }) as unknown as Activity;

const shown = (activity: readonly Activity[]) =>
  folded(activity).map(({ latest, all, usd }) => [latest.kind, latest.text, all.length, latest.batch_id, usd]);

it('joins what the clips of a series do in turn, each with the latest of them, and nothing that differs', () => {
  const activity = [
    ...[9, 7, 5].flatMap((nth) => [done('filled', 'It is bought', nth), done('bought', '10 sets', nth - 1)]),
    ...[done('triggered', 'up to 2.53%', 3), done('filled', 'It is bought in part', 2)],
  ];
  expect(shown(activity)).toEqual([
    ['filled', 'It is bought', 3, 'batch 9', null],
    ['bought', '10 sets', 3, 'batch 8', null],
    ['triggered', 'up to 2.53%', 1, 'batch 3', null],
    ['filled', 'It is bought in part', 1, 'batch 2', null],
  ]);
});

it('adds up the dollars of what differs in nothing else', () => {
  const activity = [
    done('cash', 'Sprint: $1,014.80 came from shares that were converted', 9, 1014.8),
    done('cash', 'Sprint: it is sold. Profit -$0.20, of $0.74 planned', 8, -0.2),
    done('cash', 'Sprint: $14.80 came from shares that were converted', 7, 14.8),
    done('cash', 'Sprint: it is sold. Profit $0.71, of $0.74 planned', 6, 0.71),
    done('cash', 'Cup: $14.80 came from shares that were converted', 5, 14.8),
  ];
  expect(folded(activity).map(({ all, usd }) => [all.length, usd])).toEqual([
    [2, usdFromNumber(1029.6)],
    [2, usdFromNumber(0.51)],
    [1, usdFromNumber(14.8)],
  ]);
});

it('keeps apart what was done again after other things', () => {
  const others = ['a', 'b', 'c', 'd'].map((text, nth) => done('found', text, nth));
  const twice = [done('refused', 'No', 9), ...others, done('refused', 'No', 1)];
  expect(folded(twice).map(({ all }) => all.length)).toEqual([1, 1, 1, 1, 1, 1]);
});
