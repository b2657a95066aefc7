/** What operators do in a random run. */
import type { SaleRequest } from '@dutchbook/server/trading/execution/selling/sale-plan.ts';
import { type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { quoteSet } from './market-scene.ts';
import type { Move } from './moves.ts';
import type { CallFate } from './network.ts';
import { armTrading, cancel, disarmTrading, look, place, retry, sell } from './operators.ts';
import type { Product } from './product.ts';
import type { Simulation } from './simulation.ts';

/** A move of an operator at a process that is up; none when there is none. */
export function atProduct(act: (simulation: Simulation, product: Product) => void | Promise<void>) {
  return async (simulation: Simulation) => {
    const product = simulation.aliveProduct();
    if (product !== null) await act(simulation, product);
  };
}

/** Ways of a call that leave open whether it arrived. */
export const ASTRAY: readonly CallFate[] = [
  { kind: 'lost' },
  { kind: 'answer_lost' },
  { kind: 'reset' },
  { kind: 'overtaken' },
  { kind: 'late', ms: 700, isReset: true },
  { kind: 'late', ms: 2_500, isReset: true },
  { kind: 'late', ms: 30_000 },
  { kind: 'answer', status: 500, body: '{"error":"could not insert order"}' },
  { kind: 'answer', status: 502, body: '<html>' },
];

/** An operator sees a bargain and buys it. */
export async function buyBargain(simulation: Simulation, product: Product): Promise<void> {
  const { exchange, scene, random, opportunityIds } = simulation;
  const chosen = random.between(0, scene.length - 1);
  const [opportunity, id] = [scene[chosen], opportunityIds[chosen] ?? ''];
  if (opportunity === undefined) return;
  quoteSet(exchange, opportunity, 0.86 + 0.08 * random.unit(), () => random.between(...BARGAIN_SHARES), random);
  await simulation.pass(SEEN_AFTER_MS);
  simulation.ask(product, `buy ${id}`, () => place(product, id, anySize(simulation)));
}

/** How many shares there are at the best price. */
const BARGAIN_SHARES = [60, 200] as const;

/** How long a price change is on its way. */
const SEEN_AFTER_MS = 40;

export const SELL_ALL: SaleRequest = { kind: 'all', prices: new Map() };

/** What an operator asks of any batch there is. */
function atBatch(name: string, ask: (product: Product, batchId: string) => Promise<string>) {
  return async (simulation: Simulation): Promise<void> => {
    const batch = simulation.random.pick((await simulation.stored()).batches);
    const product = simulation.aliveProduct();
    if (batch && product) simulation.ask(product, `${name} ${batch.id}`, () => ask(product, batch.id));
  };
}

async function sellOne(simulation: Simulation): Promise<void> {
  const buys = (await simulation.stored()).orders.filter(({ side }) => side === 'buy');
  const order = simulation.random.pick(buys);
  const product = simulation.aliveProduct();
  if (!order || !product) return;
  const size = simulation.random.unit() < 0.5 ? null : sharesFromNumber(simulation.random.between(1, 12));
  const request: SaleRequest = { kind: 'order', waits: null, orderId: order.id, size, price: null };
  simulation.ask(product, `sell ${size} of order ${order.id}`, () => sell(product, order.batch_id, request));
}

function anyOpportunity({ random, opportunityIds }: Simulation): string {
  return random.pick(opportunityIds) ?? '';
}

function anySize({ random }: Simulation): Shares | null {
  return random.unit() < 0.4 ? null : sharesFromNumber(random.between(10, 60));
}

export const OPERATORS: readonly Move[] = [
  { name: 'a bargain is bought', weight: 4, act: atProduct((simulation, product) => buyBargain(simulation, product)) },
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
    act: atProduct((simulation, product) => simulation.ask(product, 'disarm', () => disarmTrading(product))),
  },
  {
    name: 'arm',
    weight: 3,
    act: atProduct((simulation, product) => simulation.ask(product, 'arm', () => armTrading(product))),
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
