import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { asc } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { auditLog } from '../../platform/audit/table.ts';
import { type ChainSite, nextBlocks, onChain, openChainSite } from '../chain-steps/chain.fixture.ts';
import { chainSubmissions } from '../chain-steps/table.ts';
import { loadBatch } from '../orders/batch-state.ts';
import { readOwnOrders } from '../orders/own-orders.ts';
import { storeLimitsOf } from '../trading-controls/controls.fixture.ts';
import { limitUse } from '../under-way/limit-use.ts';
import { openSplitSite, type SplitSite } from './split.fixture.ts';

/** A dollar and ten cents for what a dollar is split into. */
const PAYING = ['0.40', '0.32', '0.24', '0.14'];

let chain: ChainSite;
beforeAll(async () => {
  chain = await openChainSite();
});
afterAll(async () => {
  await chain.venue.close();
  await chain.exchange.stop();
});

async function opened(hasChain = true): Promise<SplitSite> {
  await chain.control.clearFaults();
  const site = await openSplitSite(chain, hasChain);
  await site.bid(PAYING);
  return site;
}

const tokensOf = ({ members }: SplitSite) => members.map(({ outcomes }) => outcomes[0]?.tokenId ?? '');

async function placed(site: SplitSite, query = '&order_size=20'): Promise<string> {
  const { status, body } = await site.place(query);
  expect([status, body]).toMatchObject([200, { status: 'processing', max_retries: 0, can_retry: false }]);
  return String(body.id);
}

async function stateOf(site: SplitSite, id: string) {
  const state = await loadBatch(site.test.runtime.db, id);
  if (state === null) throw new Error('the batch is recorded');
  return state;
}

