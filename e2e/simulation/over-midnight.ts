/** A limit for the day, nearly used up before midnight UTC, and what of that is bought again on the next day. */
import { type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { type Episode, newestBatch, step } from './episode-steps.ts';
import { quoteSet } from './market-scene.ts';
import { place, retry } from './operators.ts';
import type { Product } from './product.ts';
import type { Simulation } from './simulation.ts';
import { controlsAt } from './truth.ts';
import { cancelResting } from './venues/second-venue.ts';

const DAY_MS = 86_400_000;
const SET_USD = 0.9;
/** A size that no purchase exhausts, so that the price stays. */
const DEEP = 500;

/**
 * A batch that takes up the limit fills in part before midnight, and in part again when it is retried after it. What it
 * then still lacks and half a batch more are each within the limit of the new day, and both of them are not.
 */
export const overMidnight: Episode = async (simulation, product) => {
  const { random, scene, time } = simulation;
  const perDay = controlsAt(await simulation.stored(), 'polymarket')?.perDay ?? null;
  if (perDay === null) throw new Error('the day has no limit');
  // A set, with its fees, costs up to a dollar.
  const whole = Math.floor(perDay / 1e6 / 1.04);
  quoteAll(simulation);
  await simulation.pass(100);
  fillInPart(simulation, 0.1 + 0.15 * random.unit());
  buy(simulation, product, 0, sharesFromNumber(whole));
  await step(simulation, 400);
  quoteAnew(simulation);
  const id = await newestBatch(simulation);
  await step(simulation, DAY_MS - (time.now() % DAY_MS) + random.between(20, 200));
  fillInPart(simulation, 0.4 + 0.2 * random.unit());
  simulation.ask(product, 'retry', () => retry(product, id));
  await step(simulation, 400, 600);
  quoteAnew(simulation);
  await step(simulation, 600);
  const last = scene.length - 1;
  const half = sharesFromNumber(Math.ceil(whole / 2));
  const rest = [
    () => simulation.ask(product, 'retry', () => retry(product, id)),
    () => buy(simulation, product, last, half),
  ];
  for (const spend of random.unit() < 0.5 ? rest : rest.toReversed()) {
    spend();
    await step(simulation, 500, 800);
  }
};

function buy(simulation: Simulation, product: Product, index: number, size: Shares): void {
  const id = simulation.opportunityIds[index] ?? '';
  simulation.ask(product, `buy ${id}`, () => place(product, id, size));
}

function fillInPart(simulation: Simulation, fraction: number): void {
  const times = simulation.scene[0]?.legs.length ?? 0;
  simulation.addFault({ name: 'partial_fill', fraction, times });
}

/** What rests is taken off the book, and what the fault took off it is offered again. */
function quoteAnew(simulation: Simulation): void {
  cancelResting(simulation.exchange);
  quoteAll(simulation);
}

function quoteAll({ exchange, scene, random }: Simulation): void {
  for (const opportunity of scene) quoteSet(exchange, opportunity, SET_USD, () => DEEP, random);
}
