/** Faults F4 to F9 of the reliability goals, as scenarios: what happens between an order and its answer. */
import { describe, expect, it } from 'vitest';
import { cancel, sell } from './operators.ts';
import { expectBoughtOnce, openStories, posts, SIZE, tradingCalls } from './scene.fixture.ts';

/** An order of which the venue speaks while its cancel is being answered is canceled once more, which changes nothing. */
function firstCancels(calls: ReturnType<typeof tradingCalls>, count: number): ReturnType<typeof tradingCalls> {
  const wanted = new Set(calls.filter(({ purpose }) => purpose === 'cancel').slice(0, count));
  return calls.filter((call) => call.purpose !== 'cancel' || wanted.has(call));
}

describe('a fault on the way of an order', () => {
  const play = openStories();

  it(
    'F4: a 500, a 502, a 408, a reset, a time-out and a broken answer are unknown outcomes, never failures',
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
        const unknown = (await simulation.check()).attempts.slice(-2).map(({ status }) => status);
        expect(unknown, JSON.stringify(fate)).not.toContain('failed');
        expect(unknown, JSON.stringify(fate)).not.toContain('rejected');
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
    'F5: what the exchange calls a duplicate of an order that it did not show is that order',
    play(async (scene) => {
      const { simulation } = scene;
      // The connection of the first call breaks off, and it arrives just before the copy of it.
      simulation.network.script('POST /orders', { kind: 'overtaken' });
      simulation.network.mishaps.orderUpdateLost = 1;
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(5_000);
      await simulation.check();
      expect(posts(simulation)).toBe(2);
      await simulation.doze(60_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'F6: after a rate limit nothing leaves before its time, and then cancels before sells before buys',
    play(
      async (scene) => {
        const { simulation } = scene;
        const { faults } = simulation.exchange;
        expect(await scene.buy()).toMatch(/^batch/);
        await simulation.doze(30_000);
        faults.add({ name: 'partial_fill', fraction: 0.1, times: 2 }, simulation.time.now());
        expect(await scene.buy(SIZE, simulation.opportunityIds[2])).toMatch(/^batch/);
        await simulation.pass(1_000);
        const [bought, resting] = (await simulation.check()).batches.map(({ id }) => id);

        const before = simulation.network.sent.length;
        faults.add({ name: 'rate_limit_429', times: 2, ms: 5_000 }, simulation.time.now());
        expect(await scene.buy(SIZE, simulation.opportunityIds[1])).toMatch(/^batch/);
        await simulation.pass(200);
        expect(await scene.ask((at) => cancel(at, resting ?? ''))).toBe('requested');
        await simulation.pass(200);
        expect(await scene.ask((at) => sell(at, bought ?? '', { kind: 'all', prices: new Map() }))).toMatch(/^sale/);
        await simulation.pass(1_000);
        const waiting = (await simulation.check()).orders.filter(({ error }) => error?.includes('wants fewer calls'));
        expect(waiting.map(({ status, side }) => `${side} ${status}`)).toEqual(['buy pending', 'buy pending']);
        await simulation.pass(10_000);
        await simulation.doze(60_000);

        const calls = firstCancels(tradingCalls(simulation, before), 2);
        expect(calls.map(({ purpose }) => purpose)).toEqual(['buy', 'cancel', 'cancel', 'sell', 'buy']);
        const [, rateLimited = 0, first = 0, , last = 0] = calls.map(({ at }) => at);
        expect(first - rateLimited).toBeGreaterThanOrEqual(5_000);
        expect(last - first).toBeLessThan(2_000);
        const stored = await simulation.checkAtRest();
        expect(stored.batches.map(({ status }) => status)).toEqual(['sold', 'canceled', 'completed']);
      },
      { opportunities: 3 },
    ),
  );

  it(
    'F6: an exchange that only cancels is tried once at a time, cancels meanwhile, and takes orders again',
    play(
      async (scene) => {
        const { simulation } = scene;
        simulation.exchange.faults.add({ name: 'partial_fill', fraction: 0.1, times: 2 }, simulation.time.now());
        expect(await scene.buy()).toMatch(/^batch/);
        await simulation.pass(1_000);
        const [resting] = (await simulation.check()).batches;
        simulation.exchange.engine.tradingMode.setMode('cancel_only');
        const before = simulation.network.sent.length;
        for (const id of simulation.opportunityIds.slice(1)) {
          expect(await scene.buy(SIZE, id)).toMatch(/^batch/);
          // What is placed before the first has been answered leaves with it.
          await simulation.pass(125);
        }
        expect(await scene.ask((at) => cancel(at, resting?.id ?? ''))).toBe('requested');
        await simulation.pass(20_000);
        const calls = firstCancels(tradingCalls(simulation, before), 1);
        const purposes = calls.map(({ purpose }) => purpose);
        // The cancellation leaves in the slot of the second try, before or behind it.
        expect([purposes[0], purposes.slice(1, 3).toSorted(), purposes.slice(3)]).toEqual([
          'buy',
          ['buy', 'cancel'],
          ['buy', 'buy'],
        ]);
        const buys = calls.filter(({ purpose }) => purpose === 'buy').map(({ at }) => at);
        const pauses = buys.slice(1).map((at, index) => at - (buys[index] ?? 0));
        for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** index);
        const reported = (await simulation.check()).batches.map(({ status, last_error }) => `${status}: ${last_error}`);
        expect(reported.slice(1)).toEqual(Array(4).fill(expect.stringMatching(/^failed: .*cancel-only/)));

        simulation.exchange.engine.tradingMode.setMode('normal');
        await simulation.pass(10_000);
        expect(await scene.buy()).toMatch(/^batch/);
        await simulation.doze(30_000);
        expect((await simulation.checkAtRest()).batches.at(-1)?.status).toBe('completed');
      },
      { opportunities: 5 },
    ),
  );

  it(
    'F7: one position in part and the other in full is notified as what is at risk',
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
    'F9: events that come twice and in the wrong order have the same result',
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
