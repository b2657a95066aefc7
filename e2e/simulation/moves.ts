/** What a seed makes happen: moves of operators, of the market, of the exchange, of the network and of the machine. */
import { FAULT_NAMES, type FaultName, type FaultOrder } from '@dutchbook/exchange/faults/faults.ts';
import type { SaleWish } from '@dutchbook/server/trading/selling/sale-plan.ts';
import { type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { fillResting, quoteSet } from './market-scene.ts';
import { type CallFate, QUIET } from './network.ts';
import { armTrading, cancel, disarmTrading, look, place, retry, sell } from './operators.ts';
import type { Product } from './product.ts';
import type { Running, Simulation } from './simulation.ts';

/** The steps of placing that the product names. */
const CRASH_POINTS = [
  'batch_recorded',
  'lease_taken',
  'orders_signed',
  'attempts_committed',
  'marked_sent',
  'venue_answered',
  'outcomes_recorded',
  'fills_read',
  'fills_recorded',
  'cancels_answered',
  'retry_judged',
  'sale_recorded',
  'sales_finished',
  'batch_settled',
];

/** `weight`: how often it happens compared with the others. */
type Move = { name: string; weight: number; act: (simulation: Simulation) => void | Promise<void> };

/** A move of an operator at a process that is up; none when there is none. */
function atProduct(act: (simulation: Simulation, product: Product) => void) {
  return (simulation: Simulation) => {
    const product = simulation.aliveProduct();
    if (product !== null) act(simulation, product);
  };
}

/** The likeliest way to a batch: somebody sees a bargain and buys it, and now and then its post goes astray. */
function buyBargain(simulation: Simulation, product: Product): void {
  const { exchange, scene, dice, network, opportunityIds } = simulation;
  const chosen = dice.between(0, scene.length - 1);
  const [opportunity, id] = [scene[chosen], opportunityIds[chosen] ?? ''];
  if (opportunity === undefined) return;
  quoteSet(exchange, opportunity, 0.86 + 0.08 * dice.unit(), () => dice.between(10, 200), dice);
  const fate = dice.unit() < 0.5 ? dice.pick(ASTRAY) : undefined;
  if (fate !== undefined) network.script('POST /orders', fate);
  simulation.ask(product, `buy ${id}, its post ${JSON.stringify(fate)}`, () => place(product, id, anySize(simulation)));
}

const ASTRAY: readonly CallFate[] = [
  { kind: 'lost' },
  { kind: 'answer_lost' },
  { kind: 'reset' },
  { kind: 'late', ms: 9_000 },
  { kind: 'late', ms: 30_000 },
  { kind: 'answer', status: 500, body: '{"error":"could not insert order"}' },
  { kind: 'answer', status: 502, body: '<html>' },
];

const SELL_ALL: SaleWish = { kind: 'all', prices: new Map() };

/** What an operator asks of any batch there is. */
function atBatch(name: string, ask: (product: Product, batchId: string) => Promise<string>) {
  return async (simulation: Simulation): Promise<void> => {
    const batch = simulation.dice.pick((await simulation.stored()).batches);
    const product = simulation.aliveProduct();
    if (batch && product) simulation.ask(product, `${name} ${batch.id}`, () => ask(product, batch.id));
  };
}

async function sellOne(simulation: Simulation): Promise<void> {
  const buys = (await simulation.stored()).orders.filter(({ side }) => side === 'buy');
  const order = simulation.dice.pick(buys);
  const product = simulation.aliveProduct();
  if (!order || !product) return;
  const size = simulation.dice.unit() < 0.5 ? null : sharesFromNumber(simulation.dice.between(1, 12));
  const wish: SaleWish = { kind: 'order', orderId: order.id, size, price: null };
  simulation.ask(product, `sell ${size} of order ${order.id}`, () => sell(product, order.batch_id, wish));
}

function anyOpportunity({ dice, opportunityIds }: Simulation): string {
  return dice.pick(opportunityIds) ?? '';
}

function anySize({ dice }: Simulation): Shares | null {
  return dice.unit() < 0.4 ? null : sharesFromNumber(dice.between(10, 60));
}

const OPERATORS: Move[] = [
  { name: 'a bargain is bought', weight: 8, act: atProduct(buyBargain) },
  {
    name: 'place',
    weight: 3,
    act: atProduct((simulation, product) => {
      const [id, size] = [anyOpportunity(simulation), anySize(simulation)];
      simulation.ask(product, `place ${id} ${size}`, () => place(product, id, size));
    }),
  },
  {
    name: 'place twice',
    weight: 2,
    act: (simulation) => {
      const [id, size] = [anyOpportunity(simulation), anySize(simulation)];
      for (const _ of [1, 2]) {
        const product = simulation.aliveProduct();
        if (product !== null) simulation.ask(product, `place ${id} ${size}`, () => place(product, id, size));
      }
    },
  },
  {
    name: 'disarm',
    weight: 1,
    act: atProduct((simulation, product) =>
      simulation.ask(product, 'disarm', () => disarmTrading(simulation, product)),
    ),
  },
  {
    name: 'arm',
    weight: 3,
    act: atProduct((simulation, product) => simulation.ask(product, 'arm', () => armTrading(simulation, product))),
  },
  { name: 'cancel', weight: 2, act: atBatch('cancel', cancel) },
  { name: 'retry', weight: 3, act: atBatch('retry', retry) },
  { name: 'look', weight: 1, act: atBatch('look', look) },
  { name: 'sell all', weight: 3, act: atBatch('sell all', (product, id) => sell(product, id, SELL_ALL)) },
  {
    name: 'unwind',
    weight: 2,
    act: atBatch('unwind', (product, id) => sell(product, id, { kind: 'unwind', prices: new Map() })),
  },
  { name: 'sell one', weight: 2, act: sellOne },
];

const MARKET: Move[] = [
  {
    name: 'a set turns cheap',
    weight: 7,
    act: (simulation) => quoteAny(simulation, 0.86 + 0.08 * simulation.dice.unit(), 20, 200),
  },
  {
    name: 'a set turns cheap and thin',
    weight: 3,
    act: (simulation) => quoteAny(simulation, 0.86 + 0.08 * simulation.dice.unit(), 4, 30),
  },
  { name: 'a set turns dear', weight: 3, act: (simulation) => quoteAny(simulation, 1.02, 20, 200) },
  {
    name: 'resting orders are taken',
    weight: 2,
    act: ({ exchange, dice }) => fillResting(exchange, dice.unit() < 0.5 ? 1 : dice.unit()),
  },
  {
    name: 'a market delays matching',
    weight: 1,
    act: ({ scene, dice }) => {
      const leg = dice.pick(dice.pick(scene)?.legs ?? []);
      if (leg !== undefined) leg.market.delayMs = dice.unit() < 0.5 ? 0 : dice.between(200, 4000);
    },
  },
];

function quoteAny({ exchange, scene, dice }: Simulation, sum: number, thinnest: number, deepest: number): void {
  const opportunity = dice.pick(scene);
  if (opportunity !== undefined) quoteSet(exchange, opportunity, sum, () => dice.between(thinnest, deepest), dice);
}

const EXCHANGE: Move[] = [
  { name: 'a fault', weight: 10, act: (simulation) => strike(simulation, simulation.dice.pick(FAULT_NAMES)) },
  { name: 'faults end', weight: 2, act: ({ exchange }) => exchange.faults.clear() },
  {
    name: 'the engine changes its mode',
    weight: 1,
    act: ({ exchange, dice }) =>
      exchange.floor.engine.setMode(
        dice.pick(['normal', 'normal', 'post_only', 'cancel_only', 'disabled']) ?? 'normal',
      ),
  },
];

function strike({ exchange, scene, dice, time }: Simulation, name: FaultName | undefined): void {
  if (name === undefined) return;
  const leg = dice.pick(dice.pick(scene)?.legs ?? []);
  const order: FaultOrder = {
    name,
    times: dice.between(1, 4),
    ...(dice.unit() < 0.3 && leg !== undefined ? { token_id: leg.tokenId } : {}),
    ...(name === 'hang' ? { ms: dice.between(500, 15_000) } : {}),
    ...(name === 'freeze_stream' ? { ms: dice.between(1_000, 60_000), existing_only: dice.unit() < 0.5 } : {}),
    ...(name === 'partial_fill' ? { fraction: dice.unit() } : {}),
    ...(name === 'drop_response' ? { before: dice.unit() < 0.4 } : {}),
    ...(name === 'fail_settlement' ? { recover: dice.unit() < 0.4 } : {}),
  };
  exchange.faults.add(order, time.now());
}

const NETWORK: Move[] = [
  {
    name: 'the network turns bad',
    weight: 3,
    act: ({ network, dice }) => {
      const up = (most: number) => (dice.unit() < 0.5 ? 0 : dice.unit() * most);
      Object.assign(network.mishaps, {
        requestLost: up(0.2),
        answerLost: up(0.2),
        late: up(0.1),
        frameLost: up(0.3),
        frameDoubled: up(0.3),
      });
    },
  },
  {
    name: 'the network turns good',
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
      await simulation.pass(simulation.dice.between(500, 12_000));
      simulation.network.setDown(false);
    },
  },
];

