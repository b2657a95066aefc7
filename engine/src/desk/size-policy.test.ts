import { type Fraction, fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { type Price, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { totalSize } from '../book/walk.ts';
import { marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import { defaultOrderSize, planPlacement } from '../order/plan.ts';
import { seeded } from '../relation/relation.fixture.ts';
import { contextOf, settings as SETTINGS } from '../risk/context.fixture.ts';
import type { GateContext, GateQuote } from '../risk/context.ts';
import { evaluateGates } from '../risk/gates.ts';
import { type SizePolicy, type SizeTerms, sizeByPolicy } from './size-policy.ts';

type World = { context: GateContext; survival: Fraction | null; terms: SizeTerms };

const BOUND_OF_GATE = new Map([
  ['price-band', 'price band'],
  ['clip', 'clip'],
  ['loss-allowance', 'loss allowance'],
  ['balance', 'cash'],
  ['allowance', 'approval'],
  ['limit-per-order', 'order limit'],
  ['limit-per-batch', 'batch limit'],
  ['limit-per-day', 'day limit'],
  ['limit-open-exposure', 'exposure'],
  ['sign-off', 'sign-off'],
]);

/** Books of up to 60 shares, of cents and tenths of cents, with limits that bind about as often as not. */
function randomWorld(seed: number): World {
  const random = seeded(seed * 7919 + 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const upTo = (most: number) => Math.floor(random() * most);
  const fine = random() < 0.3;
  const dear = (usd: number) => usdFromNumber(0.5 + random() * usd);
  const legs = 1 + upTo(4);
  const quotes: GateQuote[] = Array.from({ length: legs }, (_, index) => {
    const rate = pick([0, 0.02, 0.04, 0.07, 0.0625]);
    let price = Math.max(1, Math.round((0.6 + 0.5 * random()) * (1000 / legs)));
    const asks = Array.from({ length: 1 + upTo(4) }, () => {
      const level = [
        (fine ? price : Math.max(10, price - (price % 10))) / 1000,
        pick([1, 5, 8.25, 12, 20.5, 0.3]),
      ] as const;
      price += 10 * (1 + upTo(4));
      return level;
    }).filter(([at]) => at < 1);
    const step = pick([10, 10, 10_000]) as Usd;
    const market = marketOf(`m${index}`, {
      feeSchedule: { rate: fractionFromNumber(rate), step },
      sizeStep: pick([sharesFromNumber(0.01), ONE_SHARE]),
      minOrderSize: sharesFromNumber(pick([1, 5])),
      settledBy: pick(['exchange', 'other']),
    });
    return { ...quoteOf(index + 1, asks, { market, marketId: market.id }), feed: 'live' as const, bookAgeMs: 400 };
  });
  const policy: SizePolicy = {
    kind: pick(['up_to', 'best', 'smallest']),
    clipsMax: 20,
    clip: dear(pick([20, 80, 300])),
    lossAllowance: dear(pick([10, 40, 200])),
  };
  const maybe = (usd: number) => (random() < 0.3 ? dear(usd) : null);
  const context = contextOf({
    quotes,
    automatic: true,
    of: {
      balance: random() < 0.05 ? null : dear(pick([30, 200])),
      allowances: random() < 0.2 ? new Map([['exchange', dear(60)]]) : null,
      limits: { perOrder: maybe(30), perBatch: maybe(50), perDay: maybe(60), openExposure: maybe(60) },
      limitsRequired: random() < 0.02,
      placedToday: dear(20),
      openExposure: dear(20),
    },
    signOffAbove: maybe(50),
    ...(policy.kind !== 'smallest' && { clipLimits: policy }),
    settings: {
      ...SETTINGS,
      minOrderValue: usdFromNumber(pick([1, 2])),
      minOrderShares: sharesFromNumber(pick([1, 5])),
      priceLow: 0 as Price,
      priceHigh: setPriceFromNumber(pick([0.5, 0.9, 1])),
      minAnnualised: percentFromNumber(pick([0, 0, 12])),
    },
    untilCashMs: pick([10, 100, 400]) * 86_400_000,
  });
  const survival = random() < 0.5 ? null : fractionFromNumber(random());
  const targetPrice = setPriceFromNumber(pick([1, 1, 0.95, 1.05]));
  const triggerPct = percentFromNumber(pick([0.1, 0.8, 3]));
  return { context, survival, terms: { targetPrice, policy, triggerPct, survivalOf: () => survival } };
}

/** Looks at every size. */
function bySearch({ context, survival, terms }: World) {
  const { quotes, settings } = context;
  const { targetPrice, policy } = terms;
  const ofReturn = Math.ceil((settings.minAnnualised * (context.untilCashMs ?? 0)) / (365 * 86_400_000));
  const leastPct = Math.max(terms.triggerPct, ofReturn);
  const step = Math.max(ONE_SHARE, ...quotes.map(({ market }) => market?.sizeStep ?? 0));
  const onOffer = Math.floor(Math.min(...quotes.map(({ book }) => totalSize(book?.asks ?? []))) / step);
  const planOf = (count: number) => planPlacement(quotes, (count * step) as Shares, targetPrice);
  const boundAt = (count: number) => {
    const plan = planOf(count);
    if (plan.shortOf.length > 0) return 'depth';
    const refusal = evaluateGates({ ...context, plan }).find(({ gate }) => BOUND_OF_GATE.has(gate));
    // The gates are read out in another order than the bounds.
    const gates = new Set(evaluateGates({ ...context, plan }).map(({ gate }) => gate));
    return refusal && [...BOUND_OF_GATE].find(([gate]) => gates.has(gate))?.[1];
  };
  const excess = (count: number) => {
    const { expectedProfit, totalCost, totalFees } = planOf(count);
    return BigInt(expectedProfit) * 100_000_000n - BigInt(totalCost + totalFees) * BigInt(leastPct);
  };
  const least = Math.ceil(defaultOrderSize(quotes, settings) / step);
  if (policy.kind === 'smallest') {
    const refused = boundAt(least);
    const profit = planOf(least).expectedProfit;
    return {
      size: least * step,
      boundedBy: refused ?? 'minimum',
      isAllowed: refused === undefined,
      pays: null,
      profit,
    };
  }
  const sizes = Array.from({ length: onOffer }, (_, index) => index + 1);
  const bestOf = (among: readonly number[]) =>
    among.reduce((best, each) => (best === 0 || excess(each) >= excess(best) ? each : best), 0);
  const pays = bestOf(sizes);
  const met = policy.kind === 'best' && survival !== null ? Math.floor((pays * survival) / 1_000_000) : pays;
  const allowed = sizes.filter((size) => size <= pays && boundAt(size) === undefined);
  const count = bestOf(allowed.filter((size) => size <= met));
  const most = allowed.at(-1) ?? 0;
  const answer = (chosen: number, boundedBy: string | undefined, isAllowed = true) => {
    const size = chosen * step;
    const paid = pays > 0 && excess(pays) >= 0n ? pays * step : 0;
    return { size, boundedBy, isAllowed, pays: paid, profit: planOf(chosen).expectedProfit };
  };
  if (count < least) {
    const refused = boundAt(least);
    return refused === undefined ? answer(least, 'minimum') : answer(least, refused, false);
  }
  if (met < most) return answer(count, 'depth');
  if (most < pays) return answer(count, boundAt(most + 1));
  return answer(count, pays === onOffer ? 'depth' : 'margin');
}

const WORLDS = 10_000;
/** All of them in `npm run test:all`. */
const PER_CHANGE = 2500;

describe('the size by policy', () => {
  it('is what a search of every permitted size finds, with the bound that it names', () => {
    const isWhole = process.env.TEST_ALL !== undefined;
    const named = new Set<string>();
    for (let seed = 1; seed <= WORLDS; seed += isWhole ? 1 : WORLDS / PER_CHANGE) {
      const world = randomWorld(seed);
      const chosen = sizeByPolicy(world.context, world.terms);
      const profit = planPlacement(world.context.quotes, chosen.size, world.terms.targetPrice).expectedProfit;
      expect({ seed, ...chosen, profit }).toEqual({ seed, ...bySearch(world) });
      const { kind } = world.terms.policy;
      const refused = chosen.isAllowed ? '' : ', refused';
      named.add(`${kind === 'smallest' ? 'smallest: ' : ''}${chosen.boundedBy}${refused}`);
    }
    const bounds = [...BOUND_OF_GATE.values(), 'depth'];
    const ofSmallest = bounds.filter((bound) => bound !== 'clip' && bound !== 'loss allowance');
    const expected = [
      ...['margin', 'minimum', ...bounds, ...bounds.map((bound) => `${bound}, refused`)],
      ...['smallest: minimum', ...ofSmallest.map((bound) => `smallest: ${bound}, refused`)],
    ];
    expect([...named].sort()).toEqual(expected.sort());
  });
});
