import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { expect, it } from 'vitest';
import { testTime } from '../../platform/runtime/test-time.ts';
import { openTurns } from './turns.ts';

function openHits() {
  const time = testTime(() => new Promise((resolve) => setImmediate(resolve)));
  const turns = openTurns(time);
  const begun: (number | null)[] = [];
  const ends = new Map<number | null, () => void>();
  const hit = (annualised: number | null) =>
    void turns.take(annualised === null ? null : percentFromNumber(annualised)).then((end) => {
      begun.push(annualised);
      ends.set(annualised, end);
    });
  return { time, begun, hit, end: (annualised: number | null) => ends.get(annualised)?.() };
}

it('hits of one moment decide one after the other, the best of those that wait first, and what is not known last', async () => {
  const { time, begun, hit, end } = openHits();
  for (const annualised of [null, 4, 30]) hit(annualised);
  await time.advance(0);
  expect(begun).toEqual([30]);
  hit(50);
  end(30);
  end(30);
  await time.advance(0);
  expect(begun).toEqual([30, 50]);
  end(50);
  await time.advance(0);
  end(4);
  await time.advance(0);
  expect(begun).toEqual([30, 50, 4, null]);
});

it('a hit that has not decided after a second lets the next one go', async () => {
  const { time, begun, hit, end } = openHits();
  hit(30);
  hit(4);
  await time.advance(999);
  expect(begun).toEqual([30]);
  await time.advance(1);
  expect(begun).toEqual([30, 4]);
  end(30);
  hit(2);
  await time.advance(0);
  expect(begun).toEqual([30, 4]);
});
