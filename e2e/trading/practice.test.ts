/** Practice on a real venue: nothing leaves, no key is needed, and what it takes of books and cash is gone for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBatch } from '@dutchbook/contract/batches.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { sellAll } from '@dutchbook/contract/selling.ts';
import { readOverview, readSystemStatus } from '@dutchbook/contract/status.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { type Product, startProduct } from '../product/product.ts';
import { cheapThreeWay, LOW_BID, type ThreeWay } from '../product/three-way.ts';

let exchange: RunningExchange;
let product: Product;
let dataDir: string;
let set: ThreeWay;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-practice-'));
  exchange = await startExchange();
  product = await startProduct(exchange.url, dataDir, { VENUE: 'polymarket', PRACTICE_CASH: '50' });
  const settings = { AUTO_PLACE_ORDER_ENABLED: false, USE_CUMULATIVE_PRICING: false, ORDER_SIMULATION_ENABLED: true };
  expect((await product.call(writeSystemSettings, { body: settings })).status).toBe(200);
  set = await cheapThreeWay(exchange, product, 0, { price: '0.25', size: '30' });
});

afterAll(async () => {
  product.running.kill('SIGTERM');
  await product.running.ended;
  await exchange.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const asked = (size: number) => ({
  params: { opportunity_id: set.opportunityId },
  query: { order_size: sharesFromNumber(size) },
});

async function placed(size: number) {
  const { status, detail, reply } = await product.call(placeOrder, asked(size));
  expect([status, detail]).toEqual([200, '']);
  return eventually('the batch has ended', async () => {
    const { reply: batch } = await product.call(readBatch, { params: { batch_id: reply.id } });
    return batch.is_active ? null : batch;
  });
}

async function refusalOf(size: number): Promise<string> {
  const { status, detail } = await product.call(placeOrder, asked(size));
  expect(status).toBe(409);
  return detail;
}

it('places without a key and without arming, and takes what it buys from the books until they change', async () => {
  const { reply: status } = await product.call(readSystemStatus, {});
  expect(status).toMatchObject({ venue: 'polymarket_read_only', armed: false });
  const first = await placed(20);
  expect(first).toMatchObject({ status: 'completed', simulated: true, unhedged: null });
  const { reply: left } = await product.call(simulateOrders, asked(20));
  expect(left.errors.join()).toMatch(/leg 1 is short of 10 shares/i);
  expect(await refusalOf(20)).toMatch(/short of 10 shares/i);
  expect(await placed(10)).toMatchObject({ status: 'completed' });
  expect(await refusalOf(10)).toMatch(/short of 10 shares/i);
  for (const tokenId of set.tokenIds) await exchange.setBook(tokenId, [LOW_BID], [{ price: '0.25', size: '31' }]);
  await eventually('the changed books have come', async () => {
    const { reply } = await product.call(simulateOrders, asked(20));
    return reply.errors.length === 0 ? true : null;
  });
  expect(await placed(20)).toMatchObject({ status: 'completed' });
  expect((await exchange.state()).orders).toEqual([]);
});

it('spends a cash of its own, and has back what its sales bring', async () => {
  for (const tokenId of set.tokenIds) await exchange.setBook(tokenId, [LOW_BID], [{ price: '0.25', size: '500' }]);
  const refusal = await eventually('the changed books have come', async () => {
    const { reply } = await product.call(simulateOrders, asked(40));
    return reply.errors.find((error) => /balance/.test(error)) ?? null;
  });
  // Fifty sets were bought.
  expect(refusal).toMatch(/^The balance of practice is \$1\d\.\d\d, needs \$3\d\.\d\d\.$/);
  const batch = await placed(14);
  const params = { batch_id: batch.id };
  const sold = await product.call(sellAll, { params, query: { simulate: false } });
  expect([sold.status, sold.detail]).toEqual([200, '']);
  await eventually('it is sold', async () => {
    const { reply } = await product.call(readBatch, { params });
    return reply.status === 'sold' ? true : null;
  });
  const { reply: overview } = await product.call(readOverview, {});
  expect(overview).toMatchObject({ cash_usd: null, open_exposure_usd: 0, unhedged_batches: 0 });
  expect(overview.practice?.cash_usd).toBeLessThan(usdFromText('10'));
  const { reply } = await product.call(simulateOrders, asked(10));
  expect(reply.errors).toEqual([]);
  expect(await refusalOf(14)).toMatch(/^The balance of practice is/);
  expect((await exchange.state()).orders).toEqual([]);
});
