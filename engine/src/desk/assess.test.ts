import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber, sharesToNumber } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { bookOf } from '../opportunity/quotes.fixture.ts';
import { planPlacement } from '../order/plan.ts';
import {
  account,
  settings as gates,
  goodQuotes,
  NOW,
  noLimits,
  withMarket,
  withSecond,
} from '../risk/context.fixture.ts';
import type { AccountState, Blocker } from '../risk/context.ts';
import { splitWay } from '../split/way-in.ts';
import { type AssessInput, assess, judgeable, sentences } from './assess.ts';

const DOLLAR = setPriceFromNumber(1);
const SETTINGS = {
  pricing: { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: usdFromNumber(10) },
  gates,
  triggerPct: percentFromNumber(3),
  size: { kind: 'smallest' as const, clipsMax: 20, clip: usdFromNumber(30), lossAllowance: usdFromNumber(30) },
  practice: false,
};
const READY = { reconciled: true, placesFound: false, corruptSettings: [] };
/** Of an input: that its one account is the good one with these changes. */
const of = (changes: Partial<AccountState>): Pick<AssessInput, 'accounts'> => ({
  accounts: new Map([['polymarket', { ...account, ...changes }]]),
});

/** Ten sets at 0.95 that pay a dollar, asked for by hand. */
function inputOf(changes: Partial<AssessInput> = {}): AssessInput {
  return {
    opportunity: { active: true, targetPrice: DOLLAR, relationId: null },
    ...{ quotes: goodQuotes(), size: sharesFromNumber(10), quotedPrice: setPriceFromNumber(0.95), automatic: false },
    ...{ settings: SETTINGS, now: NOW, activeBatchId: null, readiness: READY },
    ...{ ...of({}), deskLimits: noLimits, ownOrders: [], spentBefore: [] },
    ...changes,
  };
}

const refusing = (changes: Partial<AssessInput>) => assess(inputOf(changes)).blockers.map(({ gate }) => gate);

describe('an order as it would be placed', () => {
  it('is planned, valued, and refused by nothing', () => {
    const { plan, value, split, quotes, feeSchedules, ...said } = assess(inputOf());
    expect(said).toMatchObject({ blockers: [], warnings: [], unsigned: [], sizeBoundedBy: null });
    expect([sharesToNumber(plan.size), plan.orders.length, split]).toEqual([10, 2, null]);
    expect(value).toMatchObject({ kind: 'valued', currentPrice: setPriceFromNumber(0.95) });
    expect(quotes).toEqual(goodQuotes());
    expect([...feeSchedules.keys()]).toEqual(['m1-yes', 'm2-yes']);
  });

  it('names no fees of a market that it does not know, that takes none, or without a token', () => {
    const known = (changed: AssessInput['quotes']) => [...assess(inputOf({ quotes: changed })).feeSchedules.keys()];
    expect(known(withSecond({ market: undefined }))).toEqual(['m1-yes']);
    expect(known(withMarket({ feeSchedule: null }))).toEqual(['m1-yes']);
    expect(known(withSecond({ tokenId: null }))).toEqual(['m1-yes']);
  });

  it('has the smallest size that satisfies every minimum where none is asked for', () => {
    // Two dollars of the position at 0.45 are 4.45 shares; five are the least.
    expect(sharesToNumber(assess(inputOf({ size: null })).plan.size)).toBe(5);
    const dear = { ...SETTINGS, gates: { ...gates, minOrderShares: sharesFromNumber(8) } };
    expect(sharesToNumber(assess(inputOf({ size: null, settings: dear })).plan.size)).toBe(8);
  });

  it.each<[string, Partial<AssessInput>]>([
    ['armed', of({ armed: false })],
    ['reconciled', { readiness: { ...READY, reconciled: false } }],
    ['sound-settings', { readiness: { ...READY, corruptSettings: ['MIN_ORDER_SHARES'] } }],
    ['active', { opportunity: { active: false, targetPrice: DOLLAR, relationId: null } }],
    ['one-active-batch', { activeBatchId: 'batch' }],
    ['price-deviation', { quotedPrice: setPriceFromNumber(0.5) }],
    ['balance', of({ balance: usdFromNumber(9) })],
    ['allowance', of({ allowances: new Map() })],
    ['limit-per-batch', of({ limits: { ...noLimits, perBatch: usdFromNumber(9) } })],
    ['limit-per-day', { deskLimits: { ...noLimits, perDay: usdFromNumber(9) } }],
    ['fresh-books', { quotes: withSecond({ bookAgeMs: 11_000 }) }],
    ['minimum-shares', { size: sharesFromNumber(4) }],
  ])('is refused by the gate %s for what that gate is given', (gate, changes) => {
    expect(refusing(changes)).toContain(gate);
  });

  it('is refused where a market ends soon, and warned of where one trades past its end', () => {
    const soon = withMarket({ endDate: instantFromMs(NOW + 60_000) });
    expect(refusing({ quotes: soon })).toEqual(['market-open']);
    const past = assess(inputOf({ quotes: withMarket({ endDate: NOW }) }));
    expect([past.blockers, past.warnings.map(({ gate }) => gate)]).toEqual([[], ['market-open']]);
  });

  it('of practice touches no account', () => {
    const settings = { ...SETTINGS, practice: true };
    expect(refusing({ settings, ...of({ armed: false, allowances: new Map() }) })).toEqual([]);
  });
});

