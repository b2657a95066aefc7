import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { presentRelation } from '../relations/present.ts';
import { cupOf, memberOf, openDiscoveryDesk } from './discovery.fixture.ts';
import { readCatalogueEvents } from './relation-changes.ts';

const CHEAP = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'] } as const;

/** The cup with what was added to the rules of "b". */
function cupWith(clarifications: string | null) {
  const members = ['a', 'b', 'c'].map((name, memberIndex) =>
    memberOf(name, { memberIndex, clarifications: name === 'b' ? clarifications : '' }),
  );
  return cupOf([], { members });
}

describe('what a venue adds to rules later', () => {
  it('voids the relations of its market within one pass, pauses what was found, and notifies once', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const { db } = desk.runtime;
    desk.desk.events = [cupWith('')];
    const discovery = await desk.start();
    await desk.pass();
    desk.quote(CHEAP);
    await desk.pass(3);
    expect(await desk.found()).toMatchObject([{ active: true }]);

    desk.desk.events = [cupWith('b wins also by lot.')];
    await desk.pass();
    const [cup] = await desk.relations('exactly_one');
    expect(cup).toMatchObject({ state: 'void', reason: 'Changed after it was read: clarifications' });
    expect(await desk.found()).toMatchObject([{ active: false }]);
    await desk.pass(12);
    const notified = await db.select().from(notifications).where(eq(notifications.notificationType, 'relation_void'));
    expect(notified.map(({ message }) => message)).toEqual([
      expect.stringContaining('The cup: the venue has changed clarifications. 2 relations are void'),
    ]);
    if (cup === undefined) throw new Error('no relation');
    const shown = presentRelation(cup, {
      kindsOn: desk.settings.current(),
      isFollowed: false,
      events: await readCatalogueEvents(db, [cup]),
      quotes: new Map(),
      now: desk.runtime.clock.now(),
    });
    expect(shown.differences).toMatchObject([
      { market_id: 'b', field: 'clarifications', before: null, after: 'b wins also by lot.' },
    ]);
    expect(shown.member_list[1]?.rules).toBe(
      'The market of b resolves by the official result.\n\nAdded after it was listed:\nb wins also by lot.',
    );
    await discovery.stop();
  });

  it('changes nothing while the venue does not say, and is judged once it does', async () => {
    const desk = await openDiscoveryDesk();
    await using _ = desk;
    const states = async () => (await desk.relations()).map(({ state }) => state);
    const change = async (clarifications: string | null) => {
      desk.desk.events = [cupWith(clarifications)];
      await desk.pass();
    };
    desk.desk.events = [cupWith('b wins also by lot.')];
    const discovery = await desk.start();
    await desk.pass();
    const [before] = await desk.relations('exactly_one');
    await change(null);
    expect(await desk.relations('exactly_one')).toMatchObject([
      { state: 'proposed', fingerprint: before?.fingerprint, updatedAt: before?.updatedAt },
    ]);
    await change('b wins also by lot.');
    expect(await states()).not.toContain('void');
    await change('b wins by lot alone.');
    expect(await states()).toContain('void');
    await discovery.stop();
  });
});
