/** A market of the second venue ends while shares of it are held, and the venue pays: all of a dollar, a part of it, or nothing. */

import type { Price } from '@dutchbook/units/price.ts';
import { bought, type Episode, restart, runningOf, step } from '../episode-steps.ts';
import { SELL_ALL } from '../operator-moves.ts';
import { sell } from '../operators.ts';
import { marketsAt } from './moves-at-both.ts';
import { kalshiOf } from './second-venue.ts';

const RESULTS = [1_000_000, 1_000_000, 0, 370_000] as Price[];
/** Steps of booking what was paid. */
const POINTS = ['chain_recorded', 'chain_booked'];

export const paidOut: Episode = async (simulation, product) => {
  const { exchange, random } = simulation;
  const { lifecycle } = kalshiOf(exchange);
  const id = await bought(simulation, product);
  const market = random.pick(marketsAt(simulation));
  if (market === undefined) return;
  if (random.unit() < 0.3) simulation.ask(product, 'sell all', () => sell(product, id, SELL_ALL));
  await step(simulation, 20, 2_000);
  lifecycle.determine(market, random.pick(RESULTS) ?? (RESULTS[0] as Price));
  await step(simulation, 200, 4_000);
  if (random.unit() < 0.3) lifecycle.determine(market, random.pick(RESULTS) ?? (RESULTS[0] as Price), 'amended');
  const running = runningOf(simulation, product);
  if (running && random.unit() < 0.5) simulation.dieAfter(running, 0, random.pick(POINTS) ?? null);
  lifecycle.finalize(market);
  simulation.tell(`${market.ticker} is paid out`);
  await step(simulation, 200, 4_000);
  await simulation.doze(12_000);
  await restart(simulation);
};