describe('the way in by a split', () => {
  it('is simulated with the dollars that go in, what comes back, and what can be lost', async () => {
    await using site = await opened();
    const { status, body } = await site.simulate('&order_size=20');
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ order_size: 20, ways_in: ['buy', 'split'], errors: [], total_cost: 20 },
        split: { dollars_in_usd: 20, proceeds_usd: 22, calls: [{ kind: 'horizontal_split' }] },
        orders: PAYING.map((price) => ({ side: 'sell', outcome: 'Yes', size: 20, price: Number(price) })),
      },
    ]);
    const { total_fees: fees, expected_profit_usd: profit, worst_case_loss_usd: loss } = body;
    expect(profit).toBeCloseTo(2 - Number(fees), 6);
    expect(loss).toBeGreaterThan(20 - 2.8);
    const bought = await site.call('GET', `/arbitrage/simulate-orders/${site.opportunityId}?order_size=20`);
    expect(bought.body).toMatchObject({ ways_in: ['buy', 'split'], split: null, expected_profit_usd: profit });
  });

  it('is simulated for many people at once with the reads of one at the exchange', async () => {
    await using site = await opened();
    chain.venue.forget();
    const reads: string[] = [];
    const note = (message: unknown) => {
      const { origin, path } = (message as { request: { origin: string; path: string } }).request;
      if (origin === chain.exchange.url && path.startsWith('/gamma/')) reads.push(path.split('?')[0] ?? '');
    };
    subscribe('undici:request:create', note);
    try {
      const simulated = await Promise.all(Array.from({ length: 30 }, () => site.simulate('&order_size=20')));
      expect(simulated.map(({ status }) => status)).toEqual(simulated.map(() => 200));
      expect((await site.simulate('&order_size=21')).status).toBe(200);
    } finally {
      unsubscribe('undici:request:create', note);
    }
    // The second reading of the event has its members, the first one its title.
    const event = ['/gamma/events/keyset', '/gamma/events/keyset', '/gamma/market-clarifications'];
    expect(reads).toEqual(['/gamma/markets/keyset', ...event]);
  });

  it('splits, sells all of it at the bids, and ends sold with the profit that was shown, to the micro-dollar', async () => {
    await using site = await opened();
    const tokens = tokensOf(site);
    const before = await onChain(chain, tokens);
    const shown = (await site.simulate('&order_size=20')).body;
    const id = await placed(site);
    expect(await limitUse(site.test.runtime.db, site.test.runtime.clock.now())).toEqual({
      placedToday: 20_000_000,
      openExposure: 20_000_000,
    });
    site.keep();
    await site.pass();
    const { batch, orders, received, sales } = await stateOf(site, id);
    expect(batch).toMatchObject({ status: 'sold', lastError: null, unhedged: null, targetProfit: batch.actualProfit });
    expect((batch.actualProfit ?? 0) / 1_000_000).toBe(shown.expected_profit_usd);
    expect(received).toEqual([]);
    expect(orders).toMatchObject(
      PAYING.map(() => ({ side: 'buy', status: 'filled', filledSize: 20_000_000, fee: 0, soldSize: 20_000_000 })),
    );
    expect(orders.reduce((sum, { filledCost }) => sum + filledCost, 0)).toBe(20_000_000);
    expect(sales).toMatchObject(
      PAYING.map((price) => ({ status: 'filled', filledSize: 20_000_000, price: Number(price) * 1_000_000 })),
    );
    await site.pass(1);
    const after = await onChain(chain, tokens);
    expect([after.cash - before.cash, after.shares]).toEqual([batch.actualProfit, before.shares]);
    const [submission] = await site.desk.submissions();
    expect(submission?.row).toMatchObject({
      ...{
        purpose: 'split',
        status: 'confirmed',
        expected: -20_000_000,
        received: -20_000_000,
        requestedBy: 'operator@example.com',
      },
      balancesAfter: { cash: (submission?.row.balancesBefore?.cash ?? 0) - 20_000_000 },
    });
    const entries = await site.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq));
    expect(entries).toMatchObject([{ action: 'order.placed', object: id, after: { way_in: 'split', order_size: 20 } }]);
    const { data } = (await site.call('GET', `/arbitrage/batches/${id}/timeline`)).body as {
      data: { event: string }[];
    };
    expect([...new Set(data.map(({ event }) => event))]).toEqual(
      expect.arrayContaining([
        'conversion_planned',
        'conversion_sent',
        'conversion_mined',
        'conversion_confirmed',
        'completed',
        'sold',
      ]),
    );
    expect((await site.call('GET', `/arbitrage/batches/${id}/summary`)).body).toMatchObject({ success_rate: 1 });
    expect((await site.call('GET', '/arbitrage/orders?skip=0&limit=1')).body).toMatchObject({ count: 8 });
  });

  it('is placed once: by one key, and while its batch is active', async () => {
    await using site = await opened();
    const once = await site.place('&order_size=20', 'once');
    expect((await site.place('&order_size=20', 'once')).body.id).toBe(once.body.id);
    const again = await site.place('&order_size=20', 'twice');
    expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining('still active') } });
    expect(await site.desk.submissions()).toHaveLength(1);
    expect(await readOwnOrders(site.test.runtime.db)).toEqual([]);
  });

  it('is refused where there is none, where orders are only simulated, and by the gates of buying', async () => {
    await using site = await opened();
    site.settings.change({ ORDER_SIMULATION_ENABLED: true });
    expect((await site.place()).body.detail).toBe('Orders are only simulated, and no split is.');
    site.settings.change({ ORDER_SIMULATION_ENABLED: false });
    await storeLimitsOf(site.test.runtime, { ...NO_LIMITS, perBatch: 19_000_000 as never });
    expect((await site.place('&order_size=20')).body.detail).toBe('The batch takes up to $20.00, the limit is $19.00.');
    await storeLimitsOf(site.test.runtime, NO_LIMITS);
    await site.bid(['0.30', '0.30', '0.24', '0.14']);
    expect((await site.place('&order_size=20')).status).toBe(409);
    // Of a size that the bids do not take its dollars are not judged.
    await site.bid(['0.30', '0.30', '0.24', '0.14'], '20000000');
    expect((await site.simulate('&order_size=20000000')).body.errors).toEqual(
      expect.arrayContaining([expect.stringMatching(/balance/)]),
    );
    await using without = await opened(false);
    expect((await without.simulate()).body).toMatchObject({ ways_in: ['buy'], split: null });
    expect((await without.place()).body.detail).toMatch(/^A dollar cannot be split/);
    expect(await without.desk.submissions()).toEqual([]);
  });

  it('is left to the chain loop by the batch runner, however long it takes, on any request', async () => {
    await using site = await opened();
    const id = await placed(site);
    expect((await site.call('POST', `/arbitrage/batches/${id}/reconcile`)).status).toBe(200);
    await site.test.time.leap(5 * 60_000, 5000);
    const { batch, orders, attempts } = await stateOf(site, id);
    expect([batch.status, batch.pollRequestedAt, attempts]).toEqual(['processing', null, []]);
    expect(orders.map(({ status }) => status)).toEqual(PAYING.map(() => 'pending'));
  });

  it('is approved first where the contract may not move the cash, and that alone', async () => {
    await using site = await opened();
    const router = (await site.desk.parts.chain.approvals()).find(
      ({ asset, name }) => asset === 'cash' && name.startsWith('router'),
    );
    await chain.control.allow(router?.contract ?? '', 'COLLATERAL', '0');
    const id = await placed(site);
    site.keep();
    await site.pass(5);
    const ends = (await site.desk.submissions()).map(
      ({ row, steps }) => `${row.purpose} ${row.status} ${steps.length}`,
    );
    expect(ends.toSorted()).toEqual(['approval confirmed 1', 'split confirmed 1']);
    expect(await site.batch(id)).toMatchObject({ status: 'sold' });
  });
});

