import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../makers/random.ts';
import type { FeeType } from './fees.ts';
import type { Fill } from './orders/fills.ts';
import type { VenueOrder } from './orders/order.ts';
import { TestVenue } from './venue.fixture.ts';

const ORDERS = 1_000;
/** Dollars in parts of 10^24, in which a size, a rate, a price and its complement multiply exactly. */
const MICRO_DOLLAR = 10n ** 18n;

const MAKER_SHARE: Readonly<Record<FeeType, [number, number]>> = {
  quadratic: [0, 1],
  quadratic_with_maker_fees: [1, 4],
  quadratic_with_combo_maker_fees: [1, 2],
  flat: [0, 1],
};

type Terms = { type: FeeType; multiplier: number };

/** What a fill costs by the published schedule, before any rounding, in parts of 10^24. */
function scheduleOf({ size, yesPrice, isTaker }: Fill, { type, multiplier }: Terms): bigint {
  const millionths = BigInt(Math.round(70_000 * multiplier));
  const whole = BigInt(size) * BigInt(yesPrice) * BigInt(1_000_000 - yesPrice) * millionths;
  const [part, of] = MAKER_SHARE[type];
  return isTaker ? whole : (whole * BigInt(part)) / BigInt(of);
}

/** The fees of an order's fills, step by step as the venue's page tells it, with one step of a rebate at a time. */
function feesByHand(fills: readonly Fill[], terms: Terms, grid: number, isWaived: boolean): number[] {
  let kept = 0;
  return fills.map((fill) => {
    const exact = isWaived ? 0n : scheduleOf(fill, terms);
    let tradeFee = Number(exact / MICRO_DOLLAR);
    if (exact % MICRO_DOLLAR > 0n) tradeFee += 1;
    const isBuyingYes = fill.order.side === 'bid';
    const own = isBuyingYes ? fill.yesPrice : 1_000_000 - fill.yesPrice;
    const revenue = -Math.ceil((fill.size * own) / 1_000_000);
    let aligned = revenue - tradeFee;
    while (aligned % grid !== 0) aligned -= 1;
    let net = revenue - aligned;
    kept += net - tradeFee;
    while (kept >= grid && net >= grid) {
      kept -= grid;
      net -= grid;
    }
    return net;
  });
}

/** One order with several fills: of quotes that it meets, and of quotes that come to meet its rest. */
function trade(venue: TestVenue, random: Random, member: 'direct' | 'broker'): VenueOrder {
  const market = random.pick(venue.markets.filter(({ event }) => event.kind !== 'single'));
  if (market === undefined) throw new Error('there are markets');
  const waived = random.unit() < 0.2;
  venue.waive(market.ticker, waived);
  const cents = random.between(20, 80);
  const side = random.unit() < 0.5 ? 'bid' : 'ask';
  const against = side === 'bid' ? 'ask' : 'bid';
  venue.quote(market.ticker, []);
  const met = random.between(0, 4);
  const better = (place: number) => (cents + (side === 'bid' ? -place : place)) * 10_000;
  const sizes = Array.from({ length: met }, () => random.between(1, 2_000) * 10_000);
  venue.quote(
    market.ticker,
    sizes.map((size, place) => ({ side: against, price: better(place) as Price, size: size as Shares })),
  );
  const count = sizes.reduce((sum, size) => sum + size, 0) + random.between(1, 3_000) * 10_000;
  const order = venue.place(member, { market, side, price: (cents * 10_000) as Price, count: count as Shares });
  for (let place = 0; place < random.between(0, 5); place++)
    venue.quote(market.ticker, [
      { side: against, price: (cents * 10_000) as Price, size: (random.between(1, 900) * 10_000) as Shares },
    ]);
  venue.cancel(order);
  return order;
}

describe('fees of the simulated Kalshi', () => {
  it('are those of the schedule for a thousand orders, of takers and makers, with multipliers, overrides and waivers, for both kinds of members', () => {
    const random = seededRandom(49);
    const venue = new TestVenue();
    const seen = { maker: 0, taker: 0, waived: 0, rebates: 0, overridden: 0, halved: 0 };
    for (let nth = 0; nth < ORDERS; nth++) {
      const member = random.unit() < 0.5 ? 'direct' : 'broker';
      const before = venue.worth(member);
      const order = trade(venue, random, member);
      const fills = venue.fillsOf(order);
      const { series, feeOverride } = venue.market(order.ticker).event;
      const terms = {
        type: feeOverride?.type ?? series.feeType,
        multiplier: Number(feeOverride?.multiplier ?? series.feeMultiplier),
      };
      const isWaived = venue.isWaived(order.ticker);
      const grid = member === 'direct' ? 100 : 10_000;
      const expected = feesByHand(fills, terms, grid, isWaived);
      expect(fills.map(({ fee }) => fee)).toEqual(expected);
      const paid = fills.reduce((sum, { fee }) => sum + fee, 0) as Usd;
      expect(venue.worth(member)).toBe(before - paid - (venue.costOf(fills) - venue.worthOf(fills)));
      seen.maker += fills.filter(({ isTaker, fee }) => !isTaker && fee > 0).length;
      seen.taker += fills.filter(({ isTaker, fee }) => isTaker && fee > 0).length;
      seen.waived += isWaived ? fills.length : 0;
      seen.rebates += fills.filter(
        (fill, place) => (expected[place] ?? 0) < Number(scheduleOf(fill, terms) / MICRO_DOLLAR),
      ).length;
      seen.overridden += feeOverride === undefined ? 0 : fills.length;
      seen.halved += series.feeMultiplier === '0.5' ? fills.length : 0;
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
  });

  it('are those of the worked examples of the schedule', () => {
    const venue = new TestVenue();
    const takes = (cents: number) => venue.buyAtOnce('direct', 'KXHIGHMARK', cents, 100);
    expect(takes(50)).toBe(1_750_000);
    expect(takes(90)).toBe(630_000);
    expect(venue.buyResting('direct', 'KXAURORAGAME', 50, 100)).toBe(437_500);
    expect(venue.buyResting('broker', 'KXAURORAGAME', 50, 100)).toBe(440_000);
    expect(venue.buyResting('direct', 'KXHIGHMARK', 50, 100)).toBe(0);
  });
});
