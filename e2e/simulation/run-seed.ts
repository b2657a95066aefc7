/** One seed from its first process to its last check. */
import { calm } from './calm.ts';
import { isAtRest } from './checks-at-rest.ts';
import { play, playEpisode } from './episodes.ts';
import { fillResting, quoteSet } from './market-scene.ts';
import { makeMove } from './moves.ts';
import { armTrading } from './operators.ts';
import { editedUnread } from './opportunity-episodes.ts';
import { overMidnight } from './over-midnight.ts';
import { KEY_ACCOUNT, WALLET_ACCOUNT } from './product.ts';
import type { SharedDatabase } from './shared-database.ts';
import { BEFORE_MIDNIGHT, NOON, type Simulation, simulate } from './simulation.ts';

/** Longer than any order that was sent may stay unknown, and than any trade takes to settle. */
const REST_MAX_MS = 260_000;
const REST_STEP_MS = 15_000;

export type SeedResult = { batches: number; fills: number; digest: string };

/** Modules that load when they are first needed take turns of the event loop which they take only once in a process. */
let warmUp: Promise<void> | null = null;
const WARM_UP_SEED = 8;

/** @throws Violation when a rule is broken, Error when something waits that never ends */
export async function runSeed(
  seed: number,
  database: SharedDatabase,
  tell?: (line: string) => void,
): Promise<SeedResult> {
  // What it breaks is told when that seed is played itself.
  warmUp ??= playSeed(WARM_UP_SEED, database).then(
    () => {},
    () => {},
  );
  await warmUp;
  return await playSeed(seed, database, tell);
}

async function playSeed(seed: number, database: SharedDatabase, tell?: (line: string) => void): Promise<SeedResult> {
  const result: SeedResult = { batches: 0, fills: 0, digest: '' };
  const settings = { AUTO_PLACE_ORDER_ENABLED: seed % 4 === 0 };
  const account = seed % 5 === 0 ? WALLET_ACCOUNT : KEY_ACCOUNT;
  const isNight = seed % 6 === 1;
  const startsAt = isNight ? BEFORE_MIDNIGHT : NOON;
  await simulate({ seed, database, settings, account, startsAt, ...(tell && { tell }) }, async (simulation) => {
    const { random } = simulation;
    if (isNight) await simulation.limitDay(random.between(40, 120) * 1_000_000);
    await begin(simulation, random.unit() < 0.15 ? ['A', 'B'] : ['A']);
    // Every second night; on the others anything may happen over midnight.
    if (seed % 12 === 1) await play(simulation, overMidnight);
    if (seed % 16 === 4) await play(simulation, editedUnread);
    for (let episodes = random.between(1, 2); episodes > 0; episodes -= 1) {
      await playEpisode(simulation);
      for (let moves = random.between(1, 3); moves > 0; moves -= 1) await move(simulation);
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
  const { random, running } = simulation;
  await makeMove(simulation);
  await simulation.pass(random.between(20, 500));
  await simulation.check();
  for (const [name, { starting }] of running) {
    if (starting.owner.isDead && random.unit() < 0.6) simulation.start(name);
  }
}

async function begin(simulation: Simulation, names: readonly string[]): Promise<void> {
  const { exchange, scene, random, time } = simulation;
  for (const opportunity of scene)
    quoteSet(exchange, opportunity, random.unit() < 0.5 ? 0.9 : 1.02, () => random.between(20, 200), random);
  await simulation.addOpportunities();
  for (const name of names) await time.drive(simulation.start(name).starting.ready);
  // By then the books are followed.
  await simulation.pass(600);
}

/** Ends all faults, lets the product work off what they left, and lets what rests be taken. */
async function comeToRest(simulation: Simulation): Promise<void> {
  const { exchange, network, scene, random } = simulation;
  simulation.tell('faults stop');
  for (const opportunity of scene) quoteSet(exchange, opportunity, 1.05, () => 100, random);
  await calm(simulation);
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
