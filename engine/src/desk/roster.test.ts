import { priceFromText } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { Roster } from './roster.ts';
import { type OpportunityRow, trackedOf } from './tracked.ts';

function item(id: string, ...marketIds: string[]) {
  const row = { id, active: true, targetPrice: priceFromText('1'), triggered: false, rises: 0 } as OpportunityRow;
  return trackedOf(
    row,
    marketIds.map((marketId, place) => ({ leg: place + 1, marketId, outcome: 'Yes' })),
  );
}

const idsOf = (roster: Roster<ReturnType<typeof item>>, ...marketIds: string[]) =>
  [...roster.affectedBy(new Set(marketIds))].map(({ row }) => row.id);

it('finds what is tracked by its id and by each of its markets, once however many of those have changed', () => {
  const roster = new Roster<ReturnType<typeof item>>();
  const [one, other] = [item('one', 'rain', 'snow'), item('other', 'snow', 'wind')];
  for (const each of [one, other, one]) roster.add(each);
  expect([roster.size, [...roster.all()]]).toEqual([2, [one, other]]);
  expect([roster.get('one'), roster.get('none')]).toEqual([one, undefined]);
  expect(idsOf(roster, 'rain')).toEqual(['one']);
  expect(idsOf(roster, 'snow')).toEqual(['one', 'other']);
  expect(idsOf(roster, 'rain', 'snow', 'fog')).toEqual(['one', 'other']);
  expect(idsOf(roster, 'fog', 'wind')).toEqual(['other']);
  expect([idsOf(roster), idsOf(roster, 'fog'), idsOf(roster, 'fog', 'hail')]).toEqual([[], [], []]);
});

it('has nothing more of what was removed, and all of what shares a market with it', () => {
  const roster = new Roster<ReturnType<typeof item>>();
  const [one, other] = [item('one', 'rain', 'snow'), item('other', 'snow')];
  roster.add(one);
  roster.add(other);
  roster.remove(one);
  expect([roster.size, roster.get('one'), [...roster.all()]]).toEqual([1, undefined, [other]]);
  expect(idsOf(roster, 'rain', 'snow')).toEqual(['other']);
  expect(idsOf(roster, 'snow')).toEqual(['other']);
  roster.remove(item('never', 'hail', 'rain'));
  expect(roster.size).toBe(1);
  // A market of which nothing is tracked takes no memory: it is one that was never known.
  const never = roster.affectedBy(new Set(['never']));
  expect(roster.affectedBy(new Set(['rain']))).toBe(never);
  expect(roster.affectedBy(new Set())).toBe(never);
  roster.remove(other);
  expect(roster.affectedBy(new Set(['snow']))).toBe(never);
});
