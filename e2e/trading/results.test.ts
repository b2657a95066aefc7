/** The results of batches beside what they promised, by the books of the exchange. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBatchResult } from '@dutchbook/contract/batch-results.ts';
import { readBatch, retryBatch } from '@dutchbook/contract/batches.ts';
import { placeOrder } from '@dutchbook/contract/placing.ts';
import { readReport } from '@dutchbook/contract/report.ts';
import { writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { type Shares, sharesFromNumber } from '@dutchbook/units/shares.ts';
import { notional, usdFromText } from '@dutchbook/units/usd.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange, type WireLevel } from '../product/exchange.ts';
import { type Product, startProduct } from '../product/product.ts';
import { cheapThreeWay, LOW_BID, type ThreeWay } from '../product/three-way.ts';

let exchange: RunningExchange;
let product: Product;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-results-'));
  exchange = await startExchange();
  product = await startProduct(exchange.url, dataDir);
  const settings = { AUTO_PLACE_ORDER_ENABLED: false, USE_CUMULATIVE_PRICING: false };
  expect((await product.call(writeSystemSettings, { body: settings })).status).toBe(200);
});

afterAll(async () => {
  product.running.kill('SIGTERM');
  await product.running.ended;
  await exchange.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const SIZE = sharesFromNumber(20);
/** Twenty shares cost 0.26 on average. */
const STEEP = [
  { price: '0.25', size: '10' },
  { price: '0.27', size: '500' },
];

async function place({ opportunityId }: ThreeWay): Promise<string> {
  const params = { opportunity_id: opportunityId };
  const { status, detail, reply } = await product.call(placeOrder, { params, query: { order_size: SIZE } });
  expect([status, detail]).toEqual([200, '']);
  return reply.id;
}

type Result = Awaited<ReturnType<typeof resultOf>>;

async function resultOf(batchId: string) {
  const { status, detail, reply } = await product.call(readBatchResult, { params: { batch_id: batchId } });
  expect([status, detail]).toEqual([200, '']);
  return reply;
}

function eventuallyResult(batchId: string, wanted: (result: Result) => boolean): Promise<Result> {
  return eventually(`the result of batch ${batchId}`, async () => {
    const result = await resultOf(batchId);
    return wanted(result) ? result : null;
  });
}

const isConfirmed = ({ batch, legs }: Result) =>
  batch.confirmed_ms !== null && legs.every(({ filled, ordered }) => filled === ordered);

async function setAsks({ tokenIds }: ThreeWay, nth: number, asks: WireLevel[]): Promise<void> {
  await exchange.setBook(tokenIds[nth] ?? '', [LOW_BID], asks);
}

/** Dollars more than predicted for what the exchange says that was bought, by leg. */
async function dearer({ tokenIds }: ThreeWay, { legs }: Result): Promise<number[]> {
  const { trades } = await exchange.state();
  return legs.map(({ predicted_price: predicted }, nth) => {
    const bought = trades.filter((trade) => trade.asset_id === tokenIds[nth] && trade.trader_side === 'TAKER');
    const paid = bought.reduce((sum, { cost }) => sum + usdFromText(cost), 0);
    const shares = bought.reduce((sum, { size }) => sum + sharesFromNumber(Number(size)), 0);
    return paid - notional(shares as Shares, predicted, 'up');
  });
}

const partsOf = (leg: Result['legs'][number]) => [
  leg.moved_before_send_usd,
  leg.size_added_usd,
  leg.moved_in_flight_usd,
];
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

it('is what was promised, within a basis point, where the books stand still', async () => {
  const set = await cheapThreeWay(exchange, product, 0);
  for (const nth of [0, 1, 2]) await setAsks(set, nth, STEEP);
  const { batch, legs } = await eventuallyResult(await place(set), isConfirmed);
  expect(batch.predicted_usd).toBeGreaterThan(0);
  expect(Math.abs(batch.locked_usd - batch.predicted_usd)).toBeLessThanOrEqual(batch.predicted_usd / 10_000);
  expect(legs.flatMap(partsOf)).toEqual(Array(9).fill(0));
  expect(batch).toMatchObject({ at_risk_usd: 0, paid_usd: 0, shortfall_usd: 0, fees_usd: batch.predicted_fees_usd });
  expect(batch.capital_usd).toBe(batch.predicted_cost_usd + batch.predicted_fees_usd);
  expect(batch.matched_ms).toBeGreaterThan(batch.sent_ms ?? 0);
  expect([batch.lock_day, batch.cash_day]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), null]);
});

