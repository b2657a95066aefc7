import { type Episode, step } from './episode-steps.ts';
import { quoteSet } from './market-scene.ts';
import { armTrading, disarmTrading } from './operators.ts';

/** Trading is disarmed and armed again in the middle of a series, while what it buys still pays. */
export const disarmedSeries: Episode = async (simulation, product) => {
  const { exchange, random, scene } = simulation;
  for (const opportunity of scene) quoteSet(exchange, opportunity, 1.05, () => 200, random);
  await step(simulation, 1_200);
  for (const opportunity of scene) quoteSet(exchange, opportunity, 0.9, () => 200, random);
  await step(simulation, 20, 400);
  simulation.ask(product, 'disarm', () => disarmTrading(product));
  await step(simulation, 400);
  simulation.ask(product, 'arm', () => armTrading(product));
  // What was refused while it was disarmed is judged again after five seconds.
  await step(simulation, 6_500);
};
