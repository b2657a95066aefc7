/** Losses that other people's programs have made, each with the place where it was reported. */
import { describe, expect, it } from 'vitest';
import { expectBoughtOnce, openStories, posts } from './scene.fixture.ts';

describe('a loss that a trader had', () => {
  const play = openStories();

  it(
    'py-clob-client 273: three time-outs in a row, each sent again, are one fill',
    play(async (scene) => {
      const { network } = scene.simulation;
      for (let lost = 0; lost < 3; lost += 1) network.script('POST /orders', { kind: 'answer_lost' });
      expect(await scene.buy()).toMatch(/^batch/);
      await scene.simulation.doze(150_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'py-clob-client 261: an order that arrives 45 seconds late, after it was given up, is one order',
    play(async (scene) => {
      scene.simulation.network.script('POST /orders', { kind: 'late', ms: 45_000 });
      expect(await scene.buy()).toMatch(/^batch/);
      await scene.simulation.pass(11_000);
      const unknown = await scene.simulation.check();
      expect(unknown.attempts.map(({ status }) => status)).not.toContain('failed');
      await scene.simulation.doze(150_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'hummingbot 8457: six orders that were accepted in an outage are not given up',
    play(
      async (scene) => {
        const { simulation } = scene;
        simulation.network.script('POST /orders', { kind: 'reset' });
        expect(await scene.buy()).toMatch(/^batch/);
        await simulation.pass(20);
        simulation.network.setDown(true);
        await simulation.pass(30_000);
        const inTheDark = await simulation.check();
        expect(inTheDark.attempts).toHaveLength(6);
        expect(inTheDark.attempts.filter(({ status }) => status === 'failed' || status === 'rejected')).toEqual([]);
        simulation.network.setDown(false);
        await simulation.doze(60_000);
        await expectBoughtOnce(scene);
      },
      { legs: 6 },
    ),
  );

  it(
    'hummingbot 493: what timed out is not bought again by a repeated request',
    play(async (scene) => {
      scene.simulation.network.script('POST /orders', { kind: 'answer_lost' });
      expect(await scene.buy()).toMatch(/^batch/);
      await scene.simulation.pass(9_000);
      expect(await scene.buy()).toMatch(/refused: .*active/);
      await scene.simulation.doze(60_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'hummingbot 1663: fills reported twice by the stream and again by the poll count once',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.exchange.faults.add({ name: 'duplicate_user_events', times: 100 }, simulation.time.now());
      simulation.network.mishaps.frameDoubled = 1;
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.doze(30_000);
      const stored = await expectBoughtOnce(scene);
      expect(stored.fills).toHaveLength(simulation.truth().trades.length);
    }),
  );

  it(
    'hummingbot 720: orders that wait out a stop are not doubled when the network comes back',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.network.script('POST /orders', { kind: 'answer_lost' });
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(40);
      simulation.network.setDown(true);
      for (const running of simulation.running.values()) simulation.kill(running);
      await simulation.pass(5_000);
      const starting = simulation.start('A').starting.ready;
      await simulation.pass(5_000);
      simulation.network.setDown(false);
      await simulation.time.drive(starting);
      await simulation.doze(60_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'py-clob-client-v2 101: a placed order is not a failure because asking after it fails',
    play(async (scene) => {
      const { simulation } = scene;
      for (let failed = 0; failed < 6; failed += 1) {
        simulation.network.script('GET /data/order/', { kind: 'answer', status: 500, body: '{"error":"internal"}' });
      }
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(3_000);
      const meanwhile = await simulation.check();
      expect(meanwhile.attempts.filter(({ status }) => status === 'failed' || status === 'rejected')).toEqual([]);
      await simulation.doze(60_000);
      await expectBoughtOnce(scene);
      expect(posts(simulation)).toBe(1);
    }),
  );
});