const MACHINE: Move[] = [
  { name: 'a process is killed', weight: 1, act: (simulation) => withAny(simulation, (one) => simulation.kill(one)) },
  {
    name: 'a process will die at a statement',
    weight: 3,
    act: (simulation) => withAny(simulation, (one) => simulation.dieAfter(one, simulation.dice.between(1, 120))),
  },
  {
    name: 'a process will die at a step',
    weight: 3,
    act: (simulation) =>
      withAny(simulation, (one) =>
        simulation.dieAfter(one, simulation.dice.between(0, 2), simulation.dice.pick(CRASH_POINTS) ?? null),
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
    name: 'the database turns slow',
    weight: 1,
    act: (simulation) => {
      simulation.databaseDelayMs = simulation.dice.between(5, 400);
    },
  },
  {
    name: 'the database turns quick',
    weight: 2,
    act: (simulation) => {
      simulation.databaseDelayMs = 0;
    },
  },
];

function withAny({ running, dice }: Simulation, act: (one: Running) => void): void {
  const one = dice.pick([...running.values()].filter(({ starting }) => !starting.owner.isDead));
  if (one !== undefined) act(one);
}

const MOVES: readonly Move[] = [...OPERATORS, ...MARKET, ...EXCHANGE, ...NETWORK, ...MACHINE];
const LOTS = MOVES.flatMap((move) => Array.from({ length: move.weight }, () => move));

/** One move, by weight. */
export async function makeMove(simulation: Simulation): Promise<void> {
  const move = simulation.dice.pick(LOTS);
  if (move === undefined) return;
  simulation.tell(move.name);
  await move.act(simulation);
}
