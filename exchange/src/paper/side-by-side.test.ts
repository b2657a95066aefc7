import { usdFromText } from '@dutchbook/units/usd.ts';
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader, type Trader } from '../adapters/polymarket/exchange-fixture.ts';
import { seededRandom } from '../makers/random.ts';
import { openWorld, type PaperWorld, plainMarket } from './paper.fixture.ts';

let world: PaperWorld;

beforeEach(async () => {
  world = await openWorld({ cash: usdFromText('10000') });
});

afterEach(() => world.close());

const ROUNDS = 16;
const cents = (value: number) => String(value / 100);

interface Drawn {
  readonly bids: { price: string; size: string }[];
  readonly asks: { price: string; size: string }[];
}

function drawBook(unit: () => number): Drawn {
  const middle = 30 + Math.floor(unit() * 40);
  const levels = (sign: 1 | -1) =>
    [1, 2, 4].map((step) => ({
      price: cents(middle + sign * step),
      size: String(Math.round(500 + unit() * 6_000) / 100),
    }));
  return { bids: levels(-1).reverse(), asks: levels(1).reverse() };
}

describe('paper and real side by side, on a venue that fills by what it displays', () => {
  it('have equal fills, fees and profit to the micro-dollar, and the profit of a result too', async () => {
    const { unit } = seededRandom(11);
    const { conditionId, tokens } = await plainMarket(world.paper);
    const paper = await connectTrader(world.paper.url);
    const real = await connectTrader(world.real.url);
    const placing = async ({ client }: Trader, order: Parameters<typeof client.createMarketOrder>[0]) => {
      const signed = await client.createMarketOrder(order, { tickSize: '0.01', negRisk: false });
      return await client.postOrder(signed, OrderType.FAK).catch((error: unknown) => ({ status: String(error) }));
    };
    // The official client waits for a hash that comes later otherwise.
    for (const venue of [world.paper, world.real]) await venue.control('hashes', { present: true });
    let filled = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const book = drawBook(unit);
      await world.real.control('book', { token_id: tokens[0], ...book });
      await expect.poll(() => world.paper.book(tokens[0])).toMatchObject(book);
      const isSale = filled > 5 && unit() < 0.4;
      const tokenID = tokens[unit() < 0.5 ? 0 : 1];
      const order = {
        ...{ tokenID, side: isSale ? Side.SELL : Side.BUY },
        ...{ amount: Math.floor(2 + unit() * 40), price: isSale ? 0.05 : 0.95 },
      };
      const [here, there] = [await placing(paper, order), await placing(real, order)];
      expect(here.status).toBe(there.status);
      if (here.status === 'matched') filled += 1;
      for (const venue of [world.paper, world.real]) await venue.control('clock', { advance_ms: 5_000 });
      const [ours, theirs] = [await world.paper.state(), await world.real.state()];
      expect(ours.account).toEqual(theirs.account);
    }
    expect(filled).toBeGreaterThan(ROUNDS / 2);
    const money = (trades: readonly Record<string, string>[]) =>
      trades.map(({ asset_id, side, size, price, cost, fee }) => ({ asset_id, side, size, price, cost, fee }));
    const [ours, theirs] = [await world.paper.state(), await world.real.state()];
    expect(money(ours.trades)).toEqual(money(theirs.trades));

    await world.real.control('resolve', { condition_id: conditionId, outcome: 1 });
    await expect
      .poll(() => world.paper.get(`/gamma/markets?condition_ids=${conditionId}`))
      .toMatchObject([{ closed: true, outcomePrices: '["0","1"]' }]);
    for (const venue of [world.paper, world.real]) await venue.control('redeem', { condition_id: conditionId });
    expect((await world.paper.state()).account).toEqual((await world.real.state()).account);
  });
});
