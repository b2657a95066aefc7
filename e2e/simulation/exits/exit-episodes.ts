/** Situations in which shares can be converted twice, lost, or booked wrongly, each played past the moment that matters. */
import { CHAIN_POINTS } from '@dutchbook/server/platform/runtime/crash-point.ts';
import {
  anotherProcess,
  blocks,
  type Episode,
  newestBatch,
  oneStopped,
  restart,
  runningOf,
  sendAstray,
  step,
  stopOneAt,
} from '../episode-steps.ts';
import { quoteSet } from '../market-scene.ts';
import { disarmUnseen } from '../missed-disarming.ts';
import { SELL_ALL } from '../operator-moves.ts';
import { armTrading, disarmTrading, place, sell } from '../operators.ts';
import type { Product } from '../product.ts';
import type { Simulation } from '../simulation.ts';
import {
  cashNowOfAny,
  cashNowOfAnyEvent,
  letVenueRedeem,
  resolveAny,
  STORED_AFTER_MS,
  splitBargain,
  splittable,
  strikeChain,
  withdrawApprovals,
} from './exit-moves.ts';
import { approve, cashNow, redeem, setAutomatic } from './exit-operators.ts';
import { splitWaits } from './split-episode.ts';

/** What all opportunities offer is bought. */
async function buyAll(simulation: Simulation, product: Product): Promise<void> {
  const { exchange, scene, random, opportunityIds } = simulation;
  for (const [index, opportunity] of scene.entries()) {
    quoteSet(exchange, opportunity, 0.86 + 0.08 * random.unit(), () => random.between(60, 200), random);
    await simulation.pass(STORED_AFTER_MS);
    const id = opportunityIds[index] ?? '';
    simulation.ask(product, `buy ${id}`, () => place(product, id, null));
    await step(simulation, 300);
  }
}

/** By then what was bought is confirmed. */
async function holdAll(simulation: Simulation, product: Product): Promise<void> {
  await buyAll(simulation, product);
  await step(simulation, SETTLED_AFTER_MS);
}

const SETTLED_AFTER_MS = 2_800;

/** A user asks for a call of the chain; most often nothing is sent yet when this ends. */
async function callChain(simulation: Simulation, product: Product): Promise<void> {
  await askChain(simulation, product);
  await simulation.pass(simulation.random.between(60, 260));
}

/** All that is held is converted, or what of an event is, or dollars are split. */
async function askChain(simulation: Simulation, product: Product): Promise<void> {
  const drawn = simulation.random.unit();
  if (drawn < 0.45 && splittable(simulation) !== null) await splitBargain(simulation, product);
  else if (drawn < 0.65) cashNowOfAnyEvent(simulation, product);
  else simulation.ask(product, 'cash now', () => cashNow(product, 'held'));
}

/** One or two things go wrong with the chain, and then what is held is converted. */
const faultyChain: Episode = async (simulation, product) => {
  const { exchange, random, time } = simulation;
  await holdAll(simulation, product);
  const isPlanned = random.unit() < 0.3;
  if (!isPlanned) await callChain(simulation, product);
  for (let faults = random.between(1, 2); faults > 0; faults -= 1) strikeChain(simulation);
  if (random.unit() < 0.4) exchange.faults.add({ name: 'chain_answer_lost', before: random.unit() < 0.2 }, time.now());
  if (random.unit() < 0.3) sendAstray(simulation, 'POST /relayer/submit');
  if (isPlanned) await callChain(simulation, product);
  await blocks(simulation, 2, 7);
  // By then a second is asked for while the first may be unknown.
  await cashNowOfAny(simulation, product);
  await blocks(simulation, 1, 3);
};

/** What dollars were split into is sold then. */
const POINTS = [...CHAIN_POINTS, 'sale_recorded'] as const;

/** A process dies at a step of the chain, or at a statement, and starts again. */
const deathWhileConverting: Episode = async (simulation, product) => {
  const { random } = simulation;
  await holdAll(simulation, product);
  const running = runningOf(simulation, product);
  if (running && random.unit() < 0.7) simulation.dieAfter(running, 0, random.pick(POINTS) ?? null);
  else if (running) simulation.dieAfter(running, random.between(4, 80));
  await callChain(simulation, product);
  if (random.unit() < 0.3) strikeChain(simulation);
  const isAlive = () => running?.starting.owner.isDead === false;
  for (let left = BLOCKS_UNTIL_BOOKED; left > 0 && isAlive(); left -= 1) await blocks(simulation, 1);
  await blocks(simulation, 0, 2);
  await restart(simulation);
  await blocks(simulation, 1, 3);
};

/** Within so many what has come into a block is beyond undoing, and booked. */
const BLOCKS_UNTIL_BOOKED = 9;