describe('an order that the product places by itself', () => {
  const automatic = true;

  it('has to make what triggers, which one by hand has not, and warns of nothing', () => {
    // 0.95 for a dollar are 5.26 per cent.
    const settings = { ...SETTINGS, triggerPct: percentFromNumber(5.3) };
    expect(refusing({ automatic, settings })).toEqual(['profit']);
    expect(refusing({ automatic, settings: { ...settings, triggerPct: percentFromNumber(5.2) } })).toEqual([]);
    expect(refusing({ settings })).toEqual([]);
    expect(assess(inputOf({ automatic, quotes: withMarket({ resolution: 'proposed' }) })).warnings).toEqual([]);
  });

  it('is as large as the policy of sizes says, which only shows it to a person', () => {
    const settings = { ...SETTINGS, size: { ...SETTINGS.size, kind: 'up_to' as const } };
    // Thirty dollars of 0.95 each are 31 sets.
    const alone = assess(inputOf({ automatic, settings, size: null }));
    expect(alone).toMatchObject({ chosen: { boundedBy: 'clip' }, sizeBoundedBy: 'clip', blockers: [] });
    expect(sharesToNumber(alone.plan.size)).toBe(31);
    const byHand = assess(inputOf({ settings, size: null }));
    expect(byHand).toMatchObject({ chosen: { boundedBy: 'clip', size: alone.plan.size }, sizeBoundedBy: null });
    expect(sharesToNumber(byHand.plan.size)).toBe(5);
    const asked = assess(inputOf({ automatic, settings }));
    expect([sharesToNumber(asked.plan.size), asked.sizeBoundedBy]).toEqual([10, null]);
    expect(assess(inputOf({ automatic, size: null })).sizeBoundedBy).toBe('minimum');
  });

  it('has to keep within the clip where a policy that knows clips has chosen its size, and only there', () => {
    const size = { ...SETTINGS.size, clip: usdFromNumber(1) };
    const inClips = { ...SETTINGS, size: { ...size, kind: 'up_to' as const } };
    // Five sets are the least, and cost more than a dollar.
    expect(refusing({ automatic, settings: inClips, size: null })).toEqual(['clip']);
    expect(refusing({ automatic, settings: { ...SETTINGS, size }, size: null })).toEqual([]);
    expect(refusing({ automatic, settings: inClips })).toEqual([]);
    expect(refusing({ settings: inClips, size: null })).toEqual([]);
  });

  it('of what discovery has found needs the switch of found ones', () => {
    const opportunity = { active: true, targetPrice: DOLLAR, relationId: 'relation' };
    expect(refusing({ automatic, opportunity })).toEqual(['found-switch']);
    expect(refusing({ automatic, opportunity, readiness: { ...READY, placesFound: true } })).toEqual([]);
    expect(refusing({ opportunity })).toEqual([]);
  });

  it('is refused above what one person may spend, where a person is warned, with what they asked for lately', () => {
    const readiness = { ...READY, signOffAbove: usdFromNumber(9) };
    expect(assess(inputOf({ automatic, readiness }))).toMatchObject({
      blockers: [{ gate: 'sign-off' }],
      unsigned: [],
      warnings: [],
    });
    const byHand = assess(inputOf({ readiness }));
    expect(byHand.blockers).toEqual([]);
    expect(byHand.unsigned).toMatchObject([{ gate: 'sign-off', actual: 9.5, required: 9 }]);
    expect(byHand.warnings).toEqual(byHand.unsigned);
    const more = { readiness: { ...READY, signOffAbove: usdFromNumber(12) }, askedLately: usdFromNumber(3) };
    expect(assess(inputOf(more)).unsigned).toMatchObject([{ actual: 12.5 }]);
  });
});

describe('prices far from the middle', () => {
  const quotes = withSecond({ book: bookOf([[0.05, 100]]) });
  const found = (basis: 'declared' | 'parsed') => ({
    ...{ active: true, targetPrice: setPriceFromNumber(0.55), relationId: 'relation', basis },
  });
  const foundBand = { priceLow: priceFromNumber(0.01) };
  const refused = (changes: Partial<AssessInput>) =>
    refusing({ quotes, size: sharesFromNumber(50), quotedPrice: null, ...changes }).includes('price-band');

  it('are refused, unless the venue itself says that the set pays and the band of found ones allows them', () => {
    expect(refused({ opportunity: found('declared') })).toBe(true);
    expect(refused({ opportunity: found('declared'), readiness: { ...READY, foundBand } })).toBe(false);
    expect(refused({ opportunity: found('parsed'), readiness: { ...READY, foundBand } })).toBe(true);
    const { basis: _, ...unfounded } = found('declared');
    expect(refused({ opportunity: unfounded, readiness: { ...READY, foundBand } })).toBe(true);
  });
});

