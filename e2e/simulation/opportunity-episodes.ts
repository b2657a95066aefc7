/** Situations in which an opportunity changes faster than it is stored, or while it is being assessed. */
import { venueOf } from '@dutchbook/units/ids.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { calm } from './calm.ts';
import { anotherProcess, bought, CALLS, type Episode, newestBatch, step } from './episode-steps.ts';
import { quoteSet } from './market-scene.ts';
import { armTrading, disarmTrading, edit, place, remove, retry } from './operators.ts';
import type { Product } from './product.ts';
import type { Simulation } from './simulation.ts';
import { cancelResting } from './venues/second-venue.ts';
import { must } from './violation.ts';

/** Longer than a feed that has frozen takes to be found out, and than the part of an engine that is gone to be taken over. */
const UNTIL_CALM_MS = 45_000;

const CHEAP = 0.86;
const DEAR = 1.05;
/** A size that no purchase exhausts, so that the price stays. */
const DEEP = 1_000;

/** The prices of a set cross the trigger several times within a second or two, on a network that loses nothing. */
export const quickEdges: Episode = async (simulation) => {
  const { random, exchange, scene, opportunityIds } = simulation;
  const chosen = random.between(0, scene.length - 1);
  const [opportunity, id] = [scene[chosen], opportunityIds[chosen] ?? ''];
  if (opportunity === undefined) return;
  // At the second venue levels change one by one, and a set may cross the trigger between two of them.
  if (opportunity.legs.some(({ tokenId }) => venueOf(tokenId) !== 'polymarket')) return;
  await calm(simulation);
  // Its legs share a price evenly, so that all of them move the same way and a set crosses the trigger once.
  const even = { ...random, unit: () => 0.5 };
  quoteSet(exchange, opportunity, DEAR, () => DEEP, even);
  await simulation.doze(UNTIL_CALM_MS);
  await step(simulation, 1_500);
  const before = await risesNotified(simulation, id);
  const rises = random.between(2, 4);
  // With a slow database a rise is still being recorded when the next one comes.
  simulation.databaseDelayMs = random.between(0, 150);
  for (let round = 0; round < rises; round += 1) {
    quoteSet(exchange, opportunity, CHEAP, () => DEEP, even);
    await simulation.pass(random.between(40, 500));
    quoteSet(exchange, opportunity, DEAR, () => DEEP, even);
    await simulation.pass(random.between(40, 500));
  }
  await step(simulation, 4_000);
  simulation.databaseDelayMs = 0;
  const reported = (await risesNotified(simulation, id)) - before;
  must(reported === rises, 'edges', () => `opportunity ${id} rose ${rises} times, and ${reported} are notified`);
};

async function risesNotified(simulation: Simulation, id: string): Promise<number> {
  return (await simulation.stored()).opportunities.find((opportunity) => opportunity.id === id)?.reported ?? 0;
}

/** A user buys, or a retry buys what is missing, and the opportunity is switched off, repriced or deleted meanwhile. */
export const editedMeanwhile: Episode = async (simulation, product) => {
  const { random, exchange, network, scene, opportunityIds, time } = simulation;
  const isRetry = random.unit() < 0.4;
  if (isRetry) {
    simulation.addFault({ name: 'partial_fill', fraction: 0.5, times: 2 });
    await bought(simulation, product);
    cancelResting(exchange);
    await time.jump(2_000);
    await step(simulation, 300);
  }
  const batchId = isRetry ? await newestBatch(simulation) : '';
  const { batches } = await simulation.stored();
  const id = batches.find((batch) => batch.id === batchId)?.opportunity_id ?? random.pick(opportunityIds) ?? '';
  const index = opportunityIds.indexOf(id);
  const opportunity = scene[index];
  if (opportunity === undefined) return;
  quoteSet(exchange, opportunity, CHEAP, () => 300, random);
  // By then the price is stored, and what it has triggered is bought.
  await step(simulation, 1_500);
  const judgedMs = random.between(60, 400);
  network.script(CALLS.cash, { kind: 'late', ms: judgedMs });
  if (isRetry) simulation.ask(product, 'retry', () => retry(product, batchId));
  else simulation.ask(product, `place ${id}`, () => place(product, id, null));
  await simulation.pass(random.between(20, judgedMs));
  if (random.unit() < 0.3) simulation.databaseDelayMs = random.between(10, 60);
  const editor = simulation.aliveProduct();
  if (editor !== null) changeSomehow(simulation, editor, id);
  await step(simulation, 500, 1_500);
  simulation.databaseDelayMs = 0;
  await restore(simulation, index);
};

/** A user edits an opportunity at one process, and another sees it rise before it has read of that. */
export const editedUnread: Episode = async (simulation, product) => {
  const { random, exchange, scene, opportunityIds, running } = simulation;
  await anotherProcess(simulation, product);
  const index = random.between(0, scene.length - 1);
  const [opportunity, id] = [scene[index], opportunityIds[index] ?? ''];
  if (opportunity === undefined) return;
  quoteSet(exchange, opportunity, DEAR, () => 300, random);
  // By then the fall is stored, and the opportunities are divided between the two.
  await step(simulation, 3_000);
  const editor = [...running.values()].find((one) => one.product?.owns(id) === false)?.product;
  if (!editor) return;
  changeSomehow(simulation, editor, id);
  await simulation.pass(random.between(10, 500));
  quoteSet(exchange, opportunity, CHEAP, () => 300, random);
  await step(simulation, 500, 2_500);
  await restore(simulation, index);
};

function changeSomehow(simulation: Simulation, product: Product, id: string): void {
  const drawn = simulation.random.unit();
  if (drawn < 0.3) simulation.ask(product, `delete ${id}`, () => remove(product, id));
  else if (drawn < 0.6) simulation.ask(product, `reprice ${id}`, () => edit(product, id, { targetPrice: A_LOSS }));
  else simulation.ask(product, `switch off ${id}`, () => edit(product, id, { active: false }));
}

const A_LOSS = priceFromText('0.5');
const A_DOLLAR = priceFromText('1');

/** As it was before a user changed it, so that the rest of the run has something to trade. */
async function restore(simulation: Simulation, index: number): Promise<void> {
  const id = simulation.opportunityIds[index] ?? '';
  const product = simulation.aliveProduct();
  const { opportunities } = await simulation.stored();
  if (!opportunities.some((opportunity) => opportunity.id === id)) await simulation.addOpportunity(index);
  else if (product !== null)
    simulation.ask(product, `restore ${id}`, () => edit(product, id, { active: true, targetPrice: A_DOLLAR }));
  await step(simulation, 300);
}

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
