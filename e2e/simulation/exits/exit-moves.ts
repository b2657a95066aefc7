/** What operators, the market and the chain do in a random run where shares are converted into dollars. */
import { COLLATERAL_ADAPTER, NEG_RISK_ADAPTER, ROUTER } from '@dutchbook/exchange/chain/contracts/addresses.ts';
import type { FaultOrder } from '@dutchbook/exchange/faults/faults.ts';
import { CHAIN_POINTS } from '@dutchbook/server/platform/runtime/crash-point.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { type Leg, type Opportunity, quoteSet } from '../market-scene.ts';
import type { Move } from '../moves.ts';
import { atProduct, SELL_ALL } from '../operator-moves.ts';
import { place, sell } from '../operators.ts';
import type { Product } from '../product.ts';
import type { Simulation } from '../simulation.ts';
import { withAny } from '../surrounding-moves.ts';
import { approve, cashNow, cashNowOfEvent, redeem, setAutomatic } from './exit-operators.ts';
import { canBeSplit } from './exit-scene.ts';

const CHAIN_FAULTS: readonly ((random: Simulation['random']) => FaultOrder)[] = [
  ({ unit }) => ({ name: 'chain_revert', reason: unit() < 0.5 ? 'paused' : '' }),
  () => ({ name: 'chain_out_of_gas' }),
  ({ unit, between }) => ({ name: 'chain_stuck', ...(unit() < 0.5 && { ms: between(3_000, 40_000) }) }),
  () => ({ name: 'chain_replaced' }),
  () => ({ name: 'chain_nonce_taken' }),
  ({ unit }) => ({ name: 'chain_reorg', recover: unit() < 0.6 }),
  ({ unit }) => ({ name: 'chain_answer_lost', before: unit() < 0.4 }),
  ({ between }) => ({ name: 'rpc_5xx', times: between(1, 12) }),
  ({ between }) => ({ name: 'rpc_behind', times: between(5, 60), blocks: between(1, 8) }),
  ({ between }) => ({ name: 'rpc_disagree', times: between(5, 60), blocks: between(1, 8) }),
  ({ between }) => ({ name: 'relayer_quota', ms: between(1_000, 40_000) }),
  () => ({ name: 'relayer_5xx' }),
  () => ({ name: 'relayer_call_blocked' }),
  () => ({ name: 'stale_balance', times: 3 }),
];

/** Of a wallet whose submissions do not expire: its relayer may call one failed, and the nonce stays unused. */
const FAULTS_WITHOUT_DEADLINE: typeof CHAIN_FAULTS = [
  ...CHAIN_FAULTS,
  ...Array.from({ length: 6 }, () => ({ between }: Simulation['random']) => {
    return { name: 'relayer_gives_up', times: between(1, 6), reason: 'simulation failed' } as const;
  }),
];

/** One of what goes wrong with chains, their nodes and relayers. */
export function strikeChain(simulation: Simulation): void {
  const { exchange, random, time, account } = simulation;
  const mayExpire = account.signatureType === 0 || account.signatureType === 3;
  const order = random.pick(mayExpire ? CHAIN_FAULTS : FAULTS_WITHOUT_DEADLINE)?.(random);
  if (order === undefined) return;
  simulation.tell(`fault ${order.name}`);
  exchange.faults.add(order, time.now());
}

/** What has won pays a dollar, or both outcomes half of one; one of an event at most. */
export function resolveAny(simulation: Simulation): void {
  const { exchange, scene, random } = simulation;
  const open = scene.flatMap(({ legs }) => legs).filter(({ market }) => market.payouts === undefined);
  const leg = random.pick(open);
  if (leg === undefined) return;
  const { market } = leg;
  const drawn = random.unit();
  const mayHalve = !(market.event.negRisk && market.listing.protocol === 'v1');
  const outcome = drawn < 0.25 && mayHalve ? 'half' : drawn < 0.7 ? leg.outcome : leg.outcome === 0 ? 1 : 0;
  if (outcome === 0 && market.event.negRisk && hasWinner(exchange, market)) return;
  simulation.tell(`${market.listing.question} resolves: ${outcome}`);
  exchange.positions.resolve(market, outcome);
}

function hasWinner({ engine }: Simulation['exchange'], { event }: Leg['market']): boolean {
  return event.markets.some(({ conditionId }) => engine.directory.market(conditionId)?.winner === 0);
}

/** Whether the venue redeems for all accounts, some seconds after a market has resolved. */
export function letVenueRedeem(simulation: Simulation, isOn: boolean): void {
  simulation.exchange.positions.autoRedeem = { isOn, delayMs: simulation.random.between(0, 4_000) };
  simulation.mayVenueRedeem ||= isOn;
}

