import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Fixture, openFixture, type Trader } from './exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;
let orderID: string;

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const [market] = await fixture.markets();
  if (market === undefined) throw new Error('the catalogue lists markets');
  const order = { tokenID: market.tokens[0], price: 0.02, size: 10, side: Side.BUY };
  orderID = (await trader.client.createAndPostOrder(order)).orderID;
});

afterEach(() => fixture.exchange.close());

const beat = async (id = '') => (await trader.client.postHeartbeat(id)).heartbeat_id;
const advance = (ms: number) => fixture.control('clock', { advance_ms: ms });
const status = async () => (await trader.client.getOrder(orderID)).status;

it('leaves orders alone as long as no heartbeat was ever sent', async () => {
  await advance(60_000);
  expect(await status()).toBe('LIVE');
});

it('keeps orders while every heartbeat echoes the id of the last, and cancels them when one does not come', async () => {
  let id = await beat();
  for (let round = 0; round < 3; round += 1) {
    await advance(9_000);
    id = await beat(id);
  }
  await advance(9_999);
  expect(await status()).toBe('LIVE');
  await advance(1);
  expect(await status()).toBe('CANCELED');
  expect(await beat()).not.toBe(id);
});

it('answers a wrong id with the expected one, and does not count it', async () => {
  const id = await beat();
  await advance(9_000);
  for (const wrong of ['', 'made up']) {
    await expect(beat(wrong)).rejects.toMatchObject({ status: 400, data: { heartbeat_id: id } });
  }
  await advance(1_000);
  expect(await status()).toBe('CANCELED');
  await expect(beat(id)).rejects.toMatchObject({ status: 400, data: { heartbeat_id: '' } });
});

it('does not count a move of the clock in which none could have been sent', async () => {
  const id = await beat();
  await advance(60_000);
  expect(await status()).toBe('LIVE');
  await advance(10_000);
  expect(await status()).toBe('CANCELED');
  await expect(beat(id)).rejects.toMatchObject({ status: 400, data: { heartbeat_id: '' } });
});
