/** What is booked of a trade is what the purse has paid, to the micro-dollar: over several makers, and by the fee of its moment. */
import { unifiedPrice } from '@dutchbook/exchange/matching/order.ts';
import type { Quote } from '@dutchbook/exchange/matching/quotes.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { expect, it } from 'vitest';
import type { Leg } from './market-scene.ts';
import { sell } from './operators.ts';
import { openStories, type Scene, SIZE } from './scene.fixture.ts';

const play = openStories();

type Level = readonly [size: string, price: string];

/** Levels as a story writes them; legs are of first outcomes, so that asks stand as bids for the second. */
function quote({ simulation }: Scene, { market, outcome }: Leg, asks: readonly Level[], bids: readonly Level[]): void {
  const quotesOf = (levels: readonly Level[], side: Quote['side']) =>
    levels.map(([size, price]) => ({
      side,
      size: sharesFromText(size),
      price: unifiedPrice(priceFromText(price), outcome),
    }));
  simulation.exchange.engine.replaceBook(market, [...quotesOf(asks, 'ask'), ...quotesOf(bids, 'bid')]);
}

/** The fee as the venue publishes it, in tens of micro-dollars begun. */
function feeOf({ market }: Leg, levels: readonly Level[]): number {
  return levels.reduce((sum, [size, price]) => {
    const p = BigInt(priceFromText(price));
    const exact = BigInt(sharesFromText(size)) * BigInt(market.listing.feeRate) * p * (1_000_000n - p);
    return sum + Number((exact + 10n ** 19n - 1n) / 10n ** 19n) * 10;
  }, 0);
}

it(
  'is one fill with the cost, fee and average price of three makers, and profit and purse agree',
  play(async (scene) => {
    const { simulation, opportunity } = scene;
    const [first, second] = opportunity.legs;
    if (first === undefined || second === undefined) throw new Error('the scene has two legs');
    const asks = [
      ['3.333333', '0.41'],
      ['6.666666', '0.43'],
      ['10.000001', '0.47'],
    ] as const;
    const deep = [['100', '0.4']] as const;
    quote(scene, first, [...asks.slice(0, 2), ['50', '0.47']], [['100', '0.3']]);
    quote(scene, second, deep, [['100', '0.3']]);
    await simulation.pass(2_000);
    const purse = simulation.truth().cash;
    expect(await scene.buy()).toMatch(/^batch/);
    await simulation.doze(30_000);

    const bought = await simulation.checkAtRest();
    // 1.36666653, 2.86666638 and 4.70000047 dollars, each rounded up.
    const cost = 1_366_667 + 2_866_667 + 4_700_001;
    const fee = feeOf(first, asks);
    expect(fee).toBeGreaterThan(0);
    const own = bought.orders.find(({ token_id }) => token_id === first.tokenId);
    expect(own).toMatchObject({ status: 'filled', filled_size: SIZE * 1e6, filled_cost: cost, fee });
    const fills = bought.fills.filter(({ order_hash }) =>
      bought.attempts.some((attempt) => attempt.order_hash === order_hash && attempt.order_id === own?.id),
    );
    // 8.93333338 dollars over 20 shares.
    expect(fills).toMatchObject([{ size: SIZE * 1e6, cost, fee, price: 446_667 }]);
    const [batch] = bought.batches;
    const spent = purse - simulation.truth().cash;
    expect(spent).toBe(cost + fee + SIZE * 400_000 + feeOf(second, [[`${SIZE}`, '0.4']]));
    expect(batch?.actual_profit).toBe(SIZE * 1e6 - spent);

    const bids = [
      ['7.777777', '0.39'],
      ['12.222223', '0.38'],
    ] as const;
    quote(scene, first, deep, [...bids.slice(0, 1), ['50', '0.38']]);
    quote(scene, second, [['100', '0.42']], [['100', '0.4']]);
    await simulation.pass(2_000);
    expect(await scene.ask((at) => sell(at, batch?.id ?? '', { kind: 'all', prices: new Map() }))).toMatch(/^sale/);
    await simulation.doze(30_000);
    const after = await simulation.checkAtRest();
    const sale = after.orders.find(({ token_id, side }) => token_id === first.tokenId && side === 'sell');
    // 3.03333303 and 4.64444474 dollars, each rounded down.
    expect(sale).toMatchObject({ filled_cost: 3_033_333 + 4_644_444, fee: feeOf(first, bids) });
    expect(after.batches[0]).toMatchObject({ status: 'sold', actual_profit: simulation.truth().cash - purse });
  }),
);

it(
  'has the fee of the moment of the match, though its market takes another by the time it is read',
  play(async (scene) => {
    const { simulation, opportunity } = scene;
    simulation.network.script('POST /orders', { kind: 'answer_lost' });
    const purse = simulation.truth().cash;
    expect(await scene.buy()).toMatch(/^batch/);
    await simulation.pass(40);
    for (const running of simulation.running.values()) simulation.kill(running);
    expect(simulation.truth().trades).toHaveLength(2);
    for (const { market } of opportunity.legs)
      Object.assign(market.listing, { feeRate: market.listing.feeRate + 30_000 });
    await scene.restart();
    await simulation.doze(60_000);
    const { batches, orders } = await simulation.checkAtRest();
    expect(batches.map(({ status }) => status)).toEqual(['completed']);
    const paid = orders.reduce((sum, order) => sum + order.filled_cost + order.fee, 0);
    expect(paid).toBe(purse - simulation.truth().cash);
  }),
);
