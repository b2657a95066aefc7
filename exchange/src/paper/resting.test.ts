import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader, type Trader } from '../adapters/polymarket/exchange-fixture.ts';
import { openWorld, type PaperWorld, plainMarket } from './paper.fixture.ts';

let world: PaperWorld;
let mine: Trader;
let tokens: [string, string];

const BIDS = [
  { price: '0.39', size: '200' },
  { price: '0.4', size: '100' },
];
const ASKS = [{ price: '0.45', size: '50' }];
/** Of another account at the venue that is mirrored. */
const STRANGER = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

beforeEach(async () => {
  world = await openWorld();
  ({ tokens } = await plainMarket(world.paper));
  await world.real.control('book', { token_id: tokens[0], bids: BIDS, asks: ASKS });
  mine = await connectTrader(world.paper.url);
});

afterEach(() => world.close());

async function matched(id: string): Promise<string> {
  return (await mine.client.getOrder(id)).size_matched;
}

describe('an order that rests on a mirrored book', () => {
  it('waits behind the displayed size and is filled by trades at its price, as a maker', async () => {
    const { orderID } = await mine.client.createAndPostOrder({
      tokenID: tokens[0],
      price: 0.4,
      size: 30,
      side: Side.BUY,
    });
    const stranger = await connectTrader(world.real.url, STRANGER);
    const account = (await world.real.state()).account;
    expect(account.usd).toBe('10000');
    const { conditionId } = await plainMarket(world.real);
    await world.real.control('split', { condition_id: conditionId, amount: '500' });
    await stranger.client.updateBalanceAllowance({ asset_type: 'CONDITIONAL' as never, token_id: tokens[0] });
    const sell = (size: number) =>
      stranger.client.createAndPostOrder({ tokenID: tokens[0], price: 0.39, size, side: Side.SELL });
    await sell(60);
    await expect
      .poll(() => world.paper.book(tokens[0]))
      .toMatchObject({ bids: [BIDS[0], { price: '0.4', size: '70' }] });
    expect(await matched(orderID)).toBe('0');
    // 40 of these meet what is ahead, 12 trade below.
    await sell(52);
    await expect.poll(() => matched(orderID)).toBe('12');
    const [trade] = (await world.paper.state()).trades;
    expect(trade).toMatchObject({ trader_side: 'MAKER', size: '12', price: '0.4', cost: '4.8', fee: '0' });
  });

  it('is filled by an offer that comes down to it', async () => {
    const { orderID } = await mine.client.createAndPostOrder({
      tokenID: tokens[0],
      price: 0.42,
      size: 30,
      side: Side.BUY,
    });
    await world.real.control('book', { token_id: tokens[0], bids: BIDS, asks: [{ price: '0.41', size: '20' }] });
    await expect.poll(() => matched(orderID)).toBe('20');
    const [trade] = (await world.paper.state()).trades;
    expect(trade).toMatchObject({ size: '20', price: '0.42', fee: '0' });
  });
});
