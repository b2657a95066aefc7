/** One seed from its first process to its last check. */
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { VENUE_NAMES } from '@dutchbook/units/ids.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { calm } from './calm.ts';
import { isAtRest } from './checks-at-rest.ts';
import type { Episode } from './episode-steps.ts';
import { play, playEpisode } from './episodes.ts';
import { Answers, isChainAtRest } from './exits/checks-of-chain.ts';
import { relayerGivesUp } from './exits/exit-episodes.ts';
import { chooseExits, choosePairs } from './exits/exit-scene.ts';
import { fillResting, quoteSet } from './market-scene.ts';
import { makeMove } from './moves.ts';
import { armTrading } from './operators.ts';
import { disarmedSeries, editedUnread } from './opportunity-episodes.ts';
import { overMidnight } from './over-midnight.ts';
import { KEY_ACCOUNT, PROXY_ACCOUNT, SAFE_ACCOUNT, WALLET_ACCOUNT } from './product.ts';
import type { SharedDatabase } from './shared-database.ts';
import { BEFORE_MIDNIGHT, NOON, type Simulation, simulate } from './simulation.ts';
import { littleCash, movedUnheard, takenUnseen } from './venues/doubts.ts';
import { paidOut } from './venues/paid-out.ts';
import { chooseAtBoth, chooseWithLittleCash } from './venues/scene-at-both.ts';

/** Longer than any order that was sent may stay unknown, and than any trade takes to settle. */
const REST_MAX_MS = 260_000;
/** Longer than a signed submission may wait to be carried out, and than it takes to do it once more. */
const EXITS_REST_MAX_MS = 1_500_000;
const REST_STEP_MS = 15_000;

/** `exits`: shares are converted into dollars on chain, which nothing is configured for while there is `trading` alone. */
export type World = 'trading' | 'exits';

export type SeedResult = { batches: number; fills: number; submissions: number; digest: string };

/** What a person types to see it again. */
export function replayOf(seed: number, world: World): string {
  return `npm run simulate -- ${world === 'exits' ? '--exits ' : ''}--seed ${seed}`;
}

/** A few sets of what is quoted, so that a window takes several clips. */
const CLIP_USD = 15;
const CLIPS_MAX = 3;

/** Modules that load when they are first needed take ticks of the event loop which they take only once in a process. */
const warmUps = new Map<World, Promise<void>>();
const WARM_UP_SEED = 9;

/** @throws Violation when a rule is broken, Error when something waits that never ends */
export async function runSeed(
  seed: number,
  database: SharedDatabase,
  { world = 'trading', tell }: { world?: World; tell?: (line: string) => void } = {},
): Promise<SeedResult> {
  if (!warmUps.has(world)) {
    // What it breaks is reported when that seed is played itself.
    const played = playSeed(WARM_UP_SEED, database, world).then(
      () => {},
      () => {},
    );
    warmUps.set(world, played);
  }
  await warmUps.get(world);
  return await playSeed(seed, database, world, tell);
}

/** Every second seed buys in clips, of the others every fourth the smallest size by itself. */
function placingOf(seed: number): Partial<Settings> {
  if (seed % 2 === 1) return { AUTO_PLACE_ORDER_ENABLED: seed % 8 === 1 };
  const SIZE_POLICY = seed % 4 === 0 ? 'best' : 'up_to';
  return { AUTO_PLACE_ORDER_ENABLED: true, SIZE_POLICY, CLIP_USD, CLIPS_MAX, LOSS_ALLOWANCE_USD: CLIP_USD };
}

/** Every third seed trades at both venues at once. */
function hasBothVenues(seed: number): boolean {
  return seed % 3 === 0;
}

/** What such a seed begins with, in turn; null where that is any situation. */
const DOUBTS = [takenUnseen, movedUnheard, littleCash, takenUnseen, littleCash, null];

function atBothVenues(seed: number) {
  const doubt = DOUBTS[(seed / 3) % DOUBTS.length] ?? null;
  const hasLittle = doubt === littleCash;
  return {
    doubt,
    options: {
      venues: VENUE_NAMES,
      choose: hasLittle ? chooseWithLittleCash : chooseAtBoth,
      ...(hasLittle && { cash: usdFromNumber(LITTLE_CASH[seed % LITTLE_CASH.length] ?? 60) }),
    },
  };
}

/** Dollars at the first venue: purchases take some ten to fifty each. */
const LITTLE_CASH = [40, 60, 90, 120, 160] as const;

