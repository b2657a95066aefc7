import { expect, it } from 'vitest';
import type { Position } from '../opportunity/position.ts';
import { Roster } from './roster.ts';
import { Round } from './round.ts';
import { type OpportunityRow, type Tracked, trackedOf } from './tracked.ts';

/** Opportunities of two positions each, of which the named ones are restless. */
function roundOf(count: number, restlessOnes: readonly number[] = []) {
  const roster = new Roster<Tracked>();
  const restless = new Set<Tracked>();
  const all = Array.from({ length: count }, (_, place) => {
    const positions = ['rain', `snow-${place}`].map(
      (marketId, at): Position => ({ leg: at + 1, marketId, outcome: 'Yes' }),
    );
    return trackedOf({ id: `${place}`, triggered: false } as OpportunityRow, positions);
  });
  for (const item of all) roster.add(item);
  for (const place of restlessOnes) restless.add(all[place] as Tracked);
  const round = new Round(roster, restless);
  const go = () => {
    const visited: string[] = [];
    const isLeft = round.go(({ row }) => void visited.push(row.id));
    return { visited, isLeft };
  };
  return { roster, restless, all, round, go };
}

it('visits the restless each time, and the others by and by: all within sixty rounds', () => {
  const { round, go } = roundOf(120, [7]);
  const seen = new Map<string, number>();
  for (let nth = 0; nth < 61; nth += 1) {
    expect(round.begin()).toBe(true);
    const { visited, isLeft } = go();
    expect(isLeft).toBe(false);
    expect(visited.length).toBeLessThanOrEqual(3);
    expect(visited.filter((id) => id === '7')).toHaveLength(1);
    for (const id of visited) seen.set(id, (seen.get(id) ?? 0) + 1);
  }
  expect(seen.size).toBe(120);
  expect(seen.get('8')).toBe(1);
});

it('visits those that pay each time, once', () => {
  const { roster, restless, all } = roundOf(120, [7]);
  const paying = new Set([all[7], all[60]] as Tracked[]);
  const round = new Round(roster, restless, paying);
  const visited = (): string[] => {
    const ids: string[] = [];
    round.begin();
    round.go(({ row }) => void ids.push(row.id));
    return ids.filter((id) => id === '7' || id === '60').sort();
  };
  expect([visited(), visited()]).toEqual([
    ['60', '7'],
    ['60', '7'],
  ]);
});

it('begins again with the first of the others once all had their turn', () => {
  const { round, go } = roundOf(2);
  const visited = Array.from({ length: 6 }, () => {
    round.begin();
    return go().visited.join();
  });
  expect(visited).toEqual(['0', '1', '', '0', '1', '']);
});

it('stops after 500 positions, goes on with what is left, and begins no other round before', () => {
  const { round, go } = roundOf(
    600,
    Array.from({ length: 300 }, (_, place) => place),
  );
  expect(round.begin()).toBe(true);
  const first = go();
  expect([first.visited.length, first.isLeft]).toEqual([250, true]);
  expect(round.begin()).toBe(false);
  const second = go();
  expect([second.visited.length, second.isLeft]).toEqual([50, false]);
  expect(new Set([...first.visited, ...second.visited]).size).toBe(300);
  expect(round.begin()).toBe(true);
});

it('visits none that was removed since the round began', () => {
  const { roster, all, round, go } = roundOf(3, [0, 1, 2]);
  round.begin();
  roster.remove(all[1] as Tracked);
  expect(go().visited.sort()).not.toContain('1');
});

it('finds by markets what is followed of them, each once, and nothing that was removed', () => {
  const { roster, all } = roundOf(3);
  const of = (...marketIds: string[]) => [...roster.affectedBy(new Set(marketIds))].map(({ row }) => row.id);
  expect(of()).toEqual([]);
  expect(of('hail')).toEqual([]);
  expect(of('rain')).toEqual(['0', '1', '2']);
  expect(of('snow-1', 'rain')).toEqual(['1', '0', '2']);
  expect(of('hail', 'snow-2')).toEqual(['2']);
  roster.remove(all[1] as Tracked);
  expect(of('rain')).toEqual(['0', '2']);
  expect(of('snow-1')).toEqual([]);
  expect(roster.get('1')).toBeUndefined();
  expect([...roster.all()].map(({ row }) => row.id)).toEqual(['0', '2']);
  expect(roster.size).toBe(2);
});
