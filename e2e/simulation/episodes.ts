/**
 * Situations in which the product can lose money, each played from its start to the moment after the one that matters.
 * Dice decide what exactly goes wrong and when.
 */

import { TRADING_POINTS } from '@dutchbook/server/world/crash-point.ts';
import { quoteSet } from './market-scene.ts';
import { ASTRAY, buyBargain, SELL_ALL } from './operator-moves.ts';
import { armTrading, cancel, disarmTrading, place, retry, sell } from './operators.ts';
import type { Product } from './product.ts';
import type { Running, Simulation } from './simulation.ts';

export type Episode = (simulation: Simulation, product: Product) => Promise<void>;

/** Lets time pass, and checks what it has brought. */
async function step(simulation: Simulation, atLeastMs: number, atMostMs = atLeastMs): Promise<void> {
  await simulation.pass(simulation.dice.between(atLeastMs, atMostMs));
  await simulation.check();
}

function sendAstray({ dice, network }: Simulation, call: string): void {
  const fate = dice.pick(ASTRAY);
  if (fate !== undefined) network.script(call, fate);
}

async function newestBatch(simulation: Simulation): Promise<string> {
  return (await simulation.stored()).batches.at(-1)?.id ?? '';
}

/** Buys, with nothing in the way; answers the batch. */
async function bought(simulation: Simulation, product: Product): Promise<string> {
  await buyBargain(simulation, product);
  await step(simulation, 400);
  return await newestBatch(simulation);
}

function runningOf({ running }: Simulation, { owner }: Product): Running | undefined {
  return [...running.values()].find(({ starting }) => starting.owner === owner);
}

/** A second process; `product` itself when it cannot be had. */
async function anotherProcess(simulation: Simulation, product: Product): Promise<Product> {
  const { running, time } = simulation;
  if (running.size === 1) await time.drive(simulation.start('B').starting.ready);
  const other = [...running.values()].find(
    ({ starting }) => starting.owner !== product.owner && !starting.owner.isDead,
  );
  return other?.product ?? product;
}

/** A dead process starts again, after a moment or at once. */
async function restart(simulation: Simulation): Promise<void> {
  for (const [name, { starting }] of simulation.running) {
    if (!starting.owner.isDead) continue;
    await step(simulation, 10, 500);
    await simulation.time.drive(simulation.start(name).starting.ready);
  }
  await step(simulation, 200);
}

/** It is not known whether a buy arrived, and somebody tries to buy again. */
const astrayBuy: Episode = async (simulation, product) => {
  const { dice, network, time } = simulation;
  network.mishaps.newsLost = dice.unit() < 0.7 ? 1 : 0;
  sendAstray(simulation, 'POST /order');
  await buyBargain(simulation, product);
  await step(simulation, 20, 120);
  await step(simulation, 250, 600);
  if (dice.unit() < 0.3) sendAstray(simulation, 'POST /order');
  if (dice.unit() < 0.4) sendAstray(simulation, 'GET /data/order/');
  const id = await newestBatch(simulation);
  simulation.ask(product, 'retry', () => retry(product, id));
  await step(simulation, 300);
  if (dice.unit() < 0.4) await time.jump(11_000);
  await step(simulation, 300);
  network.mishaps.newsLost = 0;
};

/** Positions fill in part, what rests is taken off the book, and the remainder is bought. */
const partialBuy: Episode = async (simulation, product) => {
  const { exchange, dice, time } = simulation;
  exchange.faults.add(
    { name: 'partial_fill', fraction: 0.2 + 0.6 * dice.unit(), times: dice.between(1, 3) },
    time.now(),
  );
  const id = await bought(simulation, product);
  if (dice.unit() < 0.3) {
    sendAstray(simulation, 'DELETE /orders');
    simulation.ask(product, 'cancel', () => cancel(product, id));
    await step(simulation, 300, 1500);
    return;
  }
  for (const order of [...exchange.floor.register.openOrders()]) exchange.floor.cancel(order.id);
  await time.jump(2_000);
  await step(simulation, 300);
  for (const opportunity of simulation.scene) quoteSet(exchange, opportunity, 0.9, () => 300, dice);
  await step(simulation, 60);
  if (dice.unit() < 0.4) sendAstray(simulation, 'POST /order');
  simulation.ask(product, 'retry', () => retry(product, id));
  await step(simulation, 500);
};

