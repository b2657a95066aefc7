/** Situations at the second venue in which what it answers, shows and holds is not yet what it has done. */

import { BASE_PATH } from '@dutchbook/exchange/adapters/kalshi/calls.ts';
import { SHARDS } from '@dutchbook/exchange/adapters/kalshi/members.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { type Episode, newestBatch, restart, runningOf, step } from '../episode-steps.ts';
import { quoteSet } from '../market-scene.ts';
import type { CallFate } from '../network.ts';
import { buyBargain, SELL_ALL } from '../operator-moves.ts';
import { moveCash, place, retry, sell } from '../operators.ts';
import { calmKalshi } from './moves-at-both.ts';
import { refusedForCash } from './refused-for-cash.ts';
import { kalshiOf } from './second-venue.ts';

/** The venue acts on a call and its caller hears nothing, or nothing of use. */
const TAKEN_UNHEARD: readonly CallFate[] = [
  { kind: 'answer_lost' },
  { kind: 'reset' },
  { kind: 'late', ms: 700, isReset: true },
  { kind: 'answer', status: 500, body: '{"error":{"code":"internal_server_error"}}' },
];
const ORDERS = `POST ${BASE_PATH}/portfolio/events/orders`;
const TRANSFER = `POST ${BASE_PATH}/portfolio/intra_exchange_instance_transfer`;

/** The answer of an order is lost while no frame tells of it and reads are behind; it is bought and sold again meanwhile. */
export const takenUnseen: Episode = async (simulation, product) => {
  const { exchange, network, random } = simulation;
  const venue = kalshiOf(exchange);
  venue.readLagMs = random.between(1_500, 9_000);
  simulation.addFault({ name: 'lose_user_frame', times: 40 });
  network.script(ORDERS, random.pick(TAKEN_UNHEARD) ?? { kind: 'reset' });
  if (random.unit() < 0.3) network.script(ORDERS, { kind: 'lost' });
  await buyBargain(simulation, product);
  await step(simulation, 300, 600);
  await step(simulation, 700, 1_500);
  const id = await newestBatch(simulation);
  if (random.unit() < 0.5) simulation.ask(product, 'retry', () => retry(product, id));
  else await buyBargain(simulation, product);
  await step(simulation, 300, 600);
  await simulation.doze(6_000);
  await simulation.check();
  simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 400, 900);
  calmKalshi(simulation);
};

/** Cash is moved between pockets, and the answer does not come: reads may be behind, and the process may die. */
export const movedUnheard: Episode = async (simulation, product) => {
  const { exchange, network, random } = simulation;
  const venue = kalshiOf(exchange);
  if (random.unit() < 0.5) venue.readLagMs = random.between(500, 6_000);
  if (random.unit() < 0.8) network.script(TRANSFER, random.pick(TAKEN_UNHEARD) ?? { kind: 'reset' });
  const [from, by] = [random.between(0, SHARDS.length - 1), random.between(1, SHARDS.length - 1)];
  const to = (from + by) % SHARDS.length;
  const move = { from: String(from), to: String(to), amount: usdFromNumber(random.between(1, 5)) };
  const ask = () => simulation.ask(product, `move $${move.amount / 1e6} to ${move.to}`, () => moveCash(product, move));
  ask();
  const running = runningOf(simulation, product);
  if (running && random.unit() < 0.3)
    simulation.dieAfter(running, 0, random.pick(['move_marked', 'move_answered'] as const) ?? null);
  // It leaves two seconds after it was asked for, and once reads have passed that.
  for (let seconds = 0; seconds < 15; seconds += 3) await step(simulation, 3_000);
  ask();
  await buyBargain(simulation, product);
  await step(simulation, 3_000);
  calmKalshi(simulation);
  await restart(simulation);
};

/** Two purchases begin at once where cash suffices for little more than one, and what the first takes is not shown yet. */
export const littleCash: Episode = async (simulation, product) => {
  const { exchange, network, random, scene, opportunityIds } = simulation;
  const venue = kalshiOf(exchange);
  const rounds = random.between(2, 3);
  for (let round = 0; round < rounds; round += 1) {
    // What was read of the cash before is old by then.
    await simulation.doze(6_000);
    for (const opportunity of scene) quoteSet(exchange, opportunity, 0.86, () => 120, random);
    await step(simulation, 60);
    const isBehind = random.unit() < 0.5;
    venue.readLagMs = isBehind ? random.between(1_000, 6_000) : 0;
    if (random.unit() < 0.5) network.script(random.pick(['POST /order', ORDERS]) ?? ORDERS, { kind: 'late', ms: 600 });
    for (const index of scene.keys()) {
      const id = opportunityIds[index] ?? '';
      const work = () => place(product, id, null);
      if (isBehind) simulation.ask(product, `place ${id}`, work);
      else await refusedForCash(simulation, product, { index, work });
      await step(simulation, 20, 300);
    }
    await step(simulation, 300, 1_500);
  }
  calmKalshi(simulation);
};
