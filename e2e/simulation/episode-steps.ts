/** What situations are made of. */
import { ASTRAY, buyBargain } from './operator-moves.ts';
import type { Product } from './product.ts';
import type { Running, Simulation } from './simulation.ts';

export type Episode = (simulation: Simulation, product: Product) => Promise<void>;

/** Lets time pass, and checks what it has brought. */
export async function step(simulation: Simulation, atLeastMs: number, atMostMs = atLeastMs): Promise<void> {
  await simulation.pass(simulation.random.between(atLeastMs, atMostMs));
  await simulation.check();
}

/** Lets so many blocks of the chain come, one after the other, and looks at each. */
export async function blocks(simulation: Simulation, atLeast: number, atMost = atLeast): Promise<void> {
  for (let left = simulation.random.between(atLeast, atMost); left > 0; left -= 1) await step(simulation, BLOCK_MS);
}

const BLOCK_MS = 2_000;

/** How a call for something begins, at each of the venues. */
export const CALLS = {
  post: ['POST /order', 'POST /trade-api/v2/portfolio/events/orders'],
  lookup: ['GET /data/order/', 'GET /trade-api/v2/portfolio/orders'],
  cancel: ['DELETE /orders', 'DELETE /trade-api/v2/portfolio/events/orders'],
  books: ['POST /books', 'GET /trade-api/v2/markets/orderbooks'],
  cash: ['GET /balance-allowance', 'GET /trade-api/v2/portfolio/balance'],
} as const;

export function sendAstray({ random, network }: Simulation, call: string | readonly string[]): void {
  const fate = random.pick(ASTRAY);
  if (fate !== undefined) network.script(call, fate);
}

export async function newestBatch(simulation: Simulation): Promise<string> {
  return (await simulation.stored()).batches.at(-1)?.id ?? '';
}

/** Buys, with nothing in the way; answers the batch. */
export async function bought(simulation: Simulation, product: Product): Promise<string> {
  await buyBargain(simulation, product);
  await step(simulation, 400);
  return await newestBatch(simulation);
}

export function runningOf({ running }: Simulation, { owner }: Product): Running | undefined {
  return [...running.values()].find(({ starting }) => starting.owner === owner);
}

/** A second process; `product` itself when it cannot be had. */
export async function anotherProcess(simulation: Simulation, product: Product): Promise<Product> {
  const { running, time } = simulation;
  if (running.size === 1) await time.drive(simulation.start('B').starting.ready);
  const other = [...running.values()].find(
    ({ starting }) => starting.owner !== product.owner && !starting.owner.isDead,
  );
  return other?.product ?? product;
}

/** Whichever process is the first to pass a step stops there: with several, the batch may be any one's. */
export function stopOneAt(simulation: Simulation, point: string): void {
  for (const one of simulation.running.values()) simulation.stopAt(one, point);
}

/** The one that has stopped; the others go on and will not stop any more. */
export function oneStopped(simulation: Simulation): Running | undefined {
  const all = [...simulation.running.values()];
  const stopped = all.find(({ starting }) => starting.owner.isFrozen);
  for (const one of all) if (one !== stopped) simulation.goOn(one);
  return stopped;
}

/** A dead process starts again, after a moment or at once. */
export async function restart(simulation: Simulation): Promise<void> {
  for (const [name, { starting }] of simulation.running) {
    if (!starting.owner.isDead) continue;
    await step(simulation, 10, 500);
    await simulation.time.drive(simulation.start(name).starting.ready);
  }
  await step(simulation, 200);
}