async function playSeed(
  seed: number,
  database: SharedDatabase,
  world: World,
  tell?: (line: string) => void,
): Promise<SeedResult> {
  if (world === 'exits') return await playExits(seed, database, tell);
  const settings = placingOf(seed);
  const account = seed % 5 === 0 ? WALLET_ACCOUNT : KEY_ACCOUNT;
  const isNight = seed % 6 === 1;
  const startsAt = isNight ? BEFORE_MIDNIGHT : NOON;
  const { options: both, doubt } = hasBothVenues(seed) ? atBothVenues(seed) : { options: {}, doubt: null };
  let result: SeedResult | null = null;
  const options = { seed, database, settings, account, startsAt, ...both, ...(tell && { tell }) };
  await simulate(options, async (simulation) => {
    const { random } = simulation;
    if (isNight) await simulation.limitDay(random.between(40, 120) * 1_000_000);
    await begin(simulation, random.unit() < 0.15 ? ['A', 'B'] : ['A']);
    // Every second night; on the others anything may happen over midnight.
    if (seed % 12 === 1) await play(simulation, overMidnight);
    if (seed % 16 === 4) await play(simulation, editedUnread);
    if (seed % 16 === 2) await play(simulation, disarmedSeries);
    result = await playOut(simulation, { first: doubt, last: hasBothVenues(seed) && seed % 2 === 0 ? paidOut : null });
  });
  return played(result);
}

/** Of twenty seeds, these are for wallets whose relayer may give up, and whose submissions do not expire. */
const WITHOUT_DEADLINE = new Map<number, typeof SAFE_ACCOUNT | typeof PROXY_ACCOUNT>([
  [4, SAFE_ACCOUNT],
  [10, SAFE_ACCOUNT],
  [12, SAFE_ACCOUNT],
  [18, PROXY_ACCOUNT],
]);
/** In these a plain key holds pairs of several markets, whose submissions are on their way at once. */
const WITH_PAIRS = [7, 9, 17, 19];
const KINDS_OF_SEEDS = 20;

async function playExits(seed: number, database: SharedDatabase, tell?: (line: string) => void): Promise<SeedResult> {
  const settings = placingOf(seed);
  const kind = seed % KINDS_OF_SEEDS;
  const account = WITHOUT_DEADLINE.get(kind) ?? (seed % 2 === 0 ? WALLET_ACCOUNT : KEY_ACCOUNT);
  const choose = WITH_PAIRS.includes(kind) ? choosePairs : chooseExits;
  const options = { seed, database, settings, account, choose, hasChain: true, ...(tell && { tell }) };
  let result: SeedResult | null = null;
  await simulate(options, async (simulation) => {
    await begin(simulation, simulation.random.unit() < 0.15 ? ['A', 'B'] : ['A']);
    if (WITHOUT_DEADLINE.has(kind)) await play(simulation, relayerGivesUp);
    result = await playOut(simulation);
  });
  return played(result);
}

function played(result: SeedResult | null): SeedResult {
  if (result === null) throw new Error('a seed was not played to its end');
  return result;
}

/** Situations and moves, the last situation, and the quiet after them. `first`: played in place of any. */
async function playOut(
  simulation: Simulation,
  { first = null, last = null }: { first?: Episode | null; last?: Episode | null } = {},
): Promise<SeedResult> {
  const { random } = simulation;
  const episodes = random.between(1, 2);
  for (let number = 0; number < episodes; number += 1) {
    if (first !== null && number === 0) await play(simulation, first);
    else await playEpisode(simulation);
    for (let moves = random.between(1, 3); moves > 0; moves -= 1) await move(simulation);
  }
  // Nothing is traded of a market that has ended.
  if (last !== null) await play(simulation, last);
  await comeToRest(simulation);
  const stored = await simulation.checkAtRest();
  const { batches, fills, submissions } = stored;
  return {
    batches: batches.length,
    fills: fills.length,
    submissions: submissions.length,
    digest: simulation.digest(stored),
  };
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
  const answers = new Answers();
  const restMaxMs = simulation.hasChain ? EXITS_REST_MAX_MS : REST_MAX_MS;
  for (let restedMs = 0; restedMs < restMaxMs; restedMs += REST_STEP_MS) {
    await simulation.doze(REST_STEP_MS);
    fillResting(exchange, 1);
    const stored = await simulation.check();
    const [truth, chain] = [simulation.truth(), simulation.chain()];
    answers.check(stored, chain, simulation.time.now());
    if (network.late() === 0 && isAtRest(stored, truth) && isChainAtRest(stored, truth, chain)) return;
  }
}