it('says what moved while an order was under way, which adds up to what the exchange took more', async () => {
  const set = await cheapThreeWay(exchange, product, 1);
  for (const nth of [0, 1, 2]) await setAsks(set, nth, STEEP);
  const [held] = set.markets;
  await exchange.delayMatching(held?.id ?? '', 3000);
  const batchId = await place(set);
  await eventuallyResult(batchId, ({ batch }) => batch.sent_ms !== null);
  await setAsks(set, 0, [{ price: '0.24', size: '500' }]);
  const result = await eventuallyResult(batchId, isConfirmed);
  const [first = [], ...others] = result.legs.map(partsOf);
  expect(first).toEqual([0, 0, -notional(SIZE, 20_000 as never, 'up')]);
  expect(others.flat()).toEqual([0, 0, 0, 0, 0, 0]);
  expect(result.legs.map((leg) => sum(partsOf(leg)))).toEqual(await dearer(set, result));
  expect(result.batch.slippage_usd).toBe(sum(await dearer(set, result)));
});

/** All of a batch but the rest of its third order, of which `fraction` is bought. */
async function buyInPart(set: ThreeWay, fraction: number): Promise<string> {
  const tokenId = set.tokenIds[2] ?? '';
  await exchange.fault({ name: 'partial_fill', token_id: tokenId, fraction });
  await exchange.fault({ name: 'null_after_cancel', token_id: tokenId, ms: 200 });
  const batchId = await place(set);
  await eventually('a part of the batch is bought', async () => {
    await exchange.advanceClock(200);
    const { reply } = await product.call(readBatch, { params: { batch_id: batchId } });
    return reply.can_retry ? reply : null;
  });
  await exchange.clearFaults();
  return batchId;
}

it('says what had moved before a retry was sent, and what its smaller size made of it', async () => {
  const set = await cheapThreeWay(exchange, product, 2);
  const batchId = await buyInPart(set, 0.01);
  const params = { batch_id: batchId };
  const half = await eventuallyResult(batchId, ({ batch }) => batch.shortfall_usd > 0);
  const lacking = SIZE - (half.legs[2]?.filled ?? 0);
  expect(lacking).toBeGreaterThan(sharesFromNumber(5));
  await setAsks(set, 2, [
    { price: '0.26', size: String(lacking / 1_000_000) },
    { price: '0.30', size: '500' },
  ]);
  expect((await product.call(retryBatch, { params })).status).toBe(200);
  const result = await eventuallyResult(batchId, isConfirmed);
  const last = result.legs[2];
  if (last === undefined) throw new Error('the batch has three legs');
  expect(last.moved_before_send_usd).toBeGreaterThan(notional(lacking as Shares, 10_000 as never, 'up'));
  expect(last.size_added_usd).toBeLessThan(0);
  expect(result.legs.map((leg) => sum(partsOf(leg)))).toEqual(await dearer(set, result));
  expect(result.batch.shortfall_usd).toBe(0);
});

it('completes sets with fewer shares than may rest, once they are worth what the venue takes at once', async () => {
  const set = await cheapThreeWay(exchange, product, 4);
  const batchId = await buyInPart(set, 0.8);
  const params = { batch_id: batchId };
  const retried = async () => {
    expect((await product.call(retryBatch, { params })).status).toBe(200);
    return eventually('the retry has ended', async () => {
      const { reply } = await product.call(readBatch, { params });
      return reply.is_active ? null : reply;
    });
  };
  await setAsks(set, 2, [{ price: '0.24', size: '500' }]);
  expect((await retried()).last_error).toBe(
    'Not retried: Leg 3: 4 shares are worth $0.96, the venue takes no less than $1.00 at once.',
  );
  await setAsks(set, 2, [{ price: '0.26', size: '500' }]);
  expect(await retried()).toMatchObject({ status: 'completed', unhedged: null, last_error: null });
  await eventuallyResult(batchId, isConfirmed);
  const { account, orders } = await exchange.state();
  expect(set.tokenIds.map((tokenId) => Number(account.tokens[tokenId]))).toEqual([20, 20, 20]);
  expect(orders.filter(({ asset_id, status }) => set.tokenIds.includes(asset_id) && status === 'LIVE')).toEqual([]);
});

it('takes back, once, what a trade that is undone had locked', async () => {
  const set = await cheapThreeWay(exchange, product, 3);
  const before = await product.call(readReport, { query: {} });
  await exchange.fault({ name: 'fail_settlement', token_id: set.tokenIds[0] ?? '' });
  const batchId = await place(set);
  const { batch } = await eventuallyResult(
    batchId,
    ({ batch }) => batch.at_risk_usd > 0 && batch.confirmed_ms !== null,
  );
  expect(batch).toMatchObject({ locked_usd: 0, lock_day: null, shortfall_usd: batch.predicted_usd });
  expect(batch.capital_usd).toBe(batch.at_risk_usd);
  const after = await product.call(readReport, { query: {} });
  expect(after.reply.undone_fills - before.reply.undone_fills).toBe(1);
  expect(after.reply.locked_usd).toBe(before.reply.locked_usd);
});