/** Trades fail on their way to the chain, or come through late. */
const failingSettlement: Episode = async (simulation, product) => {
  const { exchange, dice, time } = simulation;
  const fault = { name: 'fail_settlement', times: dice.between(1, 2), recover: dice.unit() < 0.3 } as const;
  exchange.faults.add(fault, time.now());
  if (dice.unit() < 0.5) exchange.faults.add({ name: 'reorder_user_events', times: 10 }, time.now());
  if (dice.unit() < 0.5) exchange.faults.add({ name: 'duplicate_user_events', times: 10 }, time.now());
  const id = await bought(simulation, product);
  await simulation.pass(dice.between(700, 2200));
  await step(simulation, 600);
  if (dice.unit() < 0.5) simulation.ask(product, 'retry', () => retry(product, id));
  else simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 400);
};

/** Shares are sold, and the sale goes astray or its process dies. */
const riskySale: Episode = async (simulation, product) => {
  const { dice } = simulation;
  // Bought twice, so that a sale that is doubled finds shares to sell.
  await bought(simulation, product);
  const id = await bought(simulation, product);
  if (dice.unit() < 0.6) sendAstray(simulation, 'POST /order');
  const running = runningOf(simulation, product);
  if (running && dice.unit() < 0.6) simulation.dieAfter(running, 0, dice.pick(SALE_POINTS) ?? null);
  simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 300, 900);
  await restart(simulation);
};

const SALE_POINTS = ['sale_recorded', 'orders_signed', 'attempts_committed', 'marked_sent', 'venue_answered'];

/** A process dies at a step of buying and starts again. */
const deathWhileBuying: Episode = async (simulation, product) => {
  const { dice } = simulation;
  const running = runningOf(simulation, product);
  if (running && dice.unit() < 0.7) simulation.dieAfter(running, 0, dice.pick(TRADING_POINTS.slice(0, 9)) ?? null);
  else if (running) simulation.dieAfter(running, dice.between(4, 60));
  if (dice.unit() < 0.4) sendAstray(simulation, 'POST /order');
  await buyBargain(simulation, product);
  await step(simulation, 300, 700);
  await restart(simulation);
  await step(simulation, 500);
};

/** A process stops in the middle of its work, another takes over, and the first wakes up. */
const takeover: Episode = async (simulation, product) => {
  const sleeper = runningOf(simulation, product);
  if (sleeper === undefined || (await anotherProcess(simulation, product)) === product) return;
  simulation.stopAt(sleeper, simulation.dice.pick(TAKEOVER_POINTS) ?? 'orders_signed');
  await buyBargain(simulation, product);
  await step(simulation, 300);
  await simulation.time.jump(5_000);
  await step(simulation, 1_100, 1_500);
  sleeper.starting.owner.thaw();
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
  const { dice } = simulation;
  const other = dice.unit() < 0.7 ? await anotherProcess(simulation, product) : product;
  if (dice.unit() < 0.7) simulation.databaseDelayMs = dice.between(60, 200);
  else sendAstray(simulation, 'POST /order');
  await buyBargain(simulation, product);
  await step(simulation, 30, 1_500);
  simulation.ask(other, 'disarm', () => disarmTrading(other));
  await step(simulation, 700, 1_500);
  await step(simulation, 1_000);
  simulation.databaseDelayMs = 0;
  if (dice.unit() < 0.2) {
    for (const running of simulation.running.values()) simulation.kill(running);
    await restart(simulation);
  }
  await step(simulation, 400);
  const armer = simulation.aliveProduct();
  if (armer) simulation.ask(armer, 'arm', () => armTrading(armer));
  await step(simulation, 100);
};

/** A feed goes silent, prices turn, and somebody buys at what was seen last. */
const silentFeed: Episode = async (simulation, product) => {
  const { exchange, dice, time, scene, opportunityIds } = simulation;
  const chosen = dice.between(0, scene.length - 1);
  const opportunity = scene[chosen];
  if (opportunity === undefined) return;
  quoteSet(exchange, opportunity, 0.88, () => 200, dice);
  await step(simulation, 300);
  exchange.faults.add({ name: dice.unit() < 0.7 ? 'freeze_stream' : 'stale_book' }, time.now());
  quoteSet(exchange, opportunity, 1.1, () => 200, dice);
  await simulation.doze(45_000);
  simulation.ask(product, 'place', () => place(product, opportunityIds[chosen] ?? '', null));
  await step(simulation, 500);
  exchange.faults.clear();
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
];
const LOTS = EPISODES.flatMap(([episode, weight]) => Array.from({ length: weight }, () => episode));

/** One situation, where a process is up. */
export async function playEpisode(simulation: Simulation): Promise<void> {
  const episode = simulation.dice.pick(LOTS);
  const product = simulation.aliveProduct();
  if (episode === undefined || product === null) return;
  simulation.tell(`now: ${episode.name}`);
  await episode(simulation, product);
}