describe('a split of one market', () => {
  it('is booked as its pair, which merges back into its dollars', async () => {
    await using site = await opened();
    const market = chain.markets.find(({ event, negRisk }) => !negRisk && event?.negRisk !== true);
    if (market === undefined) throw new Error('the exchange has a market that stands alone');
    const tokens = market.outcomes.map(({ tokenId }) => tokenId);
    const before = await onChain(chain, tokens);
    const id = await site.splitPair(market, '20');
    site.keep();
    await site.pass(2);
    const { batch, orders, sales } = await stateOf(site, id);
    expect([batch.status, sales]).toEqual(['completed', []]);
    expect(orders.map(({ filledSize }) => filledSize)).toEqual([20_000_000, 20_000_000]);
    expect((await onChain(chain, tokens)).cash - before.cash).toBe(-20_000_000);
    expect((await site.desk.cashNow({ batchId: id })).refusal).toBeNull();
    await site.pass(2);
    expect((await stateOf(site, id)).batch).toMatchObject({ status: 'sold', actualProfit: 0 });
    expect(await onChain(chain, tokens)).toEqual(before);
  });
});

describe('a split that is not carried out', () => {
  it.each([
    ['of the chain', 'chain_revert', 'Taken back by the chain: paused.'],
    ['that it moved nothing', 'chain_no_effect', 'The chain carried it out, and it moved nothing.'],
  ])('fails with the sentence %s: nothing is held, and nothing counts any more', async (_what, fault, sentence) => {
    // What the one before has left under way has the nonce.
    await nextBlocks(chain);
    await using site = await opened();
    const before = await onChain(chain, tokensOf(site));
    const id = await placed(site);
    await chain.control.fault(fault, { reason: 'paused' });
    site.keep();
    await site.pass();
    expect(await site.batch(id)).toMatchObject({
      ...{ status: 'failed', actual_profit_usd: null },
      last_error: sentence,
    });
    expect((await stateOf(site, id)).orders.map(({ status }) => status)).toEqual(PAYING.map(() => 'failed'));
    expect(await onChain(chain, tokensOf(site))).toEqual(before);
    expect((await site.call('POST', `/arbitrage/batches/${id}/retry`)).body.detail).toBe(
      'The batch is failed and cannot be retried: nothing of it is bought, its dollars are split.',
    );
    const { db, clock } = site.test.runtime;
    expect(await limitUse(db, clock.now())).toEqual({ placedToday: 0, openExposure: 0 });
    await placed(site);
  });

  it('is not sent once trading is disarmed', async () => {
    await using site = await opened();
    const id = await placed(site);
    site.desk.controls.armed = false;
    site.keep();
    await site.pass(1);
    expect(await site.batch(id)).toMatchObject({ status: 'failed', last_error: 'Not sent: trading is disarmed.' });
    expect(await site.desk.submissions()).toMatchObject([{ row: { sentAt: null, payload: null } }]);
  });

  it('is not sent once its batch is canceled', async () => {
    await using site = await opened();
    const id = await placed(site);
    expect((await site.call('POST', `/arbitrage/batches/${id}/cancel`)).status).toBe(200);
    site.keep();
    await site.pass(1);
    expect(await site.batch(id)).toMatchObject({ status: 'canceled', last_error: 'Not sent: the batch was canceled.' });
  });
});

