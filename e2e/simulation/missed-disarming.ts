/** Trading is disarmed at one process, and another that is about to buy, or to retry, misses it. */
import { anotherProcess, bought, type Episode, oneStopped, step, stopOneAt } from './episode-steps.ts';
import { quoteSet } from './market-scene.ts';
import { buyBargain } from './operator-moves.ts';
import { armTrading, disarmRowAlone, disarmTrading, place, retry } from './operators.ts';
import type { Product } from './product.ts';
import type { Simulation } from './simulation.ts';
import { cancelResting } from './venues/second-venue.ts';

/** Steps between recording what is to be bought and marking it as sent. */
const BEFORE_MARKING = ['orders_signed', 'attempts_committed'];

export const missedDisarming: Episode = async (simulation, product) => {
  const { random, opportunityIds } = simulation;
  const other = await anotherProcess(simulation, product);
  if (other === product) return;
  const half = await halfBought(simulation, product);
  const isPurchase = random.unit() < 0.5;
  if (random.unit() < 0.8) {
    await offerAll(simulation);
    await disarmUnseen(simulation, random.pick(BEFORE_MARKING) ?? 'orders_signed', () => {
      if (isPurchase) simulation.ask(product, 'buy', () => place(product, random.pick(opportunityIds) ?? '', null));
      else simulation.ask(product, 'retry', () => retry(product, half));
    });
  } else {
    product.owner.isDeaf = true;
    simulation.ask(other, 'disarm', () => disarmTrading(other));
    await step(simulation, 20, 100);
    if (isPurchase) await buyBargain(simulation, product);
    else simulation.ask(product, 'retry', () => retry(product, half));
  }
  await step(simulation, 500, 1_500);
  for (const { starting } of simulation.running.values()) starting.owner.isDeaf = false;
  simulation.ask(other, 'arm', () => armTrading(other));
  await step(simulation, 100);
};

/** A batch that lacks half of its shares. */
async function halfBought(simulation: Simulation, product: Product): Promise<string> {
  const { exchange, time } = simulation;
  simulation.addFault({ name: 'partial_fill', fraction: 0.5, times: 2 });
  const id = await bought(simulation, product);
  cancelResting(exchange);
  // By then it is known that nothing of it rests, and a retry is judged at once.
  await time.jump(2_000);
  await step(simulation, 300);
  return id;
}

/** Deep books, cheap for long enough that the price is stored: nothing but the disarming is against what is bought. */
async function offerAll(simulation: Simulation): Promise<void> {
  const { random, exchange, scene } = simulation;
  for (const opportunity of scene) quoteSet(exchange, opportunity, 0.88, () => 500, random);
  await step(simulation, 1_200);
}

/** The process that carries out what is asked for stands still at `point`, before it marks that; no other process will stop it. */
export async function disarmUnseen(
  simulation: Simulation,
  point: string,
  ask: () => void | Promise<void>,
): Promise<void> {
  const { running } = simulation;
  stopOneAt(simulation, point);
  await ask();
  for (let waited = 0; waited < STOPS_WITHIN_MS && !isOneStopped(running); waited += 50) await step(simulation, 50);
  const stopped = oneStopped(simulation);
  const other = simulation.aliveProduct();
  if (stopped === undefined || other === null) return;
  stopped.starting.owner.isDeaf = true;
  simulation.ask(other, 'disarm unseen', () => disarmRowAlone(other));
  await step(simulation, 20, 150);
  simulation.goOn(stopped);
}

const STOPS_WITHIN_MS = 1_000;

function isOneStopped(running: Simulation['running']): boolean {
  return [...running.values()].some(({ starting }) => starting.owner.isFrozen);
}
