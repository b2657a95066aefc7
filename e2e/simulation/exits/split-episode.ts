/** Dollars are split, and what becomes of bids, trading and processes until what they become is sold, or is not. */
import { blocks, CALLS, type Episode, newestBatch, restart, runningOf, sendAstray, step } from '../episode-steps.ts';
import { quoteSet } from '../market-scene.ts';
import { SELL_ALL } from '../operator-moves.ts';
import { armTrading, cancel, disarmTrading, sell } from '../operators.ts';
import type { Product } from '../product.ts';
import type { Simulation } from '../simulation.ts';
import { cashNowOfAnyEvent, resolveAny, splitBargain, splittable, strikeChain } from './exit-moves.ts';

/** One block after the other comes, and between them something of this happens. */
export const splitWaits: Episode = async (simulation, product) => {
  const { random } = simulation;
  await splitBargain(simulation, product);
  await step(simulation, 100, 400);
  const batchId = await newestBatch(simulation);
  for (let happenings = random.between(2, 4); happenings > 0; happenings -= 1) {
    const now = simulation.aliveProduct();
    if (now !== null) await random.pick(HAPPENINGS)?.(simulation, now, batchId);
    await blocks(simulation, 1, 4);
  }
  await restart(simulation);
  const armer = simulation.aliveProduct();
  if (armer !== null) simulation.ask(armer, 'arm', () => armTrading(armer));
  if (random.unit() < 0.3) await simulation.doze(WAITS_NO_MORE_MS);
  await blocks(simulation, 1);
};

/** By then bids are waited for no more. */
const WAITS_NO_MORE_MS = 65_000;

type Happening = (simulation: Simulation, product: Product, batchId: string) => void | Promise<void>;

const bidsGo: Happening = (simulation) => quoteSplit(simulation, 1.02, 20);
const bidsCome: Happening = (simulation) => quoteSplit(simulation, 0.84, 60);

/** Often the bids are there, and too thin. */
function quoteSplit(simulation: Simulation, sum: number, thinnest: number): void {
  const { exchange, random } = simulation;
  const opportunity = splittable(simulation)?.opportunity;
  if (opportunity !== undefined)
    quoteSet(exchange, opportunity, sum, () => random.between(thinnest, 4 * thinnest), random);
}

const disarmed: Happening = (simulation, product) => simulation.ask(product, 'disarm', () => disarmTrading(product));

const canceled: Happening = (simulation, product, batchId) =>
  simulation.ask(product, `cancel ${batchId}`, () => cancel(product, batchId));

const soldByHand: Happening = (simulation, product, batchId) =>
  simulation.ask(product, `sell all ${batchId}`, () => sell(product, batchId, SELL_ALL));

const dies: Happening = async (simulation, product) => {
  const running = runningOf(simulation, product);
  if (running) simulation.dieAfter(running, simulation.random.between(0, 60));
  await simulation.pass(simulation.random.between(100, 2_000));
  await restart(simulation);
};

const saleGoesAstray: Happening = (simulation) => sendAstray(simulation, CALLS.post);

/** How often each happens compared with the others. */
const HAPPENINGS: readonly Happening[] = [
  ...[bidsGo, bidsGo, bidsGo, bidsCome, bidsCome, bidsCome],
  ...[disarmed, disarmed, canceled, soldByHand, cashNowOfAnyEvent, cashNowOfAnyEvent],
  ...[dies, dies, saleGoesAstray, strikeChain, resolveAny],
];
