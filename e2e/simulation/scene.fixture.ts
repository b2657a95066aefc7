/** Scripted stories on the simulation: one opportunity with books that hold what is bought, and nothing left to the random. */
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Opportunity, quoteSet } from './market-scene.ts';
import { place } from './operators.ts';
import { runAs } from './owner.ts';
import type { Product } from './product.ts';
import { SharedDatabase } from './shared-database.ts';
import { type Simulation, simulate } from './simulation.ts';
import type { Stored, VenueOrder } from './truth.ts';

export const SIZE = 20;
const MICRO = 1_000_000;

export type Scene = {
  simulation: Simulation;
  product: Product;
  opportunityId: string;
  opportunity: Opportunity;
  /** Has an operator buy twenty shares of everything; answers what that person sees. */
  buy: (size?: number, opportunityId?: string) => Promise<string>;
  /** What a person does at a process, until that person has an answer. */
  ask: (work: (product: Product) => Promise<string>) => Promise<string>;
  /** Starts the process anew and waits until it is up. */
  restart: () => Promise<Product>;
};

/** `opportunities`: as many, of other markets each; the first is the one that is bought where none is named. */
type SceneOptions = {
  opportunities?: number;
  legs?: number;
  settings?: Record<string, number | boolean>;
  sum?: number;
};
type Tale = (scene: Scene) => Promise<void>;

/** What plays the stories of a file as tests: each on an exchange and rows of its own. */
export function openStories(): (tell: Tale, options?: SceneOptions) => () => Promise<void> {
  let database: SharedDatabase;

  beforeAll(async () => {
    database = await SharedDatabase.open();
  });
  afterAll(async () => {
    await database.close();
  });

  return (tell, options = {}) =>
    async () =>
      await playScene(database, tell, options);
}

async function playScene(
  database: SharedDatabase,
  tell: Tale,
  { opportunities = 1, legs = 2, settings = {}, sum = 0.9 }: SceneOptions,
): Promise<void> {
  const choose = (exchange: Simulation['exchange']) => {
    const all = exchange.engine.directory.all();
    return Array.from({ length: opportunities }, (_, index) => ({
      legs: all
        .slice(index * legs, (index + 1) * legs)
        .map((market) => ({ market, outcome: 0 as const, tokenId: market.tokens[0] })),
    }));
  };
  const all = { AUTO_PLACE_ORDER_ENABLED: false, ...settings };
  await simulate({ seed: 7, database, settings: all, choose }, async (simulation) => {
    const [opportunity] = simulation.scene;
    if (opportunity === undefined) throw new Error('a scene has one opportunity');
    for (const each of simulation.scene) quoteSet(simulation.exchange, each, sum, () => 100, simulation.random);
    await simulation.addOpportunities();
    let product = await simulation.time.drive(simulation.start('A').starting.ready);
    const opportunityId = simulation.opportunityIds[0] ?? '';
    await simulation.pass(600);
    const ask: Scene['ask'] = async (work) => {
      return await simulation.time.drive(runAs(product.owner, () => work(product)));
    };
    const scene: Scene = {
      simulation,
      get product() {
        return product;
      },
      opportunity,
      opportunityId,
      ask,
      buy: async (size = SIZE, id = opportunityId) => await ask((at) => place(at, id, sharesFromNumber(size))),
      restart: async () => {
        product = await simulation.time.drive(simulation.start('A').starting.ready);
        return product;
      },
    };
    await tell(scene);
  });
}

/** Twenty shares of every position were bought, by one order each, and product, exchange and people agree on it. */
export async function expectBoughtOnce({ simulation, opportunity }: Scene): Promise<Stored> {
  const stored = await simulation.checkAtRest();
  expect(stored.batches.map(({ status }) => status)).toEqual(['completed']);
  expect(boughtByToken(simulation.truth().orders)).toEqual(
    new Map(opportunity.legs.map(({ tokenId }) => [tokenId, [SIZE * MICRO]])),
  );
  return stored;
}

/** What each order matched, by its token. */
function boughtByToken(orders: readonly VenueOrder[]): Map<string, number[]> {
  const bought = new Map<string, number[]>();
  for (const { tokenId, matched } of orders) bought.set(tokenId, [...(bought.get(tokenId) ?? []), matched]);
  return bought;
}

/** How often orders left, whatever became of them. */
export function posts({ network }: Simulation): number {
  return network.sent.filter(({ method, path }) => method === 'POST' && path.startsWith('/order')).length;
}

/** What left to trade since that many calls of any kind had left. */
export function tradingCalls(
  { network }: Simulation,
  since: number,
): { at: number; purpose: 'cancel' | 'sell' | 'buy' }[] {
  return network.sent
    .slice(since)
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/order'))
    .map(({ at, method, body }) => ({
      at,
      purpose: method === 'DELETE' ? 'cancel' : body.includes('"SELL"') ? 'sell' : 'buy',
    }));
}