/** A process stops at a step of the chain, another becomes the leader, and the first wakes up. */
const loopChanges: Episode = async (simulation, product) => {
  const { random, time } = simulation;
  if ((await anotherProcess(simulation, product)) === product) return;
  await holdAll(simulation, product);
  const point = random.unit() < 0.6 ? (random.pick(POINTS.slice(1)) ?? null) : null;
  if (point !== null) stopOneAt(simulation, point);
  else simulation.databaseDelayMs = random.between(50, 300);
  await askChain(simulation, product);
  if (point === null) await stopLedgerJob(simulation);
  if (random.unit() < 0.4) strikeChain(simulation);
  await blocks(simulation, 1, 4);
  const sleeper = oneStopped(simulation);
  simulation.databaseDelayMs = 0;
  await time.jump(6_000);
  const other = simulation.aliveProduct();
  // Where it stops just before a call there is nothing that could still keep it from making that.
  const mayDisarm = point !== 'chain_marked' && random.unit() < 0.5;
  if (other !== null && mayDisarm) simulation.ask(other, 'disarm', () => disarmTrading(other));
  await blocks(simulation, 1, 6);
  sleeper?.starting.owner.thaw();
  await step(simulation, 800);
  if (other !== null) simulation.ask(other, 'arm', () => armTrading(other));
  await blocks(simulation, 1, 2);
};

/** Somewhere between recording and sending, or a little later: mostly while it waits for a slow database. */
async function stopLedgerJob(simulation: Simulation): Promise<void> {
  const { random, running } = simulation;
  await simulation.pass(random.between(300, 2_500));
  const leader = [...running.values()].find(({ product }) => product?.isLeader());
  leader?.starting.owner.freeze();
}

/** Trading is disarmed, often at another process, while a submission is about to leave. */
const disarmBeforeSending: Episode = async (simulation, product) => {
  const { random } = simulation;
  const other = random.unit() < 0.6 ? await anotherProcess(simulation, product) : product;
  await holdAll(simulation, product);
  if (random.unit() < 0.7) simulation.databaseDelayMs = random.between(20, 200);
  await callChain(simulation, product);
  if (random.unit() < 0.3) strikeChain(simulation);
  // Then the row alone keeps what is about to leave.
  product.owner.isDeaf = other !== product && random.unit() < 0.5;
  await step(simulation, 30, product.owner.isDeaf ? 300 : 1_800);
  simulation.ask(other, 'disarm', () => disarmTrading(other));
  await step(simulation, 700, 1_500);
  simulation.databaseDelayMs = 0;
  product.owner.isDeaf = false;
  await blocks(simulation, 1, 4);
  const armer = simulation.aliveProduct();
  if (armer) simulation.ask(armer, 'arm', () => armTrading(armer));
  await step(simulation, 100);
};

/** Nothing but the stored row says that trading is disarmed, and the chain loop is about to mark what it has signed. */
const disarmingUnseen: Episode = async (simulation, product) => {
  if ((await anotherProcess(simulation, product)) === product) return;
  await holdAll(simulation, product);
  const point = simulation.random.pick(['chain_prepared', 'chain_stored']) ?? 'chain_stored';
  await disarmUnseen(simulation, point, () => askChain(simulation, product));
  await step(simulation, 300, 900);
  for (const { starting } of simulation.running.values()) starting.owner.isDeaf = false;
  const armer = simulation.aliveProduct();
  if (armer) simulation.ask(armer, 'arm', () => armTrading(armer));
  await blocks(simulation, 1, 3);
};

/** Markets resolve, and what has won is redeemed, by a user, automatically, or by the venue. */
const wonAndLost: Episode = async (simulation, product) => {
  const { random } = simulation;
  await holdAll(simulation, product);
  if (random.unit() < 0.25) letVenueRedeem(simulation, true);
  for (let markets = random.between(1, 3); markets > 0; markets -= 1) resolveAny(simulation);
  if (random.unit() < 0.3) strikeChain(simulation);
  if (random.unit() < 0.2) simulation.ask(product, 'automatic', () => setAutomatic(product, 1));
  await step(simulation, 50, 1_000);
  simulation.ask(product, 'redeem', () => redeem(product));
  if (random.unit() < 0.4) simulation.ask(product, 'cash now', () => cashNow(product, 'held'));
  await blocks(simulation, 1, 6);
  letVenueRedeem(simulation, false);
};

/** What contracts may move is taken back before shares are converted, or while they are. */
const approvalsGone: Episode = async (simulation, product) => {
  const { random } = simulation;
  await holdAll(simulation, product);
  if (random.unit() < 0.6) withdrawApprovals(simulation);
  else simulation.ask(product, 'withdraw', () => approve(product, false));
  await step(simulation, 20, 3_000);
  await callChain(simulation, product);
  if (random.unit() < 0.4) strikeChain(simulation);
  await blocks(simulation, 2, 6);
  if (random.unit() < 0.4) withdrawApprovals(simulation);
  await blocks(simulation, 1, 3);
};

