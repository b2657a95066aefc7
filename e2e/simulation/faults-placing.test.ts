/** Faults F4 to F9 of the reliability goals, told as stories: what happens between an order and its answer. */
import { describe, expect, it } from 'vitest';
import { cancel } from './operators.ts';
import { expectBoughtOnce, openStories, posts, SIZE } from './scene.fixture.ts';

describe('a fault on the way of an order', () => {
  const play = openStories();

  it(
    'F4: a 500, a 502, a 408, a reset, a time-out and a broken answer are doubts, never failures',
    play(async (scene) => {
      const { simulation } = scene;
      const fates = [
        { kind: 'answer', status: 500, body: '{"error":"could not insert order"}' },
        { kind: 'answer', status: 502, body: '<html>Bad Gateway</html>' },
        { kind: 'answer', status: 408, body: '' },
        { kind: 'answer', status: 200, body: '[{"success":tr' },
        { kind: 'reset' },
        { kind: 'answer_lost' },
      ] as const;
      for (const [index, fate] of fates.entries()) {
        simulation.network.script('POST /orders', fate);
        simulation.network.script('GET /data/order/', { kind: 'answer_lost' });
        expect(await scene.buy()).toMatch(/^batch/);
        await simulation.pass(fate.kind === 'answer_lost' ? 10_500 : 500);
        const doubtful = (await simulation.check()).attempts.slice(-2).map(({ status }) => status);
        expect(doubtful, JSON.stringify(fate)).not.toContain('failed');
        expect(doubtful, JSON.stringify(fate)).not.toContain('refused');
        await simulation.doze(30_000);
        const stored = await simulation.checkAtRest();
        expect(stored.batches.map(({ status }) => status)).toEqual(Array(index + 1).fill('completed'));
        expect(simulation.truth().orders).toHaveLength(2 * (index + 1));
      }
    }),
  );

  it(
    'F5: what the exchange calls a duplicate is the order itself',
    play(async (scene) => {
      const { simulation } = scene;
      // The first call arrives only after the copy of it, so that it is the one that is called a duplicate.
      simulation.network.script('POST /orders', { kind: 'late', ms: 40_000 });
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.doze(150_000);
      await expectBoughtOnce(scene);
      expect(posts(simulation)).toBe(2);
    }),
  );

  it(
    'F6: a rate limit refuses once, and is not stormed',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.exchange.faults.add({ name: 'rate_limit_429' }, simulation.time.now());
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(5_000);
      const refused = await simulation.check();
      expect(refused.attempts.map(({ status }) => status)).toEqual(['refused', 'refused']);
      expect(refused.batches.map(({ status }) => status)).toEqual(['failed']);
      expect(posts(simulation)).toBe(1);
      expect(simulation.truth().orders).toEqual([]);
    }),
  );

  it(
    'F6: an exchange that only cancels refuses what is bought and still cancels',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.exchange.faults.add({ name: 'partial_fill', fraction: 0.1, times: 2 }, simulation.time.now());
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(1_000);
      simulation.exchange.floor.engine.setMode('cancel_only');
      const [batch] = (await simulation.check()).batches;
      expect(await scene.ask((at) => cancel(at, batch?.id ?? ''))).toBe('requested');
      await simulation.doze(30_000);
      const stored = await simulation.checkAtRest();
      expect(stored.batches.map(({ status }) => status)).toEqual(['canceled']);
      expect(simulation.truth().orders.filter(({ isStanding }) => isStanding)).toEqual([]);
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.doze(150_000);
      expect((await simulation.checkAtRest()).batches.map(({ status }) => status)).toEqual(['canceled', 'failed']);
      expect(simulation.truth().orders).toHaveLength(2);
    }),
  );

  it(
    'F7: one position in part and the other in full is told as what is at risk',
    play(async (scene) => {
      const { simulation, opportunity } = scene;
      const [thin] = opportunity.legs;
      const order = { name: 'partial_fill', fraction: 0.1, token_id: thin?.tokenId } as const;
      simulation.exchange.faults.add(order, simulation.time.now());
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(3_000);
      const stored = await simulation.check();
      const [part, full] = stored.orders;
      expect(part).toMatchObject({ status: 'partially_filled' });
      expect(full).toMatchObject({ status: 'filled', filled_size: SIZE * 1_000_000 });
      expect(stored.batches[0]).toMatchObject({ status: 'processing' });
      expect(stored.batches[0]?.unhedged).toMatchObject({ positions: [{ orderId: full?.id }] });
    }),
  );

  it(
    'F8: a trade that fails to settle takes its fill back, and the profit with it',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.exchange.faults.add({ name: 'fail_settlement', times: 1 }, simulation.time.now());
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.doze(60_000);
      const stored = await simulation.checkAtRest();
      expect(stored.fills.map(({ settlement }) => settlement).sort()).toEqual(['confirmed', 'failed']);
      expect(stored.batches.map(({ status }) => status)).toEqual(['partial_completed']);
      expect(stored.batches[0]?.actual_profit ?? 0).toBeLessThan(0);
    }),
  );

  it(
    'F9: events that come twice and in the wrong order come to the same',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.exchange.faults.add({ name: 'duplicate_user_events', times: 50 }, simulation.time.now());
      simulation.exchange.faults.add({ name: 'reorder_user_events', times: 50 }, simulation.time.now());
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.doze(30_000);
      await expectBoughtOnce(scene);
    }),
  );
});
