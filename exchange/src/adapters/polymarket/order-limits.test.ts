import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Fixture, openFixture, signedCall, type Trader, type WireAnswer } from './exchange-fixture.ts';

let fixture: Fixture;
let trader: Trader;

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
});

afterEach(() => fixture.exchange.close());

/** Posts so many orders that are refused for their payload, which count all the same. */
function postBatch(size: number): Promise<WireAnswer> {
  return signedCall(fixture, trader, 'POST', '/orders', JSON.stringify(Array.from({ length: size }, () => ({}))));
}

const reported = ({ status, headers }: WireAnswer) => ({ status, remaining: headers.get('poly-ratelimit-remaining') });

it('tells with every placing what is left of the tier, counted in orders', async () => {
  const single = await signedCall(fixture, trader, 'POST', '/order', '{}');
  expect(reported(single)).toEqual({ status: 400, remaining: '59' });
  expect(single.headers.get('poly-ratelimit-tier')).toBe('standard');
  expect(reported(await postBatch(15))).toEqual({ status: 200, remaining: '44' });
  const cancel = await signedCall(fixture, trader, 'DELETE', '/cancel-all');
  expect(reported(cancel)).toEqual({ status: 200, remaining: null });
});

it('refuses a batch as a whole once the burst is spent, says when to come back, and refills', async () => {
  for (const remaining of ['45', '30', '15', '0']) {
    expect(reported(await postBatch(15))).toEqual({ status: 200, remaining });
  }
  const refused = await postBatch(15);
  expect(refused).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  await fixture.control('clock', { advance_ms: 200 });
  expect(reported(await postBatch(15))).toEqual({ status: 429, remaining: '8' });
  expect(reported(await postBatch(8))).toEqual({ status: 200, remaining: '0' });
  await fixture.control('clock', { advance_ms: 60_000 });
  expect(reported(await postBatch(15))).toEqual({ status: 200, remaining: '45' });
});

it('lets the official client place again after it was refused', async () => {
  const [market] = await fixture.markets();
  if (market === undefined) throw new Error('the catalogue lists markets');
  for (let batch = 0; batch < 4; batch += 1) await postBatch(15);
  const order = await trader.client.createOrder({ tokenID: market.tokens[0], price: 0.02, size: 5, side: Side.BUY });
  await expect(trader.client.postOrder(order)).rejects.toMatchObject({ status: 429, message: 'Too Many Requests' });
  expect((await fixture.state()).orders).toEqual([]);
  await fixture.control('clock', { advance_ms: 25 });
  expect(await trader.client.postOrder(order)).toMatchObject({ status: 'live' });
});
