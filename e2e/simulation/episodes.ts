/**
 * Situations in which the product can lose money, each played from its start to the moment after the one that matters.
 * Random decide what exactly goes wrong and when.
 */

import { TRADING_POINTS } from '@dutchbook/server/platform/runtime/crash-point.ts';
import {
  anotherProcess,
  bought,
  CALLS,
  type Episode,
  newestBatch,
  oneStopped,
  restart,
  runningOf,
  sendAstray,
  step,
  stopOneAt,
} from './episode-steps.ts';
import { EXIT_EPISODES, SPLIT_EPISODES } from './exits/exit-episodes.ts';
import { splittable } from './exits/exit-moves.ts';
import { quoteSet } from './market-scene.ts';
import { missedDisarming } from './missed-disarming.ts';
import { buyBargain, SELL_ALL } from './operator-moves.ts';
import { armTrading, cancel, disarmTrading, place, retry, sell } from './operators.ts';
import { editedMeanwhile, quickEdges } from './opportunity-episodes.ts';
import type { Simulation } from './simulation.ts';
import { cancelResting, clearFaults } from './venues/second-venue.ts';

/** It is not known whether a buy arrived, and an operator tries to buy again. */
const astrayBuy: Episode = async (simulation, product) => {
  const { random, network, time } = simulation;
  network.mishaps.orderUpdateLost = random.unit() < 0.7 ? 1 : 0;
  sendAstray(simulation, CALLS.post);
  // The copy that is sent at once, while the first call may still be on its way.
  if (random.unit() < 0.3) network.script(CALLS.post, { kind: 'lost' });
  if (random.unit() < 0.4) sendAstray(simulation, CALLS.lookup);
  await buyBargain(simulation, product);
  await step(simulation, 20, 120);
  await step(simulation, 250, 600);
  if (random.unit() < 0.3) sendAstray(simulation, CALLS.post);
  if (random.unit() < 0.4) sendAstray(simulation, CALLS.lookup);
  const id = await newestBatch(simulation);
  simulation.ask(product, 'retry', () => retry(product, id));
  await step(simulation, 300);
  if (random.unit() < 0.4) await time.jump(11_000);
  await step(simulation, 300);
  network.mishaps.orderUpdateLost = 0;
};

/** Positions fill in part, what rests is taken off the book, and the remainder is bought. */
const partialBuy: Episode = async (simulation, product) => {
  const { exchange, random, time } = simulation;
  const fraction = 0.2 + 0.6 * random.unit();
  simulation.addFault({ name: 'partial_fill', fraction, times: random.between(1, 3) });
  const id = await bought(simulation, product);
  if (random.unit() < 0.3) {
    sendAstray(simulation, CALLS.cancel);
    simulation.ask(product, 'cancel', () => cancel(product, id));
    await step(simulation, 300, 1500);
    return;
  }
  cancelResting(exchange);
  await time.jump(2_000);
  await step(simulation, 300);
  for (const opportunity of simulation.scene) quoteSet(exchange, opportunity, 0.9, () => 300, random);
  await step(simulation, 60);
  if (random.unit() < 0.4) sendAstray(simulation, CALLS.post);
  simulation.ask(product, 'retry', () => retry(product, id));
  await step(simulation, 500);
};

/** Trades fail on their way to the chain, or come through late. */
const failingSettlement: Episode = async (simulation, product) => {
  const { random } = simulation;
  const fault = { name: 'fail_settlement', times: random.between(1, 2), recover: random.unit() < 0.3 } as const;
  simulation.addFault(fault);
  if (random.unit() < 0.5) simulation.addFault({ name: 'reorder_user_events', times: 10 });
  if (random.unit() < 0.5) simulation.addFault({ name: 'duplicate_user_events', times: 10 });
  const id = await bought(simulation, product);
  await simulation.pass(random.between(700, 2200));
  await step(simulation, 600);
  if (random.unit() < 0.5) simulation.ask(product, 'retry', () => retry(product, id));
  else simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 400);
};

