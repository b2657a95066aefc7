import { expect, it } from 'vitest';
import { cupOf, memberOf, openDiscoveryDesk } from '../market/discovery/discovery.fixture.ts';
import { copySettings } from './copy-settings.ts';
import { installation } from './table.ts';

const NAMES = ['a', 'b', 'c'];
const OTHER = cupOf(['d', 'e'], { id: 'other', slug: 'other' });

it('has relations that were copied judged by what was trusted of them on paper, by an installation that has read nothing before', async () => {
  const paper = await openDiscoveryDesk();
  await using _ = paper;
  paper.desk.events = [cupOf(NAMES), OTHER];
  const before = await paper.start();
  await paper.pass();
  await before.stop();
  await paper.runtime.db.insert(installation).values({ only: true, world: 'paper', since: paper.runtime.clock.now() });

  const real = await openDiscoveryDesk();
  await using __ = real;
  await copySettings(paper.runtime.db, real.runtime.db, real.runtime.clock);
  const members = NAMES.map((name, memberIndex) =>
    memberOf(name, { memberIndex, ...(name === 'b' && { rules: 'b wins also by lot.' }) }),
  );
  real.desk.events = [cupOf([], { members }), OTHER];
  const after = await real.start();
  await real.pass();
  const rows = await real.relations();
  expect(rows).toHaveLength((await paper.relations()).length);
  const statesOf = (id: string) => new Set(rows.filter(({ eventId }) => eventId === id).map(({ state }) => state));
  expect(statesOf('cup')).toEqual(new Set(['void', 'proposed']));
  expect(statesOf('other')).toEqual(new Set(['proposed']));
  const [cup] = rows.filter(({ kind, eventId }) => kind === 'exactly_one' && eventId === 'cup');
  expect(cup?.state).toBe('void');
  await after.stop();
});
