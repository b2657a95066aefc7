/** One seed from its first process to its last check. */

import { fillResting, quoteSet } from './market-scene.ts';
import { makeMove } from './moves.ts';
import { armTrading } from './operators.ts';
import type { SharedDatabase } from './shared-database.ts';
import { type Simulation, simulate } from './simulation.ts';

const MOVES_MIN = 8;
const MOVES_MAX = 18;
/** An order whose post was lost is asked about for so long until it is sure never to arrive. */
const REST_MS = 150_000;
/** Trades of what was taken at the end settle within seconds. */
const SETTLING_MS = 60_000;

export type SeedResult = { batches: number; fills: number; kills: number };

/** @throws Violation when a rule is broken, Error when something waits that never ends */
export async function runSeed(
  seed: number,
  database: SharedDatabase,
  tell?: (line: string) => void,
): Promise<SeedResult> {
  const result: SeedResult = { batches: 0, fills: 0, kills: 0 };
  const settings = { AUTO_PLACE_ORDER_ENABLED: seed % 3 !== 0 };
  await simulate({ seed, database, settings, ...(tell && { tell }) }, async (simulation) => {
    const { dice } = simulation;
    const names = dice.unit() < 0.25 ? ['A', 'B'] : ['A'];
    await begin(simulation, names);
    const moves = dice.between(MOVES_MIN, MOVES_MAX);
    for (let made = 0; made < moves; made += 1) {
      await makeMove(simulation);
      await simulation.pass(dice.between(20, 1200));
      await simulation.check();
      for (const name of names) {
        if (simulation.running.get(name)?.starting.owner.isDead && dice.unit() < 0.6) simulation.start(name);
      }
    }
    await comeToRest(simulation, names);
    const stored = await simulation.checkAtRest();
    result.batches = stored.batches.length;
    result.fills = stored.fills.length;
  });
  return result;
}

async function begin(simulation: Simulation, names: readonly string[]): Promise<void> {
  const { exchange, scene, dice, time } = simulation;
  for (const opportunity of scene)
    quoteSet(exchange, opportunity, dice.unit() < 0.5 ? 0.9 : 1.02, () => dice.between(20, 200), dice);
  for (const name of names) {
    const product = await time.drive(simulation.start(name).starting.ready);
    if (name === names[0]) await simulation.addOpportunities(product);
  }
  await simulation.pass(2500);
}

/** Ends all faults, lets the product work off what they left, and lets what rests be taken. */
async function comeToRest(simulation: Simulation, names: readonly string[]): Promise<void> {
  const { exchange, network, scene, dice, time } = simulation;
  simulation.tell('faults stop');
  exchange.faults.clear();
  exchange.floor.engine.setMode('normal');
  network.calm();
  simulation.databaseDelayMs = 0;
  for (const opportunity of scene) quoteSet(exchange, opportunity, 1.05, () => 100, dice);
  for (const name of names) {
    const running = simulation.running.get(name);
    running?.starting.owner.thaw();
    if (running) simulation.dieAfter(running, Number.POSITIVE_INFINITY);
    if (running?.starting.owner.isDead) await time.drive(simulation.start(name).starting.ready);
  }
  const product = simulation.aliveProduct();
  if (product !== null) simulation.ask(product, 'arm', () => armTrading(simulation, product));
  await simulation.pass(3_000);
  await simulation.check();
  await simulation.doze(REST_MS);
  fillResting(exchange, 1);
  await simulation.doze(SETTLING_MS);
}
