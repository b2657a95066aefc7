import { expect, it } from 'vitest';
import { onlyEngine } from '../../platform/engines/engines.ts';
import { openDecisionJournal } from '../decision-journal/note.ts';
import { journalAt } from '../decision-journal/read.ts';
import { rejectRelation } from '../relations/decide.ts';
import { BOSS, cupOf, openDiscoveryDesk } from './discovery.fixture.ts';

it('notes the relations that are watched, with what is known of their members, and the settings', async () => {
  await using desk = await openDiscoveryDesk();
  const { runtime, time } = desk;
  const journal = openDecisionJournal(runtime, onlyEngine().partitions);
  desk.desk.events = [cupOf(['a', 'b', 'c'])];
  const discovery = await desk.start(undefined, journal);
  await desk.pass();
  const state = () => journalAt(runtime.db, 'simulated', time.clock.now());
  const [cup] = await desk.relations('exactly_one');
  const { relation, discovery: settings } = await state();
  expect(relation.size).toBe((await desk.relations()).length);
  expect(relation.get(cup?.id ?? '')).toMatchObject({
    ...{ kind: 'exactly_one', basis: 'enforced', state: 'proposed', title: cup?.title },
    members: [
      { marketId: 'a', tokenId: 'a:yes', role: 'outcome', resolved: null },
      { marketId: 'b', tokenId: 'b:yes' },
      { marketId: 'c', tokenId: 'c:yes' },
    ],
  });
  expect(settings.get('')).toEqual(desk.settings.current());

  await desk.change({ enabled: false });
  await rejectRelation(runtime, { id: cup?.id ?? '', actor: BOSS }, 'no');
  await desk.pass(4);
  const after = await state();
  expect(after.discovery.get('')).toMatchObject({ enabled: false });
  expect([...after.relation.keys()]).toEqual([...relation.keys()].filter((id) => id !== cup?.id));

  await discovery.stop();
  await journal.stop();
  expect((await state()).relation.size).toBe(after.relation.size);
});
