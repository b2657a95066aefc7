/** What the market, the exchange, the network and the machine do in a random run. */
import { FAULT_NAMES, type FaultName, type FaultOrder } from '@dutchbook/exchange/faults/faults.ts';
import { TRADING_POINTS } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { fillResting, quoteSet } from './market-scene.ts';
import type { Move } from './moves.ts';
import { QUIET } from './network.ts';
import type { Running, Simulation } from './simulation.ts';
import { cancelResting, clearFaults } from './venues/second-venue.ts';

const MARKET: Move[] = [
  {
    name: 'the exchange takes resting orders off its book',
    weight: 3,
    act: ({ exchange }) => cancelResting(exchange),
  },
  {
    name: 'a set rounds cheap',
    weight: 7,
    act: (simulation) => quoteAny(simulation, 0.86 + 0.08 * simulation.random.unit(), 20, 200),
  },
  {
    name: 'a set rounds cheap and thin',
    weight: 3,
    act: (simulation) => quoteAny(simulation, 0.86 + 0.08 * simulation.random.unit(), 4, 30),
  },
  { name: 'a set rounds dear', weight: 3, act: (simulation) => quoteAny(simulation, 1.02, 20, 200) },
  {
    name: 'resting orders are taken',
    weight: 2,
    act: ({ exchange, random }) => fillResting(exchange, random.unit() < 0.5 ? 1 : random.unit()),
  },
  {
    name: 'a market delays matching',
    weight: 1,
    act: ({ scene, random }) => {
      const leg = random.pick(random.pick(scene)?.legs ?? []);
      if (leg !== undefined) leg.market.delayMs = random.unit() < 0.5 ? 0 : random.between(200, 4000);
    },
  },
];

function quoteAny({ exchange, scene, random }: Simulation, sum: number, thinnest: number, deepest: number): void {
  const opportunity = random.pick(scene);
  if (opportunity !== undefined) quoteSet(exchange, opportunity, sum, () => random.between(thinnest, deepest), random);
}

const EXCHANGE: Move[] = [
  { name: 'a fault', weight: 10, act: (simulation) => strike(simulation, simulation.random.pick(FAULT_NAMES)) },
  { name: 'faults end', weight: 2, act: ({ exchange }) => clearFaults(exchange) },
  {
    name: 'the engine changes its mode',
    weight: 1,
    act: ({ exchange, random }) =>
      exchange.engine.tradingMode.setMode(
        random.pick(['normal', 'normal', 'post_only', 'cancel_only', 'disabled']) ?? 'normal',
      ),
  },
];

function strike(simulation: Simulation, name: FaultName | undefined): void {
  if (name === undefined) return;
  const { scene, random } = simulation;
  const leg = random.pick(random.pick(scene)?.legs ?? []);
  const order: FaultOrder = {
    name,
    times: random.between(1, 4),
    ...(random.unit() < 0.3 && leg !== undefined ? { token_id: leg.tokenId } : {}),
    ...(name === 'hang' ? { ms: random.between(500, 15_000) } : {}),
    ...(name === 'freeze_stream' ? { ms: random.between(1_000, 60_000), existing_only: random.unit() < 0.5 } : {}),
    ...(name === 'partial_fill' ? { fraction: random.unit() } : {}),
    ...(name === 'drop_response' ? { before: random.unit() < 0.4 } : {}),
    ...(name === 'fail_settlement' ? { recover: random.unit() < 0.4 } : {}),
  };
  simulation.addFault(order);
}

const NETWORK: Move[] = [
  {
    name: 'the network rounds bad',
    weight: 3,
    act: ({ network, random }) => {
      const up = (most: number) => (random.unit() < 0.5 ? 0 : random.unit() * most);
      Object.assign(network.mishaps, {
        requestLost: up(0.2),
        answerLost: up(0.2),
        late: up(0.1),
        frameLost: up(0.3),
        orderUpdateLost: up(1),
        frameDoubled: up(0.3),
      });
    },
  },
  {
    name: 'the network rounds good',
    weight: 3,
    act: ({ network }) => {
      Object.assign(network.mishaps, QUIET);
    },
  },
  {
    name: 'connections break',
    weight: 2,
    act: ({ network }) => {
      for (const wire of [...network.wires]) wire.close();
    },
  },
  {
    name: 'the network is away',
    weight: 1,
    act: async (simulation) => {
      simulation.network.setDown(true);
      await simulation.pass(simulation.random.between(200, 2_000));
      simulation.network.setDown(false);
    },
  },
];

const MACHINE: Move[] = [
  { name: 'a process is killed', weight: 1, act: (simulation) => withAny(simulation, (one) => simulation.kill(one)) },
  {
    name: 'a process will die at a statement',
    weight: 3,
    act: (simulation) => withAny(simulation, (one) => simulation.dieAfter(one, simulation.random.between(1, 120))),
  },
  {
    name: 'a process will die at a step',
    weight: 3,
    act: (simulation) =>
      withAny(simulation, (one) =>
        simulation.dieAfter(one, simulation.random.between(0, 2), simulation.random.pick(TRADING_POINTS) ?? null),
      ),
  },
  {
    name: 'a process stops for a while',
    weight: 1,
    act: (simulation) => withAny(simulation, (one) => one.starting.owner.freeze()),
  },
  {
    name: 'processes go on',
    weight: 2,
    act: ({ running }) => {
      for (const { starting } of running.values()) starting.owner.thaw();
    },
  },
  {
    name: 'the database rounds slow',
    weight: 1,
    act: (simulation) => {
      simulation.databaseDelayMs = simulation.random.between(5, 400);
    },
  },
  {
    name: 'the database rounds quick',
    weight: 2,
    act: (simulation) => {
      simulation.databaseDelayMs = 0;
    },
  },
];

export function withAny({ running, random }: Simulation, act: (one: Running) => void): void {
  const one = random.pick([...running.values()].filter(({ starting }) => !starting.owner.isDead));
  if (one !== undefined) act(one);
}

export const SURROUNDINGS: readonly Move[] = [...MARKET, ...EXCHANGE, ...NETWORK, ...MACHINE];