/** Shares are sold, and the sale goes astray or its process dies. */
const riskySale: Episode = async (simulation, product) => {
  const { random } = simulation;
  // Bought twice, so that a sale that is doubled finds shares to sell.
  await bought(simulation, product);
  const id = await bought(simulation, product);
  await step(simulation, CREDITED_AFTER_MS);
  if (random.unit() < 0.6) sendAstray(simulation, CALLS.post);
  if (random.unit() < 0.4) sendAstray(simulation, CALLS.lookup);
  const running = runningOf(simulation, product);
  if (running && random.unit() < 0.6) simulation.dieAfter(running, 0, random.pick(SALE_POINTS) ?? null);
  simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 300, 900);
  await restart(simulation);
};

/** How long the exchange takes to credit shares at most; nothing of them is sold before. */
const CREDITED_AFTER_MS = 2_500;

const SALE_POINTS = ['sale_recorded', 'orders_signed', 'attempts_committed', 'marked_sent', 'venue_answered'];

/** A process dies at a step of buying and starts again. */
const deathWhileBuying: Episode = async (simulation, product) => {
  const { random } = simulation;
  const running = runningOf(simulation, product);
  if (running && random.unit() < 0.7) simulation.dieAfter(running, 0, random.pick(TRADING_POINTS.slice(0, 9)) ?? null);
  else if (running) simulation.dieAfter(running, random.between(4, 60));
  if (random.unit() < 0.4) sendAstray(simulation, CALLS.post);
  await buyBargain(simulation, product);
  await step(simulation, 300, 700);
  await restart(simulation);
  await step(simulation, 500);
};

/** A process stops in the middle of its work, another takes over, and the first wakes up. */
const takeover: Episode = async (simulation, product) => {
  if ((await anotherProcess(simulation, product)) === product) return;
  stopOneAt(simulation, simulation.random.pick(TAKEOVER_POINTS) ?? 'orders_signed');
  await buyBargain(simulation, product);
  await step(simulation, 300);
  const sleeper = oneStopped(simulation);
  await simulation.time.jump(5_000);
  await step(simulation, 400, 1_500);
  sleeper?.starting.owner.thaw();
  await step(simulation, 400);
};

const TAKEOVER_POINTS = [
  'lease_taken',
  'orders_signed',
  'orders_signed',
  'attempts_committed',
  'marked_sent',
  'venue_answered',
];

/** Trading is disarmed, often at another process, while orders are about to leave of one whose database is slow. */
const disarmInFlight: Episode = async (simulation, product) => {
  const { random } = simulation;
  const other = random.unit() < 0.7 ? await anotherProcess(simulation, product) : product;
  if (random.unit() < 0.7) simulation.databaseDelayMs = random.between(60, 200);
  else sendAstray(simulation, CALLS.post);
  await buyBargain(simulation, product);
  await step(simulation, 30, 1_500);
  simulation.ask(other, 'disarm', () => disarmTrading(other));
  await step(simulation, 700, 1_500);
  await step(simulation, 1_000);
  simulation.databaseDelayMs = 0;
  if (random.unit() < 0.2) {
    for (const running of simulation.running.values()) simulation.kill(running);
    await restart(simulation);
  }
  await step(simulation, 400);
  const armer = simulation.aliveProduct();
  if (armer) simulation.ask(armer, 'arm', () => armTrading(armer));
  await step(simulation, 100);
};

/** A feed goes silent, prices move, and an operator buys at what was seen last. */
const silentFeed: Episode = async (simulation, product) => {
  const { exchange, random, network, scene, opportunityIds } = simulation;
  const chosen = random.between(0, scene.length - 1);
  const opportunity = scene[chosen];
  if (opportunity === undefined) return;
  quoteSet(exchange, opportunity, 0.88, () => 200, random);
  await step(simulation, 300);
  // Nothing but a connection on which nothing comes, or nothing but answers to keep-alives, tells that the books are wrong:
  // no engine answers for them either.
  const silence = random.pick(['nothing comes', 'nothing but keep-alives', 'a book over REST is old'] as const);
  if (silence === 'nothing comes') network.mishaps.frameLost = 1;
  if (silence === 'nothing but keep-alives') simulation.addFault({ name: 'freeze_stream' });
  if (silence === 'a book over REST is old') simulation.addFault({ name: 'stale_book', times: 100 });
  else for (let call = 0; call < 100; call += 1) network.script(CALLS.books, UNAVAILABLE);
  quoteSet(exchange, opportunity, 1.1, () => 200, random);
  await simulation.doze(45_000);
  simulation.ask(product, 'place', () => place(product, opportunityIds[chosen] ?? '', null));
  await step(simulation, 500);
  clearFaults(exchange);
  network.calm();
};

