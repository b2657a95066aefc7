import type { Fraction } from '@dutchbook/units/fraction.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Balances } from './balances.ts';
import { Book } from './book.ts';
import { cancelOrder, type MatchedMarket, placeOrder } from './matcher.ts';
import { FEE_COLLECTOR, type IncomingOrder, type OutcomeIndex, type Side } from './order.ts';
import { ceilingCost, SlowOracle } from './slow-oracle.ts';

const TOKENS = ['yes', 'no'] as const;
const ACCOUNTS = ['ann', 'bob', 'cyd'];
const START_USD = 2_000_000_000;
const START_SHARES = 300_000_000;

interface PlaceStep {
  readonly kind: 'place';
  readonly account: string;
  readonly side: Side;
  readonly outcome: OutcomeIndex;
  readonly cents: number;
  readonly hundredths: number;
  readonly type: 'GTC' | 'FOK' | 'FAK';
  readonly postOnly: boolean;
}
type Step = PlaceStep | { readonly kind: 'cancel'; readonly which: number };

const place: fc.Arbitrary<PlaceStep> = fc.record({
  kind: fc.constant('place'),
  account: fc.constantFrom(...ACCOUNTS),
  side: fc.constantFrom('BUY', 'SELL'),
  outcome: fc.constantFrom<OutcomeIndex>(0, 1),
  cents: fc.integer({ min: 40, max: 60 }),
  hundredths: fc.integer({ min: 1, max: 20_000 }),
  type: fc.constantFrom('GTC', 'GTC', 'GTC', 'FOK', 'FAK'),
  postOnly: fc.boolean(),
});
const cancel: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('cancel'), which: fc.nat() });
const steps = fc.array(fc.oneof({ weight: 6, arbitrary: place }, { weight: 1, arbitrary: cancel }), {
  minLength: 1,
  maxLength: 60,
});

function openMarket() {
  const market: MatchedMarket = { tokens: TOKENS, book: new Book() };
  const balances = new Balances();
  for (const account of ACCOUNTS) {
    balances.setCash(account, START_USD as Usd);
    for (const tokenId of TOKENS) balances.credit({ account, usd: USD_ZERO, tokenId, shares: START_SHARES as Shares });
  }
  return { market, balances, oracle: new SlowOracle() };
}

function orderOf(step: PlaceStep, id: string): IncomingOrder {
  const limit = step.cents * 10_000;
  const shares = step.hundredths * 10_000;
  const isDollars = step.type !== 'GTC' && step.side === 'BUY';
  return {
    id,
    account: step.account,
    side: step.side,
    outcome: step.outcome,
    limit: limit as Price,
    quantity: isDollars
      ? { kind: 'dollars', usd: ceilingCost(shares, limit) as Usd }
      : { kind: 'shares', shares: shares as Shares },
    remainder: step.type === 'GTC' ? 'rests' : step.type === 'FAK' ? 'dies' : 'kills the whole order',
    postOnly: step.postOnly && step.type === 'GTC',
    takerFeeRate: 50_000 as Fraction,
  };
}

/** Runs a step on both, expects the same of them, and settles at once. */
function runStep(world: ReturnType<typeof openMarket>, step: Step, id: string): void {
  const { market, balances, oracle } = world;
  if (step.kind === 'cancel') {
    const open = oracle.standing();
    const victim = open[step.which % Math.max(1, open.length)];
    const standing = victim && market.book.order(victim.id);
    if (standing === undefined) return;
    cancelOrder(market, balances, standing);
    oracle.cancel(standing.id);
    return;
  }
  const order = orderOf(step, id);
  const placed = placeOrder(market, balances, order);
  if (placed.kind === 'refused' && placed.reason === 'not enough funds') {
    expect(isPoor(world, order)).toBe(true);
    return;
  }
  const shares = order.quantity.kind === 'shares' ? order.quantity.shares : SHARES_ZERO;
  const dollars = order.quantity.kind === 'dollars' ? order.quantity.usd : undefined;
  const expected = oracle.place({ ...order, shares, dollars });
  if (placed.kind === 'refused') {
    expect(expected).toBe('refused');
    return;
  }
  expect(
    placed.fills.map(({ fill }) => ({ makerId: fill.makerOrderId, shares: fill.shares, takerPrice: fill.takerPrice })),
  ).toEqual(expected);
  for (const { fill, transfer } of placed.fills) {
    if (order.side === 'BUY') expect(fill.takerPrice).toBeLessThanOrEqual(order.limit);
    else expect(fill.takerPrice).toBeGreaterThanOrEqual(order.limit);
    for (const credit of transfer.credits) balances.credit(credit);
  }
}

