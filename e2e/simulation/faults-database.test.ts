/** Faults F13, F14 and F25 of the reliability goals, as scenarios: the database and the machine fail under the loops. */
import { describe, expect, it } from 'vitest';
import { expectBoughtOnce, openStories, posts } from './scene.fixture.ts';

/** A transaction that fails is taken back all the same: a server does that when a connection breaks. */
const refusing = (hit: RegExp, words: string) => (sql: string) =>
  hit.test(sql) && !/^\s*rollback/i.test(sql) ? words : null;

const WRITES = /^\s*(insert|update|delete)/i;

describe('a fault of the database or of the machine', () => {
  const play = openStories();

  it.each([
    { fault: 'F13: while the database is down', words: 'the database system is shutting down', hit: /./ },
    { fault: 'F14: while its disk is full', words: 'could not extend file: No space left on device', hit: WRITES },
  ])('$fault nothing leaves, and afterwards everything goes on', async ({ words, hit }) => {
    await play(async (scene) => {
      const { simulation } = scene;
      simulation.databaseRefuses = refusing(hit, words);
      await expect(scene.buy()).rejects.toThrow();
      await simulation.pass(30_000);
      expect(posts(simulation)).toBe(0);
      simulation.databaseRefuses = () => null;
      await simulation.pass(6_000);
      expect(await scene.buy()).toMatch(/^batch/);
      simulation.databaseRefuses = refusing(hit, words);
      await simulation.pass(2_000);
      const sent = posts(simulation);
      await simulation.pass(28_000);
      expect(posts(simulation)).toBe(sent);
      simulation.databaseRefuses = () => null;
      await simulation.doze(60_000);
      const stored = await simulation.checkAtRest();
      expect(['completed', 'failed']).toContain(stored.batches[0]?.status);
    })();
  });

  it(
    'F25: a process that was held up for two seconds keeps its lease and buys once',
    play(async (scene) => {
      const { simulation } = scene;
      const running = simulation.running.get('A');
      if (running === undefined) throw new Error('A has started');
      await simulation.time.drive(simulation.start('B').starting.ready);
      expect(await scene.buy()).toMatch(/^batch/);
      running.starting.owner.freeze();
      await simulation.pass(2_000);
      running.starting.owner.thaw();
      await simulation.doze(30_000);
      await expectBoughtOnce(scene);
    }),
  );
});
