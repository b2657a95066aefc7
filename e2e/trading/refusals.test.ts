/** What cannot be bought is refused with a reason, before anything is recorded and before anything leaves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARM_CONFIRMATION, armTrading, disarmTrading } from '@dutchbook/contract/arming.ts';
import { cancelBatch, listBatches, readBatch } from '@dutchbook/contract/batches.ts';
import { checkOpportunity, createOpportunity } from '@dutchbook/contract/opportunities.ts';
import { placeOrder, simulateOrders } from '@dutchbook/contract/placing.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type RunningExchange, startExchange } from '../product/exchange.ts';
import { type Product, startProduct } from '../product/product.ts';
import { cheapThreeWay, type ThreeWay } from '../product/three-way.ts';

describe('placing what cannot be bought', () => {
  let exchange: RunningExchange;
  let product: Product;
  let dataDir: string;
  let set: ThreeWay;
  let nth = 0;
  let before: { batches: number; orders: number };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dutchbook-refusals-'));
    exchange = await startExchange();
    product = await startProduct(exchange.url, dataDir);
  });
  beforeEach(async () => {
    set = await cheapThreeWay(exchange, product, nth);
    nth += 1;
    before = await counts();
  });
  afterAll(async () => {
    product.running.kill('SIGTERM');
    await product.running.ended;
    await exchange.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const place = (size: number, opportunityId = set.opportunityId) =>
    product.call(placeOrder, {
      params: { opportunity_id: opportunityId },
      query: { order_size: sharesFromNumber(size) },
    });

  async function simulated(size: number) {
    const { reply } = await product.call(simulateOrders, {
      params: { opportunity_id: set.opportunityId },
      query: { order_size: sharesFromNumber(size) },
    });
    return reply;
  }

  async function counts() {
    const { reply } = await product.call(listBatches, { query: {} });
    return { batches: reply.count, orders: (await exchange.state()).orders.length };
  }

  /** Orders of a batch that goes on would be counted by the next test. */
  async function ended(batchId: string) {
    return await eventually('the batch ended', async () => {
      const answer = await product.call(readBatch, { params: { batch_id: batchId } });
      return answer.reply.is_active ? null : answer.reply;
    });
  }

  async function expectNothingLeft() {
    expect(await counts()).toEqual(before);
  }

  it('refuses a size the books do not hold, naming the leg and what is missing', async () => {
    const thin = set.tokenIds[1] ?? '';
    await exchange.setBook(thin, [{ price: '0.2', size: '500' }], [{ price: '0.25', size: '9' }]);
    await eventually('the thin book arrived', async () => ((await simulated(20)).errors.length > 0 ? true : null));
    const refused = await place(20);
    expect(refused.status).toBe(409);
    expect(refused.detail).toMatch(/leg 2.*short of 11 shares/i);
    await expectNothingLeft();
  });

  it('refuses an order below the minimums, saying what they are', async () => {
    const refused = await place(1);
    expect(refused.status).toBe(409);
    expect(refused.detail).toMatch(/1 shares per position, needs 5/);
    await expectNothingLeft();
  });

  it('refuses a size that is not in whole hundredths before anything else, naming the field', async () => {
    const address = `${product.url}/api/v1/arbitrage/place-order/${set.opportunityId}?order_size=10.005`;
    const refused = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${product.token}` } });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      detail: [{ loc: ['query', 'order_size'], msg: 'order_size must have at most two decimals' }],
    });
    await expectNothingLeft();
  });

  it('refuses a market that takes no orders', async () => {
    await exchange.closeMarket(set.markets[0]?.id ?? '');
    const refused = await eventually('the closing was noticed', async () => {
      const reply = await simulated(10);
      return reply.errors.length > 0 ? reply : null;
    });
    expect(refused.errors.join(' ')).toMatch(/leg 1.*(closed|orders)/i);
    expect((await place(10)).status).toBe(409);
    await expectNothingLeft();
  });

  it('buys, and warns of, a market past its end whose resolution is disputed: whether it trades is the word of the venue', async () => {
    const past = { end_date: '2020-01-01T00:00:00Z', uma_statuses: ['proposed', 'disputed'] };
    await exchange.editMarket(set.markets[1]?.id ?? '', past);
    const warned = await eventually('the change was noticed', async () => {
      const reply = await simulated(10);
      return reply.warnings.some((warning) => warning.includes('was to end')) ? reply : null;
    });
    expect(warned.errors).toEqual([]);
    expect(warned.warnings).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Leg 2: the resolution of ".*" is disputed\.$/),
        expect.stringMatching(/^Leg 2: ".*" was to end at 2020-01-01T00:00:00\.000Z and still trades\.$/),
      ]),
    );
    const placed = await place(10);
    expect(placed.status).toBe(200);
    expect((await ended(placed.reply.id)).status).toBe('completed');
  });

  it('refuses a market of which the venue says one thing here and another there, naming both, until it does not', async () => {
    const { id = '' } = set.markets[1] ?? {};
    await exchange.lie(id, 'gamma', { fee_rate: '0.01', swapped: true });
    const refused = await eventually('the difference was noticed', async () => {
      const reply = await simulated(10);
      return reply.errors.some((error) => error.includes('differ')) ? reply : null;
    });
    const [yes, no] = [set.tokenIds[1], set.markets[1]?.outcomes[1]?.token_id];
    const differ = /^Leg 2: the venue's own sources differ on ".*": fee rate 0\.01 in Gamma, \S+ at the CLOB; tokens /;
    expect(refused.errors).toContainEqual(expect.stringMatching(differ));
    expect(refused.errors.join()).toContain(`yes ${no} in Gamma, no ${no} and yes ${yes} at the CLOB`);
    expect((await place(10)).status).toBe(409);
    await expectNothingLeft();
    await exchange.lie(id, 'gamma');
    await eventually('they agree again', async () => ((await simulated(10)).errors.length === 0 ? true : null));
  });

  it('says of an unknown market that it is unknown, and buys nothing of the opportunity', async () => {
    const created = await product.call(createOpportunity, {
      body: { market_combinations: [{ leg: 1, markets: [{ id: '0xnowhere', outcome: 'Yes' }] }], target_price: 1 },
    });
    const checked = await product.call(checkOpportunity, { params: { opportunity_id: created.reply.id } });
    expect(checked.reply.opportunity.last_error).toMatch(/0xnowhere/);
    const refused = await place(10, created.reply.id);
    expect(refused.status).toBe(409);
    await expectNothingLeft();
  });

  it('answers 404 for an opportunity that is not there', async () => {
    expect(await place(10, '00000000-0000-4000-8000-000000000000')).toMatchObject({
      status: 404,
      detail: 'Opportunity not found',
    });
  });

  it('makes one batch of twenty simultaneous orders, and refuses the others', async () => {
    // A batch that ends while others still ask would let the next of them, decided after it, buy again: and rightly so.
    await exchange.fault({ name: 'partial_fill', token_id: set.tokenIds[0] ?? '' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => place(10)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const [batchId = ''] = answers.filter(({ status }) => status === 200).map(({ reply }) => reply.id);
    expect((await product.call(cancelBatch, { params: { batch_id: batchId } })).status).toBe(200);
    await ended(batchId);
  });

  it('answers the same batch for the same idempotency key, and refuses the key for another request', async () => {
    const send = (size: number) =>
      product.call(placeOrder, {
        params: { opportunity_id: set.opportunityId },
        query: { order_size: sharesFromNumber(size) },
        headers: { 'idempotency-key': 'one click' },
      });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(10)));
    expect(new Set(answers.map(({ reply }) => reply.id)).size).toBe(1);
    expect((await send(11)).status).toBe(422);
    expect((await counts()).batches).toBe(before.batches + 1);
    await ended(answers[0]?.reply.id ?? '');
  });

  it('refuses a price that has left the allowed distance from the quote, and says so', async () => {
    const quoted = await product.call(placeOrder, {
      params: { opportunity_id: set.opportunityId },
      query: { order_size: sharesFromNumber(10), quoted_price: 500_000 as never },
    });
    expect(quoted.status).toBe(409);
    expect(quoted.detail).toMatch(/price moved/i);
    await expectNothingLeft();
  });

  it('refuses everything while trading is disarmed, and places again once it is armed', async () => {
    expect(await product.call(disarmTrading, { query: {} })).toMatchObject({ status: 200, reply: { armed: false } });
    expect(await place(10)).toMatchObject({ status: 409, detail: 'Trading is disarmed.' });
    await expectNothingLeft();
    expect(await product.call(armTrading, { query: {}, body: { confirmation: ARM_CONFIRMATION } })).toMatchObject({
      status: 200,
    });
    const placed = await place(10);
    expect(placed.detail).toBe('');
    expect(await ended(placed.reply.id)).toMatchObject({ status: 'completed' });
  });

  it('ends a batch as failed, with the venue’s reason, when the venue refuses every order', async () => {
    await exchange.setMode('cancel_only');
    const { reply } = await place(10);
    const batch = await ended(reply.id);
    expect(batch).toMatchObject({ status: 'failed', total_orders: 0, can_retry: true });
    expect(batch.last_error).toMatch(/cancel-only/);
    await exchange.setMode('normal');
    expect((await counts()).orders).toBe(before.orders);
  });
});
