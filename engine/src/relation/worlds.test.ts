import type { Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { relationOf } from './relation.fixture.ts';
import type { RelationKind } from './relation.ts';
import { paysIn, worldsOf } from './worlds.ts';

const OPEN = null;
const ONE = 1_000_000 as Price;
const ZERO = 0 as Price;
const HALF = 500_000 as Price;

type Leg = { member: number; outcome: 0 | 1 };

function valuesOf(kind: RelationKind, roles: string, isComplete: boolean, resolved: (Price | null)[] = []): string[] {
  const relation = { ...relationOf(kind, roles, isComplete), isVoidSafe: true };
  return worldsOf(relation, resolved, []).map(({ values }) => values.map((value) => value / 1e6).join(' '));
}

describe('worlds', () => {
  it('of each kind are those that it allows', () => {
    expect(valuesOf('pair', 'o', true)).toEqual(['1', '0']);
    expect(valuesOf('exactly_one', 'ooo', true)).toEqual(['1 0 0', '0 1 0', '0 0 1']);
    expect(valuesOf('at_most_one', 'oo', false)).toEqual(['1 0', '0 1', '0 0']);
    expect(valuesOf('ladder', 'ttt', false)).toEqual(['1 1 1', '0 1 1', '0 0 1', '0 0 0']);
    expect(valuesOf('buckets', 'btb', true)).toEqual(['1 1 0', '0 0 1']);
    expect(valuesOf('buckets', 'btbt', false)).toEqual(['1 1 0 1', '0 0 1 1', '0 1 0 1', '0 0 0 1', '0 0 0 0']);
  });

  it('agree with what has resolved, and a voided member says nothing of the others', () => {
    expect(valuesOf('exactly_one', 'ooo', true, [OPEN, ZERO, OPEN])).toEqual(['1 0 0', '0 0 1']);
    expect(valuesOf('ladder', 'ttt', false, [OPEN, ONE, OPEN])).toEqual(['1 1 1', '0 1 1']);
    expect(valuesOf('exactly_one', 'ooo', true, [OPEN, HALF, OPEN])).toEqual(['1 0.5 0', '0 0.5 0', '0 0.5 1']);
    expect(valuesOf('exactly_one', 'ooo', true, [ONE, ONE, OPEN])).toEqual([]);
  });

  it('with voided markets are, for each leg, the one in which that leaves least, and the one in which all are', () => {
    const legs: Leg[] = [
      { member: 0, outcome: 1 },
      { member: 2, outcome: 0 },
    ];
    const ladder = { ...relationOf('ladder', 'ttt'), isVoidSafe: false };
    const worlds = worldsOf(ladder, [OPEN, OPEN, OPEN], legs);
    expect(worlds.filter(({ voided }) => voided)).toEqual([
      { name: 'no member comes true, member 1 is voided', voided: true, values: [HALF, ZERO, ZERO] },
      { name: 'member 1 comes true and all easier ones, member 3 is voided', voided: true, values: [ONE, ONE, HALF] },
      { name: 'all of them are voided', voided: true, values: [HALF, ONE, HALF] },
    ]);
    expect(worlds.map((world) => paysIn(legs, world).map((pay) => pay / 1e6))).toEqual([
      [0, 1],
      [1, 1],
      [1, 1],
      [1, 0],
      [0.5, 0],
      [0, 0.5],
      [0.5, 0.5],
    ]);
  });

  it('are voided only where a market of the legs still can be', () => {
    const legs: Leg[] = [{ member: 1, outcome: 0 }];
    const ladder = { ...relationOf('ladder', 'tt'), isVoidSafe: false };
    expect(worldsOf(ladder, [ONE, OPEN], legs).map(({ name }) => name)).toEqual([
      'member 1 comes true and all easier ones',
      'member 1 comes true and all easier ones, member 2 is voided',
    ]);
    expect(worldsOf({ ...ladder, isVoidSafe: true }, [], legs).every(({ voided }) => !voided)).toBe(true);
  });
});
