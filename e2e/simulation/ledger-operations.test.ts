/**
 * L1: after many random operations with faults on one account, and after a restart, the ledger is the exchange's own account to the
 * last millionth. `LEDGER_OPERATIONS=10000` makes as many as the figure asks for, in a quarter of an hour.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { calm } from './calm.ts';
import { isAtRest } from './checks-at-rest.ts';
import { fillResting, quoteSet } from './market-scene.ts';
import { makeMove } from './moves.ts';
import { armTrading } from './operators.ts';
import { SharedDatabase } from './shared-database.ts';
import { type Simulation, simulate } from './simulation.ts';

const OPERATIONS = Number(process.env.LEDGER_OPERATIONS ?? 40);
/** Between two moments at which the account is compared. */
const OPERATIONS_AT_ONCE = 20;
const REST_STEP_MS = 15_000;
const RESTS_MAX = 20;
/** By then the product has compared the ledger several times. */
const RESTARTED_MS = 130_000;
const MS_PER_OPERATION = 2000;

describe('the ledger of an account on which anything happens', () => {
  let database: SharedDatabase;
  beforeAll(async () => {
    database = await SharedDatabase.open();
  });
  afterAll(async () => {
    await database.close();
  });

  it(`is the account of the exchange after ${OPERATIONS} operations, and after a restart`, {
    timeout: 60_000 + OPERATIONS * MS_PER_OPERATION,
  }, async () => {
    await simulate({ seed: 25, database }, async (simulation) => {
      await simulation.addOpportunities();
      await startAgain(simulation);
      for (let left = OPERATIONS; left > 0; left -= OPERATIONS_AT_ONCE) {
        quoteAll(simulation, 0.9);
        for (let nth = 0; nth < Math.min(left, OPERATIONS_AT_ONCE); nth += 1) await operate(simulation);
        await comeToRest(simulation);
        await simulation.checkAtRest();
      }
      for (const running of simulation.running.values()) simulation.kill(running);
      await startAgain(simulation);
      await simulation.doze(RESTARTED_MS);
      await simulation.checkAtRest();
    });
  });
});

async function startAgain(simulation: Simulation): Promise<void> {
  await simulation.time.drive(simulation.start('A').starting.ready);
  await simulation.pass(600);
}

async function operate(simulation: Simulation): Promise<void> {
  const { random, running } = simulation;
  await makeMove(simulation);
  await simulation.pass(random.between(20, 500));
  for (const [name, { starting }] of running) {
    if (starting.owner.isDead && random.unit() < 0.6) simulation.start(name);
  }
}

/** A set costs so much. */
function quoteAll({ exchange, scene, random }: Simulation, cost: number): void {
  for (const opportunity of scene) quoteSet(exchange, opportunity, cost, () => random.between(20, 200), random);
}

async function comeToRest(simulation: Simulation): Promise<void> {
  const { exchange, network } = simulation;
  quoteAll(simulation, 1.05);
  await calm(simulation);
  const product = simulation.aliveProduct();
  if (product !== null) simulation.ask(product, 'arm', () => armTrading(product));
  await simulation.pass(500);
  for (let rests = 0; rests < RESTS_MAX; rests += 1) {
    fillResting(exchange, 1);
    await simulation.doze(REST_STEP_MS);
    if (network.late() === 0 && isAtRest(await simulation.stored(), simulation.truth())) return;
  }
}