describe('a split', () => {
  const [yes] = goodQuotes();
  const market = yes?.market;
  const both = [
    yes,
    { ...yes, leg: 2, outcome: 'No', tokenId: 'm1-no', book: bookOf([[0.5, 100]]) },
  ] as AssessInput['quotes'];
  const way = splitWay(both, DOLLAR, null);

  it('sells what the positions are not, in its own least size, and needs no allowance to buy', () => {
    expect(market).toBeDefined();
    const split = assess(inputOf({ quotes: both, way, size: null, ...of({ allowances: new Map() }) }));
    expect(split).toMatchObject({ split: { way, plan: split.plan }, chosen: null });
    expect(split.plan.orders.map(({ side }) => side)).toEqual(['sell', 'sell']);
    expect(split.blockers).toEqual([]);
    expect(refusing({ quotes: both, ...of({ allowances: new Map() }) })).toContain('allowance');
    expect(refusing({ quotes: both, way, size: null, ...of({ armed: false }) })).toEqual(['armed']);
  });

  it('is not as large as the least order of its market, which sells at any size', () => {
    const large = both.map((quote) => ({
      ...quote,
      market: market && { ...market, minOrderSize: sharesFromNumber(20) },
    }));
    const sizeOf = (changes: Partial<AssessInput>) =>
      sharesToNumber(assess(inputOf({ quotes: large, size: null, ...changes })).plan.size);
    expect(sizeOf({})).toBe(20);
    expect(sizeOf({ way: splitWay(large, DOLLAR, null) })).toBeLessThan(20);
  });
});

describe('a retry', () => {
  const missing = goodQuotes().slice(1);
  const plan = planPlacement(missing, sharesFromNumber(3), DOLLAR);
  const retry = {
    plan: { ...plan, expectedProfitPct: percentFromNumber(4) },
    completes: true,
    minProfit: fractionFromNumber(0.02),
  };
  const asked = (changes: Partial<AssessInput> = {}) => ({ quotes: missing, quotedPrice: null, retry, ...changes });

  it('buys its remainder, however small, where a part of the sets is held', () => {
    const judged = assess(inputOf(asked({ size: sharesFromNumber(10) })));
    expect(judged).toMatchObject({ plan: retry.plan, split: null, chosen: null, blockers: [] });
    expect(judged.value).toMatchObject({ kind: 'valued', currentPrice: setPriceFromNumber(0.5) });
    expect(refusing(asked({ retry: { ...retry, completes: false } }))).toContain('minimum-shares');
  });

  it('has to make what a retry has to, by the sets that it completes', () => {
    expect(refusing(asked({ retry: { ...retry, minProfit: fractionFromNumber(0.041) } }))).toEqual(['profit']);
    const settings = { ...SETTINGS, triggerPct: percentFromNumber(90) };
    expect(refusing(asked({ automatic: true, settings }))).toEqual([]);
  });

  it('of what discovery has found is held back only where nothing of it is held', () => {
    const opportunity = { active: true, targetPrice: DOLLAR, relationId: 'relation' };
    const gatesOf = (completes: boolean) =>
      refusing(asked({ automatic: true, opportunity, retry: { ...retry, completes } }));
    expect(gatesOf(true)).toEqual([]);
    expect(gatesOf(false)).toContain('found-switch');
  });
});

it('refusals are sentences', () => {
  const { blockers } = assess(inputOf(of({ armed: false, balance: usdFromNumber(1) })));
  expect(sentences(blockers)).toEqual(['Trading is disarmed.', expect.stringMatching(/^[A-Z].*\.$/)]);
});

describe('a plan that the books cannot fill', () => {
  const blockers: Blocker[] = [
    { gate: 'depth', message: 'leg 1 is short of 5 shares', actual: 5, required: 10 },
    { gate: 'balance', message: 'the balance is $1.00, needs $9.00', actual: 1, required: 9 },
    { gate: 'balance', message: 'the balance is not known', actual: null, required: 9 },
    { gate: 'armed', message: 'trading is disarmed', actual: null, required: null },
  ];
  const missing = {
    leg: 1,
    marketId: 'm1' as MarketId,
    marketName: 'm1',
    outcome: 'Yes',
    missing: sharesFromNumber(5),
  };

  it('is refused by what holds of any size, and by no sum of a part of it', () => {
    expect(sentences(judgeable(blockers, { shortOf: [missing] }))).toEqual([
      'Leg 1 is short of 5 shares.',
      'The balance is not known.',
      'Trading is disarmed.',
    ]);
    expect(judgeable(blockers, { shortOf: [] })).toEqual(blockers);
  });
});