/** Two people act on the same shares at once: one sells them, the other converts them on the chain. */
const soldAndConverted: Episode = async (simulation, product) => {
  const { random } = simulation;
  const other = random.unit() < 0.5 ? await anotherProcess(simulation, product) : product;
  await holdAll(simulation, product);
  if (random.unit() < 0.5) simulation.databaseDelayMs = random.between(5, 120);
  const batches = (await simulation.stored()).batches.slice(-2);
  for (const { id } of batches) simulation.ask(other, `sell all ${id}`, () => sell(other, id, SELL_ALL));
  await simulation.pass(random.between(0, 200));
  await cashNowOfAny(simulation, product);
  cashNowOfAnyEvent(simulation, other);
  await step(simulation, 300, 900);
  for (const { id } of batches) simulation.ask(other, `cash now of ${id}`, () => cashNow(other, { batchId: id }));
  await step(simulation, 500);
  simulation.databaseDelayMs = 0;
  await blocks(simulation, 1, 4);
};

/** Trades fail on their way to the chain about when their shares are converted. */
const undoneBeforeConverting: Episode = async (simulation, product) => {
  const { exchange, random, time } = simulation;
  // Of the same shares, so that the chain has enough for what fails.
  if (random.unit() < 0.7) await holdAll(simulation, product);
  const fault = { name: 'fail_settlement', times: random.between(1, 3), recover: random.unit() < 0.3 } as const;
  exchange.faults.add(fault, time.now());
  await buyAll(simulation, product);
  // Of the last batch alone nothing of the others is converted first.
  const lots = random.unit() < 0.5 ? ('held' as const) : { batchId: await newestBatch(simulation) };
  await step(simulation, 0, random.unit() < 0.5 ? 300 : 2_500);
  simulation.ask(product, `cash now of ${JSON.stringify(lots)}`, () => cashNow(product, lots));
  await step(simulation, 300, 1_500);
  await cashNowOfAny(simulation, product);
  await blocks(simulation, 2, 5);
};

/** Exits by themselves are on while sets are bought, and disarmed or switched off in between. */
const byItself: Episode = async (simulation, product) => {
  const { random } = simulation;
  simulation.ask(product, 'automatic', () => setAutomatic(product, random.between(1, 10)));
  await holdAll(simulation, product);
  if (random.unit() < 0.5) strikeChain(simulation);
  await blocks(simulation, 2, 5);
  if (random.unit() < 0.4) simulation.ask(product, 'disarm', () => disarmTrading(product));
  await buyAll(simulation, product);
  await blocks(simulation, 2, 4);
  const armer = simulation.aliveProduct();
  if (armer === null) return;
  simulation.ask(armer, 'arm', () => armTrading(armer));
  if (random.unit() < 0.6) simulation.ask(armer, 'nothing by itself', () => setAutomatic(armer, null));
  await blocks(simulation, 1, 2);
};

/** Of a wallet whose submissions do not expire: the relayer takes nothing for minutes, and others are asked for or not. */
export const relayerGivesUp: Episode = async (simulation, product) => {
  const { exchange, random, running, time } = simulation;
  await holdAll(simulation, product);
  exchange.faults.add(
    { name: 'relayer_gives_up', times: random.between(2, 8), reason: 'simulation failed' },
    time.now(),
  );
  await callChain(simulation, product);
  await simulation.doze(random.between(30, 240) * 1000);
  if (random.unit() < 0.6) await cashNowOfAny(simulation, product);
  for (const one of running.values()) if (random.unit() < 0.4) simulation.dieAfter(one, 0, random.pick(POINTS) ?? null);
  await blocks(simulation, 1, 4);
  await restart(simulation);
  if (random.unit() < 0.6) await simulation.doze(random.between(60, 900) * 1000);
  await blocks(simulation, 1, 3);
};

/** How often each happens compared with the others. */
export const EXIT_EPISODES: readonly (readonly [Episode, number])[] = [
  [faultyChain, 6],
  [deathWhileConverting, 4],
  [loopChanges, 4],
  [disarmBeforeSending, 3],
  [disarmingUnseen, 2],
  [wonAndLost, 4],
  [approvalsGone, 2],
  [soldAndConverted, 3],
  [undoneBeforeConverting, 3],
  [byItself, 3],
];

/** The episodes of a product that can split dollars. */
export const SPLIT_EPISODES: typeof EXIT_EPISODES = [...EXIT_EPISODES, [splitWaits, 16]];
