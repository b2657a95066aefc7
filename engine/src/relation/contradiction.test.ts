import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { memberOf } from './catalogue-event.fixture.ts';
import { contradictionOf, whyContradicted, wordsOfContradiction } from './contradiction.ts';
import { allWorlds } from './enumeration.fixture.ts';
import { relationOf, seeded } from './relation.fixture.ts';
import type { RelationKind } from './relation.ts';
import { worldsOf } from './worlds.ts';

const VALUES: Readonly<Record<string, Price | null>> = {
  '1': PRICE_ONE,
  '0': PRICE_ZERO,
  '-': null,
  v: 500_000 as Price,
};
const NAMES = 'ABCDEFGH'.split('');

type Made = { isComplete?: boolean; isVoidSafe?: boolean };

/** `resolved`: a letter for each member: 1 came true, 0 did not, v was voided, - is open. */
function said(kind: RelationKind, roles: string, resolved: string, made: Made = {}): string | null {
  const relation = {
    ...relationOf(kind, roles, made.isComplete ?? kind === 'exactly_one'),
    isVoidSafe: made.isVoidSafe ?? false,
  };
  const contradiction = contradictionOf(
    relation,
    [...resolved].map((letter) => VALUES[letter] ?? null),
  );
  return contradiction && wordsOfContradiction(contradiction, NAMES.slice(0, roles.length));
}

describe('what members have resolved to', () => {
  it('contradicts at most one where two came true', () => {
    expect(said('at_most_one', 'oooo', '-1-1')).toBe('B and D both came true');
    expect(said('at_most_one', 'ooo', '000')).toBeNull();
    expect(said('at_most_one', 'ooo', '1--')).toBeNull();
  });

  it('contradicts exactly one where two came true, or all have ended and none did', () => {
    expect(said('exactly_one', 'ooo', '11-')).toBe('A and B both came true');
    expect(said('exactly_one', 'ooo', '000')).toBe('none of its 3 members came true');
    expect(said('exactly_one', 'ooo', '00-')).toBeNull();
    expect(said('exactly_one', 'ooo', '010')).toBeNull();
  });

  it('contradicts a ladder where a harder step came true and an easier one did not', () => {
    expect(said('ladder', 'ttt', '1-0')).toBe('A came true and C, which it implies, did not');
    expect(said('ladder', 'ttt', '001')).toBeNull();
    expect(said('ladder', 'ttt', '000')).toBeNull();
  });

  it('contradicts buckets where a threshold says something else', () => {
    expect(said('buckets', 'btb', '10-')).toBe('A came true and B, which it implies, did not');
    expect(said('buckets', 'btb', '-11')).toBe('B and C both came true');
    expect(said('buckets', 'btbtb', '-1-0-')).toBe('B came true and D, which it implies, did not');
    expect(said('buckets', 'btb', '1-1')).toBe('A and C both came true');
    expect(said('buckets', 'btb', '0-0', { isComplete: true })).toBe('none of its 3 members came true');
    expect(said('buckets', 'btb', '-00', { isComplete: true })).toBe('B did not come true, and nothing beyond it did');
    expect(said('buckets', 'btb', '01-', { isComplete: true })).toBe('B came true and nothing that implies it did');
    expect(said('buckets', 'btbtb', '-001-', { isComplete: true })).toBe(
      'D came true and B did not, and nothing between them did',
    );
    expect(said('buckets', 'btbtb', '-001-')).toBeNull();
  });

  it('never contradicts a pair', () => {
    expect(['1', '0', '-', 'v'].map((resolved) => said('pair', 'o', resolved, { isVoidSafe: true }))).toEqual(
      Array(4).fill(null),
    );
  });

  it('says nothing against a relation that allows for voids where a member was voided, and all against one that does not', () => {
    expect(said('exactly_one', 'ooo', '00v')).toBeNull();
    expect(said('at_most_one', 'ooo', '1v-')).toBeNull();
    expect(said('ladder', 'ttt', '1v-')).toBeNull();
    expect(said('ladder', 'ttt', '1v0')).toBe('A came true and C, which it implies, did not');
    expect(said('exactly_one', 'ooo', '-v-', { isVoidSafe: true })).toBe('B was voided, which its contract rules out');
  });

  it('is said with the names that the event gives its members, else with their questions', () => {
    const members = [
      memberOf('Will Ann win?', { marketId: 'm1', groupTitle: 'Ann', resolvedValue: PRICE_ONE }),
      memberOf('Will Bea win?', { marketId: 'm2' }),
      memberOf('Will Cy win?', { marketId: 'm3', resolvedValue: PRICE_ONE }),
    ];
    const listed = new Map(members.map((member) => [member.marketId, member]));
    expect(whyContradicted(relationOf('at_most_one', 'ooo'), listed)).toBe('Ann and Will Cy win? both came true');
    listed.delete('m3');
    expect(whyContradicted(relationOf('at_most_one', 'ooo'), listed)).toBeNull();
  });
});

describe('a contradiction is what the enumeration of all worlds says', () => {
  it('of random small relations of every kind', () => {
    const random = seeded(23);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const roles = (letters: string, least: number) =>
      Array.from({ length: least + Math.floor(random() * (8 - least)) }, () => pick([...letters])).join('');
    const make: Record<RelationKind, () => ReturnType<typeof relationOf>> = {
      pair: () => relationOf('pair', 'o', true),
      at_most_one: () => relationOf('at_most_one', roles('o', 2)),
      exactly_one: () => relationOf('exactly_one', roles('o', 2)),
      ladder: () => relationOf('ladder', roles('t', 2)),
      buckets: () => relationOf('buckets', `b${roles('bt', 1)}`, random() < 0.5),
    };
    const seen = { contradicted: 0, possible: 0 };
    for (let run = 0; run < 40_000; run += 1) {
      const relation = { ...make[pick(Object.keys(make) as RelationKind[])](), isVoidSafe: false };
      const resolved = relation.members.map(() => pick([PRICE_ONE, PRICE_ZERO, PRICE_ZERO, null, 500_000 as Price]));
      const isPossible = allWorlds(relation).some((world) =>
        resolved.every((value, place) => {
          if (value !== PRICE_ONE && value !== PRICE_ZERO) return true;
          return (value === PRICE_ONE) === world[place];
        }),
      );
      const contradiction = contradictionOf(relation, resolved);
      seen[isPossible ? 'possible' : 'contradicted'] += 1;
      const reported = () => JSON.stringify({ relation, resolved, contradiction });
      expect(contradiction === null, reported()).toBe(isPossible);
      expect(worldsOf(relation, resolved, []).length > 0, reported()).toBe(isPossible);
    }
    expect(Math.min(seen.contradicted, seen.possible)).toBeGreaterThan(5_000);
  });
});