const UNAVAILABLE = { kind: 'answer', status: 503, body: '<html>' } as const;

/** The exchange drops an order that it held, matches a little short, or cancels what rests and then knows nothing of it. */
const unfinishedBusiness: Episode = async (simulation, product) => {
  const { random, network } = simulation;
  const name = random.pick(['drop_delayed', 'match_short', 'null_after_cancel'] as const) ?? 'drop_delayed';
  const isSilent = random.unit() < 0.5;
  network.mishaps.orderUpdateLost = isSilent ? 1 : 0;
  const id = random.unit() < 0.3 ? await bought(simulation, product) : null;
  const ms = random.between(300, 2_000);
  simulation.addFault({ name, times: random.between(1, 2), ms, silent: isSilent });
  if (name === 'null_after_cancel') simulation.addFault({ name: 'partial_fill', times: 1, fraction: random.unit() });
  if (id === null) await buyBargain(simulation, product);
  else simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 300, 2_500);
  await simulation.doze(12_000);
  await step(simulation, 500);
  const asked = id ?? (await newestBatch(simulation));
  if (random.unit() < 0.5) simulation.ask(product, 'sell all', () => sell(product, asked, SELL_ALL));
  else simulation.ask(product, 'retry', () => retry(product, asked));
  await step(simulation, 400);
  network.mishaps.orderUpdateLost = 0;
};

/** Two batches hold the same shares, one of them is sold, and trades fail after that: of the sale, or of what it sold. */
const failureAfterSale: Episode = async (simulation, product) => {
  const { random } = simulation;
  const strike = () => simulation.addFault({ name: 'fail_settlement', times: random.between(1, 2) });
  await bought(simulation, product);
  await step(simulation, CREDITED_AFTER_MS);
  const isPurchase = random.unit() < 0.5;
  if (isPurchase) strike();
  const id = await bought(simulation, product);
  await simulation.pass(random.between(100, 4_000));
  if (!isPurchase) strike();
  simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 1_500, 4_000);
  simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 400);
};

/** How often each happens compared with the others. */
const EPISODES: readonly (readonly [Episode, number])[] = [
  [astrayBuy, 7],
  [partialBuy, 4],
  [failingSettlement, 3],
  [riskySale, 3],
  [deathWhileBuying, 4],
  [takeover, 3],
  [disarmInFlight, 3],
  [silentFeed, 1],
  [unfinishedBusiness, 4],
  [failureAfterSale, 3],
  [missedDisarming, 2],
  [quickEdges, 2],
  [editedMeanwhile, 4],
];
const lotsOf = (episodes: typeof EPISODES) =>
  episodes.flatMap(([episode, weight]) => Array.from({ length: weight }, () => episode));
const LOTS = lotsOf(EPISODES);
const EXIT_LOTS = lotsOf(EXIT_EPISODES);
const SPLIT_LOTS = lotsOf(SPLIT_EPISODES);

/** Any situation. */
export async function playEpisode(simulation: Simulation): Promise<void> {
  const exits = splittable(simulation) === null ? EXIT_LOTS : SPLIT_LOTS;
  const episode = simulation.random.pick(simulation.hasChain ? exits : LOTS);
  if (episode !== undefined) await play(simulation, episode);
}

/** One situation, where a process is up. */
export async function play(simulation: Simulation, episode: Episode): Promise<void> {
  const product = simulation.aliveProduct();
  if (product === null) return;
  simulation.tell(`now: ${episode.name}`);
  await episode(simulation, product);
}