/** Withdrawn with the account's key, and not through us. */
export function withdrawApprovals({ exchange: { engine } }: Simulation): void {
  const account = engine.register.firstAccount()?.address;
  if (account === undefined) return;
  for (const contract of [COLLATERAL_ADAPTER, NEG_RISK_ADAPTER, ROUTER])
    engine.allowances.set(account, contract, 'CONDITIONAL', 0n);
}

/** Of any batch, of an event, or of all that is held. */
export async function cashNowOfAny(simulation: Simulation, product: Product): Promise<void> {
  const { random } = simulation;
  const drawn = random.unit();
  if (drawn < 0.3) return cashNowOfAnyEvent(simulation, product);
  const batch = random.pick((await simulation.stored()).batches);
  const lots = batch === undefined || drawn < 0.7 ? ('held' as const) : { batchId: batch.id };
  simulation.ask(product, `cash now of ${JSON.stringify(lots)}`, () => cashNow(product, lots));
}

/** Of whatever the venue knows under the name that a screen shows it by. */
export function cashNowOfAnyEvent(simulation: Simulation, product: Product): void {
  const { scene, random } = simulation;
  const market = random.pick(scene.flatMap(({ legs }) => legs))?.market;
  if (market === undefined) return;
  const eventId = market.event.negRisk ? market.event.id : market.listing.conditionId;
  simulation.ask(product, `cash now of event ${eventId}`, () => cashNowOfEvent(product, eventId));
}

/** The opportunity of the scene that dollars can be split into, and its id; null where there is none. */
export function splittable({ scene, opportunityIds }: Simulation): { opportunity: Opportunity; id: string } | null {
  const place = scene.findIndex(canBeSplit);
  const opportunity = scene[place];
  return opportunity === undefined ? null : { opportunity, id: opportunityIds[place] ?? '' };
}

/** An operator sees that what dollars can be split into brings more than they are; nothing where there is nothing like that. */
export async function splitBargain(simulation: Simulation, product: Product): Promise<void> {
  const { exchange, random } = simulation;
  const found = splittable(simulation);
  if (found === null) return;
  const { opportunity, id } = found;
  quoteSet(exchange, opportunity, 0.86 + 0.08 * random.unit(), () => random.between(60, 200), random);
  await simulation.pass(STORED_AFTER_MS);
  const size = random.unit() < 0.4 ? null : sharesFromNumber(random.between(10, 60));
  simulation.ask(product, `split into ${id} ${size}`, () => place(product, id, size, 'split'));
}

/** By then the price is stored that a moved one is compared with. */
export const STORED_AFTER_MS = 1_100;

export const EXIT_MOVES: readonly Move[] = [
  { name: 'cash now', weight: 10, act: atProduct(cashNowOfAny) },
  { name: 'split', weight: 5, act: atProduct(splitBargain) },
  {
    name: 'cash now beside a sale',
    weight: 3,
    act: async (simulation) => {
      const batch = simulation.random.pick((await simulation.stored()).batches);
      const [product, other] = [simulation.aliveProduct(), simulation.aliveProduct()];
      if (batch === undefined || product === null || other === null) return;
      simulation.ask(product, `sell all ${batch.id}`, () => sell(product, batch.id, SELL_ALL));
      simulation.ask(other, `cash now of batch ${batch.id}`, () => cashNow(other, { batchId: batch.id }));
    },
  },
  {
    name: 'redeem',
    weight: 3,
    act: atProduct((simulation, product) => simulation.ask(product, 'redeem', () => redeem(product))),
  },
  { name: 'a market resolves', weight: 3, act: resolveAny },
  {
    name: 'the venue redeems by itself, or not',
    weight: 1,
    act: (simulation) => letVenueRedeem(simulation, !simulation.exchange.positions.autoRedeem.isOn),
  },
  { name: 'approvals are withdrawn elsewhere', weight: 1, act: withdrawApprovals },
  {
    name: 'approve',
    weight: 2,
    act: atProduct((simulation, product) => {
      const isAllowed = simulation.random.unit() < 0.7;
      simulation.ask(product, `approve ${isAllowed}`, () => approve(product, isAllowed));
    }),
  },
  {
    name: 'exits by themselves, or not',
    weight: 2,
    act: atProduct((simulation, product) => {
      const least = simulation.random.unit() < 0.6 ? simulation.random.between(1, 20) : null;
      simulation.ask(product, `automatic from ${least}`, () => setAutomatic(product, least));
    }),
  },
  { name: 'a fault of the chain', weight: 8, act: strikeChain },
  { name: 'what is stuck is let go', weight: 2, act: ({ exchange }) => exchange.chain.unstick() },
  {
    name: 'a process will die at a step of the chain',
    weight: 4,
    act: (simulation) =>
      withAny(simulation, (one) =>
        simulation.dieAfter(one, simulation.random.between(0, 2), simulation.random.pick(CHAIN_POINTS) ?? null),
      ),
  },
];