function runAll(world: ReturnType<typeof openMarket>, run: readonly Step[]): void {
  for (const [position, step] of run.entries()) runStep(world, step, `order-${position}`);
}

/** Whether the account could not have paid the signed amount, or the amount with fees, by the oracle's own count. */
function isPoor({ balances, oracle }: ReturnType<typeof openMarket>, order: IncomingOrder): boolean {
  const mine = oracle.standing().filter(({ account, side }) => account === order.account && side === order.side);
  if (order.side === 'SELL') {
    const tokenId = TOKENS[order.outcome];
    const held = mine.filter(({ outcome }) => outcome === order.outcome).reduce((sum, { shares }) => sum + shares, 0);
    const wanted = order.quantity.kind === 'shares' ? order.quantity.shares : 0;
    return balances.tokens(order.account, tokenId) - held < wanted;
  }
  const held = mine.reduce((sum, { shares, limit }) => sum + ceilingCost(shares, limit), 0);
  const signed =
    order.quantity.kind === 'dollars' ? order.quantity.usd : ceilingCost(order.quantity.shares, order.limit);
  const highestFee = signed * 0.05 + 1_000;
  return balances.cash(order.account) - held < signed + highestFee;
}

describe('matching', () => {
  it('gives the fills of the slow oracle: best price first, then the longest waiting, never worse than the limit', () => {
    fc.assert(
      fc.property(steps, (run) => {
        const world = openMarket();
        runAll(world, run);
        const standing = world.oracle.standing().map(({ id, shares }) => [id, shares]);
        for (const [id, shares] of standing) expect(world.market.book.order(String(id))?.remaining).toBe(shares);
      }),
      { numRuns: 400 },
    );
  });

  it('creates and loses no money: cash and sets add up to the start, to the micro-dollar', () => {
    fc.assert(
      fc.property(steps, (run) => {
        const world = openMarket();
        runAll(world, run);
        const { balances } = world;
        const everyone = [...ACCOUNTS, FEE_COLLECTOR];
        const cash = everyone.reduce((sum, account) => sum + balances.cash(account), 0);
        const [yes, no] = TOKENS.map((tokenId) =>
          ACCOUNTS.reduce((sum, account) => sum + balances.tokens(account, tokenId), 0),
        );
        expect(yes).toBe(no);
        expect(cash + (yes ?? 0)).toBe(ACCOUNTS.length * (START_USD + START_SHARES));
        for (const account of ACCOUNTS) expect(balances.freeCash(account)).toBeGreaterThanOrEqual(0);
        for (const tokenId of TOKENS) {
          for (const account of ACCOUNTS) expect(balances.freeTokens(account, tokenId)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('frees everything that was held back once all orders are gone', () => {
    fc.assert(
      fc.property(steps, (run) => {
        const world = openMarket();
        runAll(world, run);
        while (world.oracle.standing().length > 0) runStep(world, { kind: 'cancel', which: 0 }, '');
        for (const account of ACCOUNTS) {
          expect(world.balances.freeCash(account)).toBe(world.balances.cash(account));
          expect(world.balances.freeTokens(account, 'yes')).toBe(world.balances.tokens(account, 'yes'));
        }
      }),
      { numRuns: 200 },
    );
  });
});
