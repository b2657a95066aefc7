import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalogue } from '../catalogue/listing.ts';
import { NO_FAULTS } from '../faults/no-faults.fixture.ts';
import type { OutcomeIndex, Side } from '../matching/order.ts';
import { ExchangeClock } from '../matching-engine/clock.ts';
import { type Market, MarketDirectory } from '../matching-engine/market.ts';
import { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { Positions } from './positions.ts';
import { Settlement, type SettlementFate } from './settlement.ts';

const NOW = 1_780_000_000_000 as Instant;
const DOLLARS_EACH = 10_000_000_000;
const USERS = ['ann', 'bob'];
const LONG_ENOUGH_MS = 60_000;

type Step =
  | { kind: 'order'; user: string; side: Side; outcome: OutcomeIndex; cents: number; shares: number }
  | { kind: 'quote'; bid: number; spread: number; shares: number }
  | { kind: 'split' | 'merge'; user: string; shares: number }
  | { kind: 'wait'; ms: number };

const user = fc.constantFrom(...USERS);
const shares = fc.integer({ min: 5, max: 400 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('order'),
    user,
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    outcome: fc.constantFrom<OutcomeIndex>(0, 1),
    cents: fc.integer({ min: 30, max: 70 }),
    shares,
  }),
  fc.record({
    kind: fc.constant('quote'),
    bid: fc.integer({ min: 30, max: 65 }),
    spread: fc.integer({ min: 1, max: 5 }),
    shares,
  }),
  fc.record({ kind: fc.constantFrom('split', 'merge'), user, shares }),
  fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 100, max: 2_500 }) }),
);
const fates = fc.array(fc.constantFrom<SettlementFate>('confirms', 'confirms', 'retries and confirms', 'fails'), {
  minLength: 1,
  maxLength: 7,
});

function openWorld(fateCycle: readonly SettlementFate[]) {
  let trades = 0;
  const clock = new ExchangeClock({ now: () => NOW, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(1, NOW), NOW);
  const engine = new MatchingEngine({
    clock,
    directory,
    faults: NO_FAULTS,
    settle: (trade) => settlement.begin(trade),
  });
  const positions = new Positions(engine, { isOn: true, delayMs: 0 });
  const fateOf = () => fateCycle[trades++ % fateCycle.length] ?? 'confirms';
  const settlement = new Settlement(engine, fateOf, (account) => positions.redeemResolved(account));
  for (const address of USERS) engine.openAccount({ address, nonce: '0', apiKey: address, secret: '', passphrase: '' });
  const [market] = directory.all();
  if (market === undefined) throw new Error('the catalogue lists markets');
  return { engine, positions, market };
}

type World = ReturnType<typeof openWorld>;

function run(world: World, taken: Step, id: string): void {
  const { engine, positions, market } = world;
  if (taken.kind === 'order') placeIn(world, taken, id);
  else if (taken.kind === 'wait') engine.clock.advance(taken.ms);
  else if (taken.kind === 'quote') {
    engine.replaceQuotes(market, [
      { side: 'bid', price: cents(taken.bid), size: micro(taken.shares) },
      { side: 'ask', price: cents(taken.bid + taken.spread), size: micro(taken.shares) },
    ]);
  } else positions[taken.kind](taken.user, market, micro(taken.shares));
}

function placeIn({ engine, market }: World, order: Extract<Step, { kind: 'order' }>, id: string): void {
  const { side, outcome } = order;
  engine.place({
    id,
    account: order.user,
    makerAddress: order.user,
    token: { market, outcome, tokenId: market.tokens[outcome] },
    side,
    limit: cents(order.cents),
    shares: micro(order.shares),
    quantity: { kind: 'shares', shares: micro(order.shares) },
    timeInForce: 'GTC',
    postOnly: false,
    expiresAt: null,
  });
}

const micro = (whole: number) => (whole * 1_000_000) as Shares;
const cents = (whole: number) => (whole * 10_000) as Price;

function totals({ balances }: MatchingEngine, { tokens }: Market) {
  const everyone = balances.accounts();
  const sum = (of: (account: string) => number) => everyone.reduce((total, account) => total + of(account), 0);
  return {
    cash: sum((account) => balances.cash(account)),
    yes: sum((account) => balances.tokens(account, tokens[0])),
    no: sum((account) => balances.tokens(account, tokens[1])),
  };
}

describe('settlement', () => {
  it('keeps every dollar through matches, failures, splits, merges and the resolution of the market', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), fates, (steps, fateCycle) => {
        const world = openWorld(fateCycle);
        const { engine, positions, market } = world;
        for (const [position, taken] of steps.entries()) run(world, taken, `order-${position}`);
        engine.clock.advance(LONG_ENOUGH_MS);
        const { cash, yes, no } = totals(engine, market);
        expect(yes).toBe(no);
        expect(cash + yes).toBe(USERS.length * DOLLARS_EACH);
        for (const trade of engine.register.trades.values()) expect(['CONFIRMED', 'FAILED']).toContain(trade.status);

        positions.resolve(market, 1);
        expect(totals(engine, market)).toEqual({ cash: USERS.length * DOLLARS_EACH, yes: 0, no: 0 });
        for (const account of USERS) expect(engine.balances.freeCash(account)).toBe(engine.balances.cash(account));
      }),
      { numRuns: 150 },
    );
  });

  it('pays a trade that is mined after its market was resolved', () => {
    const world = openWorld(['confirms']);
    run(world, { kind: 'quote', bid: 40, spread: 2, shares: 100 }, '');
    run(world, { kind: 'order', user: 'ann', side: 'BUY', outcome: 0, cents: 42, shares: 10 }, 'order-1');
    world.positions.resolve(world.market, 0);
    world.engine.clock.advance(LONG_ENOUGH_MS);
    // Ten dollars for 4.20 and the fee of 10 x 0.05 x 0.42 x 0.58.
    expect(world.engine.balances.cash('ann')).toBe(DOLLARS_EACH + 5_800_000 - 121_800);
  });
});