describe('what was split and is not sold', () => {
  it('is held as whole sets where the bids are gone, says so after a minute, and is not sold by itself any more', async () => {
    await using site = await opened();
    const id = await placed(site);
    site.keep();
    await site.test.time.advance(1000);
    await site.bid(['0.30', '0.32', '0.24', '0.14']);
    await site.pass();
    expect(await site.batch(id)).toMatchObject({ status: 'completed', actual_profit_usd: 0, unhedged: null });
    for (let round = 0; round < 6; round += 1) await site.pass(2);
    expect((await site.batch(id)).last_error).toMatch(/^Not sold: .*All shares are held: sell them, or convert them/);
    const { sales } = await stateOf(site, id);
    expect(sales).toEqual([]);
    await site.bid(PAYING);
    await site.pass(2);
    expect((await stateOf(site, id)).sales).toEqual([]);
  });

  it('is sold once the bids are there again within the minute', async () => {
    await using site = await opened();
    const id = await placed(site);
    site.keep();
    await site.test.time.advance(1000);
    await site.bid(['0.30', '0.32', '0.24', '0.14']);
    const { trading } = chain.venue;
    if (trading === null) throw new Error('the venue has an account');
    const reported = vi.spyOn(trading, 'refreshHoldings');
    reported.mockRejectedValueOnce(new VenueUnavailable('busy'));
    await site.pass(2);
    expect(await site.batch(id)).toMatchObject({ status: 'completed' });
    // Not once a second while it waits: again only after the venue did not answer.
    expect(reported).toHaveBeenCalledTimes(2);
    reported.mockRestore();
    await site.bid(PAYING);
    await site.pass(2);
    expect(await site.batch(id)).toMatchObject({ status: 'sold', last_error: null });
  });

  it('is not sold by a chain loop that still looks at the bids when another has left it to people', async () => {
    await using site = await opened();
    const id = await placed(site);
    const { db, clock } = site.test.runtime;
    const asked = vi.fn<Quotes['fresh']>(async (positions) => {
      await db.update(chainSubmissions).set({ bookedAt: clock.now() });
      return await site.quotes.fresh(positions);
    });
    site.keep({ quotes: { current: (positions) => site.quotes.current(positions), fresh: asked } });
    await site.pass();
    expect(asked).toHaveBeenCalled();
    expect((await stateOf(site, id)).sales).toEqual([]);
    expect(await site.batch(id)).toMatchObject({ status: 'completed' });
  });

  it('is held where trading was disarmed after it was sent', async () => {
    await using site = await opened();
    const id = await placed(site);
    site.keep();
    await site.test.time.advance(1000);
    site.desk.controls.armed = false;
    await site.pass();
    expect(await site.batch(id)).toMatchObject({
      status: 'completed',
      last_error: expect.stringMatching(/^Not sold: Trading was disarmed/),
    });
    expect((await stateOf(site, id)).sales).toEqual([]);
  });
});

class Killed extends Error {}

describe.each([
  ...(['chain_prepared', 'chain_stored', 'chain_marked', 'chain_submitted', 'chain_answered'] as const),
  ...(['chain_ended', 'chain_booked', 'sale_recorded'] as const),
])('a chain loop that dies when it has passed %s', (point) => {
  it('leaves a split that another carries on: it is split once and sold once, or not at all', async () => {
    await using site = await opened();
    const tokens = tokensOf(site);
    const before = await onChain(chain, tokens);
    const sent = (await chain.control.chain()).transactions.length;
    const id = await placed(site);
    let isAlive = true;
    const pass = (at: string) => {
      if (at !== point && isAlive) return;
      isAlive = false;
      throw new Killed(at);
    };
    const dying = site.keep({ runtime: { ...site.test.runtime, pass } });
    for (let round = 0; round < 4 && isAlive; round += 1) await site.pass(1);
    expect(isAlive).toBe(false);
    await dying.stop();
    site.keep();
    // What may have been sent and was not is proven once its deadline has passed.
    const isOver = async () => ['sold', 'failed'].includes(String((await site.batch(id)).status));
    for (let round = 0; round < 15 && !(await isOver()); round += 1) await site.pass(1);
    // Whatever would be done once more.
    await site.pass(2);
    const { batch, sales } = await stateOf(site, id);
    const isSplit = point !== 'chain_marked';
    expect([batch.status, sales.length]).toEqual(isSplit ? ['sold', PAYING.length] : ['failed', 0]);
    const after = await onChain(chain, tokens);
    expect(after.shares).toEqual(before.shares);
    expect(after.cash - before.cash).toBe(batch.actualProfit ?? 0);
    expect((await chain.control.chain()).transactions.length - sent).toBeGreaterThanOrEqual(isSplit ? 1 : 0);
    const [submission] = await site.desk.submissions();
    expect(submission?.row.bookedAt).not.toBeNull();
  });
});
