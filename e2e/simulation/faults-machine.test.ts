/** Faults F10 to F26 of the reliability goals, as scenarios: feeds, processes, people and accounts. */
import { placeOutsideOrder } from '@dutchbook/exchange/control/outside-order.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { quoteSet } from './market-scene.ts';
import { armTrading, cancel, disarmTrading, place, retry, sell } from './operators.ts';
import { runAs } from './owner.ts';
import { expectBoughtOnce, openStories, posts, SIZE } from './scene.fixture.ts';

describe('a fault of a feed, a machine or a person', () => {
  const play = openStories();

  it(
    'F10: nothing is bought at the books of a feed that has gone silent',
    play(async (scene) => {
      const { simulation, opportunity } = scene;
      simulation.exchange.faults.add({ name: 'freeze_stream', ms: 600_000 }, simulation.time.now());
      quoteSet(simulation.exchange, opportunity, 1.05, () => 100, simulation.random);
      await simulation.pass(36_000);
      expect(await scene.buy()).toMatch(/^refused/);
      await simulation.check();
      expect(posts(simulation)).toBe(0);
    }),
  );

  it(
    'F10: nor where its books cannot be read over REST either',
    play(async (scene) => {
      const { simulation, opportunity } = scene;
      simulation.exchange.faults.add({ name: 'freeze_stream', ms: 600_000 }, simulation.time.now());
      for (let call = 0; call < 100; call += 1)
        simulation.network.script('POST /books', { kind: 'answer', status: 503, body: '<html>' });
      quoteSet(simulation.exchange, opportunity, 1.05, () => 100, simulation.random);
      await simulation.pass(36_000);
      await expect(scene.buy()).rejects.toThrow('503');
      await simulation.check();
      expect(posts(simulation)).toBe(0);
    }),
  );

  it(
    'F12: nothing is bought while the clock and that of the exchange disagree by more than five seconds',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.exchange.engine.clock.skewMs = 7_000;
      await simulation.pass(11_000);
      expect(await scene.buy()).toMatch(/^refused: .*clock/i);
      expect(posts(simulation)).toBe(0);
      simulation.exchange.engine.clock.skewMs = 0;
      await simulation.pass(11_000);
      expect(await scene.buy()).toMatch(/^batch/);
    }),
  );

  it.each(['orders_signed', 'marked_sent'])(
    'F15: a process that stops at %s and wakes up after its lease doubles nothing',
    async (point) => {
      await play(async (scene) => {
        const { simulation } = scene;
        const asleep = simulation.running.get('A');
        if (asleep === undefined) throw new Error('A has started');
        simulation.stopAt(asleep, point);
        simulation.ask(scene.product, 'place', () => place(scene.product, scene.opportunityId, sharesFromNumber(SIZE)));
        await simulation.pass(3_000);
        expect(asleep.starting.owner.isFrozen).toBe(true);
        await simulation.time.drive(simulation.start('B').starting.ready);
        await simulation.doze(30_000);
        await simulation.check();
        asleep.starting.owner.thaw();
        await simulation.doze(60_000);
        await expectBoughtOnce(scene);
      })();
    },
  );

  it(
    'F16: twenty at once are one batch',
    play(async (scene) => {
      const { simulation, product, opportunityId } = scene;
      const answers = Array.from({ length: 20 }, () =>
        runAs(product.owner, () => place(product, opportunityId, sharesFromNumber(SIZE))),
      );
      const reported = await simulation.time.drive(Promise.all(answers));
      expect(reported.filter((answer) => answer.startsWith('batch'))).toHaveLength(1);
      await simulation.doze(30_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'F17: a process that dies at any step of selling all has sold every share once when it is back',
    play(
      async (scene) => {
        const { simulation } = scene;
        const points = ['sale_recorded', 'marked_sent', 'venue_answered'];
        for (const point of points) {
          expect(await scene.buy()).toMatch(/^batch/);
          await simulation.doze(30_000);
          const bought = (await simulation.check()).batches.at(-1);
          const running = simulation.running.get('A');
          if (running !== undefined) simulation.dieAfter(running, 0, point);
          const { product } = scene;
          simulation.ask(product, 'sell all', () =>
            sell(product, bought?.id ?? '', { kind: 'all', prices: new Map() }),
          );
          await simulation.pass(8_000);
          expect(running?.starting.owner.isDead, point).toBe(true);
          await scene.restart();
          await simulation.doze(60_000);
          const stored = await simulation.checkAtRest();
          expect(stored.batches.at(-1)?.status, point).toBe('sold');
          expect([...simulation.truth().tokens.values()], point).toEqual([]);
        }
      },
      { legs: 3 },
    ),
  );

  it(
    'F18: retry, cancel, selling and a fill at the same time leave one legal state',
    play(async (scene) => {
      const { simulation, product } = scene;
      simulation.exchange.faults.add({ name: 'partial_fill', fraction: 0.1, times: 2 }, simulation.time.now());
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(1_000);
      const id = (await simulation.check()).batches[0]?.id ?? '';
      const asks = [
        cancel,
        retry,
        (at: typeof product) => sell(at, id, { kind: 'all', prices: new Map() }),
        (at: typeof product) => sell(at, id, { kind: 'unwind', prices: new Map() }),
        cancel,
      ];
      for (const ask of asks) simulation.ask(product, 'at once', () => ask(product, id));
      await simulation.pass(200);
      await simulation.check();
      await simulation.doze(150_000);
      await simulation.checkAtRest();
    }),
  );

  it(
    'F19: nothing leaves 250 ms after disarming, what rests is canceled within 5 s, and a restart changes nothing',
    play(
      async (scene) => {
        const { simulation } = scene;
        simulation.exchange.faults.add({ name: 'partial_fill', fraction: 0.1, times: 6 }, simulation.time.now());
        expect(await scene.buy()).toMatch(/^batch/);
        await simulation.pass(1_000);
        expect(await scene.ask(disarmTrading)).toBe('done');
        await simulation.pass(5_000);
        await simulation.check();
        expect(simulation.truth().orders.filter(({ isStanding }) => isStanding)).toEqual([]);
        const sent = posts(simulation);
        for (const running of simulation.running.values()) simulation.kill(running);
        await scene.restart();
        expect(await scene.buy()).toMatch(/refused: .*disarmed/);
        await simulation.doze(30_000);
        await simulation.checkAtRest();
        expect(posts(simulation)).toBe(sent);
        expect(await scene.ask(armTrading)).toBe('done');
      },
      { legs: 6 },
    ),
  );

  it.each([200, 300, 400, 420, 440, 500])(
    'F19: nothing leaves the process at which trading is disarmed %i ms after a placing began, however long the database takes',
    (afterMs) =>
      play(async (scene) => {
        const { simulation, product, opportunityId } = scene;
        simulation.databaseDelayMs = 100;
        simulation.ask(product, 'place', () => place(product, opportunityId, sharesFromNumber(SIZE)));
        await simulation.pass(afterMs);
        const left = posts(simulation);
        simulation.ask(product, 'disarm', () => disarmTrading(product));
        await simulation.pass(10_000);
        await simulation.check();
        expect(posts(simulation)).toBe(left);
      })(),
  );

  it(
    'F18: what is unknown when its batch is canceled is asked about, and not sent again',
    play(async (scene) => {
      const { simulation } = scene;
      simulation.network.script('POST /orders', { kind: 'lost' });
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.pass(3_000);
      const [batch] = (await simulation.check()).batches;
      expect(await scene.ask((at) => cancel(at, batch?.id ?? ''))).toBe('requested');
      await simulation.doze(210_000);
      const stored = await simulation.checkAtRest();
      expect(stored.batches.map(({ status }) => status)).toEqual(['canceled']);
      expect(posts(simulation)).toBe(1);
    }),
  );

  it(
    'F21: a setting that changes in mid-batch does not reach it',
    play(async (scene) => {
      const { simulation, product, opportunityId } = scene;
      const running = simulation.running.get('A');
      if (running !== undefined) simulation.dieAfter(running, 0, 'batch_recorded');
      simulation.ask(product, 'place', () => place(product, opportunityId, sharesFromNumber(SIZE)));
      await simulation.pass(1_000);
      const sql = `insert into system_settings (name, value, updated_at) values ('ORDER_SIMULATION_ENABLED', 'true', now())`;
      await simulation.write(sql);
      await scene.restart();
      await simulation.doze(30_000);
      await expectBoughtOnce(scene);
    }),
  );

  it(
    'F21: nothing is bought on an unreadable setting, until it is set again',
    play(
      async (scene) => {
        const { simulation } = scene;
        expect(await scene.buy()).toMatch(/^refused: .*BATCH_MIN_SUCCESS_RATE/);
        expect(posts(simulation)).toBe(0);
        await simulation.write(`update system_settings set value = '1' where name = 'BATCH_MIN_SUCCESS_RATE'`);
        await simulation.pass(1_500);
        expect(await scene.buy()).toMatch(/^batch/);
      },
      { settings: { BATCH_MIN_SUCCESS_RATE: -3 } },
    ),
  );

  it(
    'F23: an order that another program placed with our key is shown, notified once, and left alone',
    play(async (scene) => {
      const { simulation, opportunity } = scene;
      const { engine } = simulation.exchange;
      const [leg] = opportunity.legs;
      const account = engine.register.firstAccount()?.address ?? '';
      if (leg === undefined) throw new Error('there are two legs');
      const token = { market: leg.market, outcome: leg.outcome, tokenId: leg.tokenId };
      const wanted = { token_id: leg.tokenId, side: 'BUY', price: '0.3', size: '5' } as const;
      const placed = placeOutsideOrder(engine, account, token, wanted);
      const id = 'id' in placed ? placed.id : placed.refused;
      simulation.strangers.add(id);
      expect(await scene.buy()).toMatch(/^batch/);
      await simulation.doze(30_000);
      const stored = await simulation.checkAtRest();
      expect(stored.batches.map(({ status }) => status)).toEqual(['completed']);
      expect(stored.external).toEqual([id]);
      expect(engine.register.orders.get(id)?.status).toBe('LIVE');
    }),
  );

  it(
    'F26: an account that cannot pay for every position pays for none',
    play(async (scene) => {
      const { simulation } = scene;
      const { engine } = simulation.exchange;
      engine.balances.setCash(engine.register.firstAccount()?.address ?? '', 10_000_000 as never);
      expect(await scene.buy()).toMatch(/refused: .*balance/i);
      expect(posts(simulation)).toBe(0);
    }),
  );
});
