/** The venue's dead man's switch: what rests while no engine is there to look after it is canceled, and booked so. */
import { describe, expect, it } from 'vitest';
import { disarmTrading } from './operators.ts';
import { openStories, type Scene } from './scene.fixture.ts';

describe("the venue's dead man's switch", () => {
  const play = openStories();

  /** Two positions of which a tenth is filled, and the rest of which waits in the books. */
  async function buyWithRest({ simulation, buy }: Scene): Promise<void> {
    simulation.exchange.faults.add({ name: 'partial_fill', fraction: 0.1, times: 2 }, simulation.time.now());
    expect(await buy()).toMatch(/^batch/);
    await simulation.pass(1_000);
    expect(resting({ simulation })).toBe(2);
  }

  const resting = ({ simulation }: Pick<Scene, 'simulation'>) =>
    simulation.exchange.engine.register.openOrders().length;
  const kill = ({ simulation }: Scene, name: string) => {
    const running = simulation.running.get(name);
    if (running === undefined) throw new Error(`${name} has started`);
    simulation.kill(running);
  };

  it(
    'keeps what rests while the process lives, cancels it when the process has died, and that is booked as canceled',
    play(async (scene) => {
      const { simulation } = scene;
      await buyWithRest(scene);
      await simulation.pass(30_000);
      expect(resting(scene)).toBe(2);
      await simulation.doze(60_000);
      expect(resting(scene)).toBe(2);
      kill(scene, 'A');
      await simulation.pass(4_000);
      expect(resting(scene)).toBe(2);
      await simulation.pass(7_000);
      expect(resting(scene)).toBe(0);
      await scene.restart();
      await simulation.doze(60_000);
      const { orders, attempts } = await simulation.checkAtRest();
      expect(orders.map(({ status }) => status)).toEqual(['partially_filled', 'partially_filled']);
      expect(attempts.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    }),
  );

  it(
    'cancels nothing while one of two processes lives, whichever of them it is',
    play(async (scene) => {
      const { simulation } = scene;
      await buyWithRest(scene);
      await simulation.time.drive(simulation.start('B').starting.ready);
      await simulation.pass(20_000);
      kill(scene, 'A');
      await simulation.pass(30_000);
      expect(resting(scene)).toBe(2);
      await simulation.check();
    }),
  );

  it(
    'expects nothing any more once trading is disarmed and nothing rests',
    play(async (scene) => {
      const { simulation } = scene;
      await buyWithRest(scene);
      await scene.ask(disarmTrading);
      await simulation.doze(60_000);
      expect(resting(scene)).toBe(0);
      const beats = () => simulation.network.sent.filter(({ path }) => path === '/v1/heartbeats').length;
      const before = beats();
      expect(before).toBeGreaterThan(0);
      await simulation.doze(60_000);
      expect(beats()).toBe(before);
    }),
  );
});
