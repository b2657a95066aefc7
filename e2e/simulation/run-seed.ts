/** One seed from its first process to its last check. */
import { isAtRest } from './checks-at-rest.ts';
import { playEpisode } from './episodes.ts';
import { fillResting, quoteSet } from './market-scene.ts';
import { makeMove } from './moves.ts';
import { armTrading } from './operators.ts';
import type { SharedDatabase } from './shared-database.ts';
import { type Simulation, simulate } from './simulation.ts';

/** Longer than any order that was sent may stay in doubt, and than any trade takes to settle. */
const REST_MAX_MS = 260_000;
const REST_STEP_MS = 15_000;

export type SeedResult = { batches: number; fills: number; digest: string };

/** Modules that load when they are first needed take turns of the event loop which they take only once in a process. */
let warmUp: Promise<SeedResult> | null = null;
const WARM_UP_SEED = 8;

/** @throws Violation when a rule is broken, Error when something waits that never ends */
export async function runSeed(
  seed: number,
  database: SharedDatabase,
  tell?: (line: string) => void,
): Promise<SeedResult> {
  warmUp ??= playSeed(WARM_UP_SEED, database);
  await warmUp;
  return await playSeed(seed, database, tell);
}

async function playSeed(seed: number, database: SharedDatabase, tell?: (line: string) => void): Promise<SeedResult> {
  const result: SeedResult = { batches: 0, fills: 0, digest: '' };
  const settings = { AUTO_PLACE_ORDER_ENABLED: seed % 4 === 0 };
  await simulate({ seed, database, settings, ...(tell && { tell }) }, async (simulation) => {
    const { dice } = simulation;
    await begin(simulation, dice.unit() < 0.15 ? ['A', 'B'] : ['A']);
    for (let episodes = dice.between(1, 2); episodes > 0; episodes -= 1) {
      await playEpisode(simulation);
      for (let moves = dice.between(1, 3); moves > 0; moves -= 1) await move(simulation);
    }
    await comeToRest(simulation);
    const stored = await simulation.checkAtRest();
    result.batches = stored.batches.length;
    result.fills = stored.fills.length;
    result.digest = simulation.digest(stored);
  });
  return result;
}

async function move(simulation: Simulation): Promise<void> {
  const { dice, running } = simulation;
  await makeMove(simulation);
  await simulation.pass(dice.between(20, 500));
  await simulation.check();
  for (const [name, { starting }] of running) {
    if (starting.owner.isDead && dice.unit() < 0.6) simulation.start(name);
  }
}

async function begin(simulation: Simulation, names: readonly string[]): Promise<void> {
  const { exchange, scene, dice, time } = simulation;
  for (const opportunity of scene)
    quoteSet(exchange, opportunity, dice.unit() < 0.5 ? 0.9 : 1.02, () => dice.between(20, 200), dice);
  await simulation.addOpportunities();
  for (const name of names) await time.drive(simulation.start(name).starting.ready);
  // By then the books are followed.
  await simulation.pass(600);
}

/** Ends all faults, lets the product work off what they left, and lets what rests be taken. */
async function comeToRest(simulation: Simulation): Promise<void> {
  const { exchange, network, running, scene, dice, time } = simulation;
  simulation.tell('faults stop');
  exchange.faults.clear();
  exchange.floor.engine.setMode('normal');
  network.calm();
  simulation.databaseDelayMs = 0;
  for (const opportunity of scene) quoteSet(exchange, opportunity, 1.05, () => 100, dice);
  for (const [name, one] of [...running]) {
    one.starting.owner.thaw();
    simulation.dieAfter(one, Number.POSITIVE_INFINITY);
    if (one.starting.owner.isDead) await time.drive(simulation.start(name).starting.ready);
  }
  const product = simulation.aliveProduct();
  if (product !== null) simulation.ask(product, 'arm', () => armTrading(product));
  await simulation.pass(500);
  fillResting(exchange, 1);
  for (let restedMs = 0; restedMs < REST_MAX_MS; restedMs += REST_STEP_MS) {
    await simulation.doze(REST_STEP_MS);
    fillResting(exchange, 1);
    const stored = await simulation.check();
    if (network.late() === 0 && isAtRest(stored, simulation.truth())) return;
  }
}
