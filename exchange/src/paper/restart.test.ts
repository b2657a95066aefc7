import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader } from '../adapters/polymarket/exchange-fixture.ts';
import { startExchange } from '../start-exchange.ts';
import { openPaper, plainMarket, type Venue, venueOf } from './paper.fixture.ts';

let folder: string;
let real: Venue;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paper-restart-'));
  real = venueOf(await startExchange({ paused: true }));
});

afterEach(async () => {
  await real.close();
  rmSync(folder, { recursive: true });
});

describe('a paper account', () => {
  it('has its money, shares and standing orders after a restart, while the venue is away too, and is paid what was decided meanwhile', async () => {
    const file = join(folder, 'journal');
    const before = await openPaper(real.url, {}, file);
    const { conditionId, tokens } = await plainMarket(before);
    await real.control('book', {
      token_id: tokens[0],
      bids: [{ price: '0.3', size: '9' }],
      asks: [{ price: '0.42', size: '50' }],
    });
    const { client } = await connectTrader(before.url);
    await client.createAndPostOrder({ tokenID: tokens[0], price: 0.42, size: 20, side: Side.BUY });
    const { orderID } = await client.createAndPostOrder({ tokenID: tokens[0], price: 0.2, size: 10, side: Side.BUY });
    await before.control('clock', { advance_ms: 5_000 });
    const held = await before.state();
    expect(held.account.tokens[tokens[0]]).toBe('20');
    await before.close();

    const alone = await openPaper('http://127.0.0.1:1', {}, file);
    expect((await alone.state()).account).toEqual(held.account);
    const again = await connectTrader(alone.url);
    expect(await again.client.getOpenOrders()).toMatchObject([{ id: orderID, size_matched: '0' }]);
    await alone.close();

    await real.control('resolve', { condition_id: conditionId, outcome: 0 });
    const after = await openPaper(real.url, {}, file);
    await expect
      .poll(() => after.control('redeem', { condition_id: conditionId }).then(String, String))
      .toBe('[object Object]');
    const { account, orders } = await after.state();
    expect(Number(account.usd)).toBeCloseTo(Number(held.account.usd) + 20, 6);
    expect(orders.find(({ id }) => id === orderID)).toMatchObject({ status: 'CANCELED_MARKET_RESOLVED' });
    await after.close();
  });
});
