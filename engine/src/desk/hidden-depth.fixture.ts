/** Clips against a venue that has only a part of the depth that it shows, which no book tells. */
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { ONE_SHARE, type Shares } from '@dutchbook/units/shares.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { takerFee } from '../opportunity/fee.ts';
import { marketOf, quoteOf } from '../opportunity/quotes.fixture.ts';
import type { PlannedOrder } from '../order/plan.ts';
import { seeded } from '../relation/relation.fixture.ts';
import { account, settings as gates, NOW, noLimits } from '../risk/context.fixture.ts';
import type { GateQuote } from '../risk/context.ts';
import { assess } from './assess.ts';
import { isNextClipDue } from './next-clip.ts';

/** Of the depth that is shown, as much is there on average, of each leg another part. */
const MET = { least: 0.2, most: 1 };
export const ALLOWANCE = usdFromNumber(25);
const TICK_USD = 0.01;
/** What a set costs before fees, in cents. */
const CENTS = 96;
const SCHEDULE = { rate: fractionFromNumber(0.02), step: usdFromNumber(0.00001) };
const SETTINGS = {
  pricing: { useOrderBookPrices: true, useCumulativePricing: false, cumulativeThreshold: usdFromNumber(10) },
  gates: { ...gates, validatePrices: false, minOrderValue: usdFromNumber(1) },
  ...{ triggerPct: percentFromNumber(0.1), practice: false, placesAutomatically: true },
  size: { kind: 'best' as const, clipsMax: 20, clip: usdFromNumber(250), lossAllowance: ALLOWANCE },
};

type Leg = { price: number; shown: number; there: number };

/** Two to four legs of which a set leaves two to three cents after fees. */
function drawWindow(random: () => number): Leg[] {
  const count = 2 + Math.floor(random() * 3);
  const cents = Array.from({ length: count }, () => Math.round((CENTS / count) * (0.9 + 0.2 * random())));
  cents[0] = CENTS - cents.slice(1).reduce((sum, each) => sum + each, 0);
  return cents.map((price) => {
    const shown = 20 + Math.floor(random() * 380);
    return { price: price / 100, shown, there: Math.floor(shown * (MET.least + (MET.most - MET.least) * random())) };
  });
}

function quotesOf(legs: readonly Leg[]): GateQuote[] {
  return legs.map(({ price, shown }, index) => {
    const market = marketOf(`m${index}`, { feeSchedule: SCHEDULE, sizeStep: ONE_SHARE });
    const asks = [...(shown > 0 ? [[price, shown] as const] : []), [Math.min(0.98, price + 0.06), 800] as const];
    return { ...quoteOf(index + 1, asks, { market, marketId: market.id }), feed: 'live' as const, bookAgeMs: 100 };
  });
}

const costOf = (order: PlannedOrder, shares: number) =>
  shares * (order.limitPrice / 1e6) + takerFee((shares * 1e6) as Shares, order.limitPrice, SCHEDULE) / 1e6;

/** What clips make of a window, and what was at risk at the worst instant. */
function take(drawn: readonly Leg[]): { made: number; worstAtRisk: number } {
  const legs = drawn.map((leg) => ({ ...leg }));
  const total = { made: 0, worstAtRisk: 0 };
  let [clips, isUneven, triggered] = [0, false, true];
  while (triggered && (clips === 0 || isNextClipDue(whole(clips, isUneven), { active: true, triggered }, SETTINGS))) {
    const { plan, blockers } = assess({
      opportunity: { active: true, targetPrice: setPriceFromNumber(1), relationId: null },
      ...{ quotes: quotesOf(legs), size: null, quotedPrice: null, automatic: true, settings: SETTINGS, now: NOW },
      ...{ activeBatchId: null, readiness: { reconciled: true, placesFound: false, corruptSettings: [] } },
      ...{ deskLimits: noLimits, ownOrders: [], spentBefore: [], accounts: new Map([['polymarket', account]]) },
    });
    triggered = blockers.length === 0;
    if (!triggered) break;
    clips += 1;
    const filled = plan.orders.map(() => 0);
    for (const [place, order] of plan.orders.entries()) {
      const leg = legs[place] as Leg;
      const asked = order.size / 1e6;
      filled[place] = Math.min(asked, leg.there);
      leg.there -= filled[place];
      leg.shown = filled[place] < asked ? 0 : leg.shown - filled[place];
      const sets = Math.min(...filled);
      const atRisk = plan.orders.reduce((sum, each, at) => sum + costOf(each, (filled[at] ?? 0) - sets), 0);
      total.worstAtRisk = Math.max(total.worstAtRisk, atRisk);
    }
    const sets = Math.min(...filled);
    const spent = plan.orders.reduce((sum, order, place) => sum + costOf(order, filled[place] ?? 0), 0);
    // What no set needs is sold to bids a tick below, for the fee there.
    const sold = plan.orders.reduce((sum, { limitPrice }, place) => {
      const surplus = (filled[place] ?? 0) - sets;
      const bid = limitPrice - TICK_USD * 1e6;
      return sum + (surplus * bid) / 1e6 - takerFee((surplus * 1e6) as Shares, bid as Price, SCHEDULE) / 1e6;
    }, 0);
    total.made += sets + sold - spent;
    isUneven = filled.some((shares) => shares !== sets) || sets < plan.size / 1e6;
  }
  return total;
}

function whole(clips: number, isUneven: boolean) {
  return {
    status: isUneven ? ('partial_completed' as const) : ('completed' as const),
    cancelRequested: false,
    isDisarmedSince: false,
    isUneven,
    clips,
  };
}

/** The dollars of a trader who knows in advance what depth is there. */
function knownInAdvance(legs: readonly Leg[]): number {
  const sets = Math.min(...legs.map(({ there }) => there));
  const fees = legs.reduce(
    (sum, { price }) => sum + takerFee((sets * 1e6) as Shares, (price * 1e6) as Price, SCHEDULE) / 1e6,
    0,
  );
  return sets * (1 - legs.reduce((sum, { price }) => sum + price, 0)) - fees;
}

/** Over so many windows: the part that clips take of what a trader who knows the depth in advance would, and dollars at risk at the worst instant. */
export function takeHidden(windows: number): { share: number; worstAtRisk: number } {
  const random = seeded(4711);
  let [made, possible, worstAtRisk] = [0, 0, 0];
  for (let window = 0; window < windows; window += 1) {
    const legs = drawWindow(random);
    const taken = take(legs);
    worstAtRisk = Math.max(worstAtRisk, taken.worstAtRisk);
    made += taken.made;
    possible += Math.max(0, knownInAdvance(legs));
  }
  return { share: made / possible, worstAtRisk };
}
