import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { eventOf as factsOf, memberOf } from '@dutchbook/engine/relation/catalogue-event.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type { VenuePosition } from '@dutchbook/venues/venue.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boughtBatch } from '../../trading/chain-steps/chain.fixture.ts';
import { loadBatch } from '../../trading/orders/batch-state.ts';
import { type ExitSite, openExitSite } from './exits.fixture.ts';
import { highestGas } from './highest-gas.ts';

let site: ExitSite;
beforeEach(async () => {
  site = await openExitSite();
});
afterEach(() => site[Symbol.asyncDispose]());

const cashNow = (batchId: string, query = '') => `/arbitrage/batches/${batchId}/cash-now${query}`;
const execute = (batchId: string, key?: string, body: unknown = {}) =>
  site.call('POST', cashNow(batchId, '?simulate=false'), { body, ...(key === undefined ? {} : { key }) });

async function batchOf(id: string) {
  return (await site.call('GET', `/arbitrage/batches/${id}`)).body;
}

/** The chain loop may already have sent it when the answer is read. */
const RECORDED = expect.stringMatching(/^(planned|sent|confirmed)$/);

/** One batch of ten pairs of each of these markets, which stand alone. */
async function boughtOf(names: readonly string[]): Promise<string> {
  const bought = names.flatMap((name) => {
    const market = marketOf(name);
    site.markets.set(name, market);
    for (const { tokenId } of market.outcomes) site.chain.shares.set(tokenId, sharesFromText('10'));
    return ([0, 1] as const).map((outcome) => ({ market, outcome, shares: '10', cost: '4' }));
  });
  return await boughtBatch(site.test, bought);
}

describe('converting a batch into dollars', () => {
  it('shows what it would bring beside selling and holding, order by order, and records nothing', async () => {
    const batchId = await site.boughtPairs('10');
    const { status, body } = await site.call('POST', cashNow(batchId));
    expect([status, body]).toMatchObject([
      200,
      {
        simulation: true,
        errors: [],
        submissions: 1,
        quota: { used: 0, allowed: 100, resets_at: null },
        routes: { sell: { net_usd: 0 }, cash_now: { net_usd: 10 }, hold: { net_usd: 0, held_least_usd: 10 } },
        steps: [{ kind: 'merge', market_names: ['Will rain happen?'], shares: 10, expected_usd: 10 }],
        orders: [
          { outcome: 'Yes', free_shares: 10, cash_now: { shares: 10, usd: 4.444444 }, hold: { usd: 4.444444 } },
          { outcome: 'No', free_shares: 10, cash_now: { shares: 10, usd: 5.555556 }, hold: { usd: 5.555555 } },
        ],
      },
    ]);
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({ data: [], count: 0 });
    expect(await batchOf(batchId)).toMatchObject({ status: 'completed' });
  });

  it('does it, and the batch is sold, with the dollars and the profit that they make', async () => {
    const batchId = await site.boughtPairs('10');
    const { status, body } = await execute(batchId);
    expect([status, body]).toMatchObject([
      200,
      {
        simulation: false,
        submissions: [{ status: RECORDED, purpose: 'cash_now', requested_by: 'operator@example.com' }],
      },
    ]);
    await site.untilIdle();
    expect(await batchOf(batchId)).toMatchObject({ status: 'sold', actual_profit_usd: 1, unhedged: null });
    const listed = (await site.call('GET', `/chain-submissions?status=confirmed&batch_id=${batchId}`)).body;
    expect(listed).toMatchObject({
      count: 1,
      quota: { used: 1, allowed: 100 },
      data: [{ status: 'confirmed', expected_usd: 10, received_usd: 10, batch_ids: [batchId], error: null }],
    });
    const [submission] = listed.data as { id: string; booked_at: string | null; hash: string }[];
    expect(submission?.booked_at).not.toBeNull();
    expect((await site.call('GET', `/chain-submissions/${submission?.id}`)).body).toEqual(submission);
    expect(await site.actions()).toEqual([['chain.cash_now', batchId]]);
    const { data } = (await site.call('GET', `/arbitrage/batches/${batchId}/orders`)).body as {
      data: { side: string }[];
    };
    const ofSubmission = {
      chain_step_id: expect.any(String),
      submission_id: submission?.id,
      submission_purpose: 'cash_now',
    };
    expect(data.filter(({ side }) => side === 'sell')).toMatchObject([
      { status: 'filled', filled_size: 10, average_price: 0.444444, fee: 0, ...ofSubmission },
      { status: 'filled', filled_size: 10, average_price: 0.555555, ...ofSubmission },
    ]);
    expect(data.find(({ side }) => side === 'buy')).toMatchObject({ submission_id: null, submission_purpose: null });
    const events = (await site.call('GET', `/arbitrage/batches/${batchId}/timeline`)).body.data as Record<
      string,
      string
    >[];
    expect(events.filter(({ side }) => side === 'sell').map(({ event }) => event)).toEqual(
      ['conversion_planned', 'conversion_sent', 'conversion_mined', 'conversion_confirmed'].flatMap((event) => [
        event,
        event,
      ]),
    );
    expect(events.find(({ event }) => event === 'conversion_confirmed')?.detail).toContain(submission?.hash);
    expect(events.at(-1)).toMatchObject({ event: 'sold' });
  });

  it('is never signed, sent, polled, canceled or given up as a sale by the batch runner, however long it takes', async () => {
    const batchId = await site.boughtPairs('10');
    site.chain.onLookUp = () => ({ kind: 'pending' });
    await execute(batchId);
    await site.test.time.leap(5 * 60_000, 5000);
    const state = await loadBatch(site.test.runtime.db, batchId);
    expect(state?.sales.map(({ status }) => status)).toEqual(['processing', 'processing']);
    expect(state?.batch.saleUnderWay).toBe(true);
    expect(site.trading.orders.size).toBe(0);
    expect(site.chain.submitted).toHaveLength(1);
    expect((await site.call('POST', `/arbitrage/batch/${batchId}/sell-all?simulate=false`, { body: {} })).status).toBe(
      409,
    );
  });

  it('says what the gas may cost where the account pays it, and signs nothing for it that is kept', async () => {
    const pays = { wei: '2500000000000000000', native: '2.5', symbol: 'POL' };
    const { prepare } = site.chain;
    const callsMax = 1;
    Object.assign(site.chain, {
      callsMax,
      prepare: async (calls: never) => ({ ...(await prepare(calls)), highestCost: pays }),
    });
    const batchId = await site.boughtPairs('10');
    expect((await site.call('POST', cashNow(batchId))).body).toMatchObject({
      highest_gas: { amount: '2.5', symbol: 'POL' },
      quota: null,
    });
    expect(
      await highestGas(
        site.chain,
        Array.from({ length: 7 }, () => []),
      ),
    ).toEqual({ amount: '17.5', symbol: 'POL' });
    expect(site.chain.submitted).toEqual([]);
  });

  it('takes only the orders that are named', async () => {
    const batchId = await site.boughtPairs('10');
    const state = await loadBatch(site.test.runtime.db, batchId);
    const one = { order_ids: [state?.orders[0]?.id] };
    expect((await site.call('POST', cashNow(batchId), { body: one })).body).toMatchObject({
      orders: [{ outcome: 'Yes' }],
      errors: ['Nothing can be converted into dollars now: no complete set is settled and free.'],
    });
    expect(await execute(batchId, undefined, one)).toMatchObject({ status: 409 });
  });

  it.each([
    ['goes to the chain as one submission where the wallet takes several calls', 50, [['rain', 'snow']]],
    ['goes as one submission for each call where a key sends them one by one', 1, [['rain'], ['snow']]],
  ])('of several orders and events %s', async (_how, callsMax, submissions) => {
    Object.assign(site.chain, { callsMax });
    const batchId = await boughtOf(['rain', 'snow', 'hail']);
    const state = await loadBatch(site.test.runtime.db, batchId);
    const named = state?.orders.filter(({ marketId }) => marketId !== 'hail').map(({ id }) => id);
    const { body } = await execute(batchId, undefined, { order_ids: named });
    const recorded = body.submissions as { steps: { market_ids: string[] }[] }[];
    const marketsOf = recorded.map(({ steps }) => steps.flatMap(({ market_ids: ids }) => ids));
    expect(marketsOf.toSorted()).toEqual(submissions);
    await site.untilIdle();
    expect(site.chain.submitted).toHaveLength(submissions.length);
    const after = await loadBatch(site.test.runtime.db, batchId);
    expect(after?.orders.map(({ marketId, soldSize }) => [marketId, soldSize])).toEqual(
      Object.entries({ rain: 10_000_000, snow: 10_000_000, hail: 0 }).flatMap((sold) => [sold, sold]),
    );
  });

  it('does what a key asked for once, and another request with that key is refused', async () => {
    const batchId = await site.boughtPairs('10');
    const first = await execute(batchId, 'a key');
    await site.untilIdle();
    const again = await execute(batchId, 'a key');
    expect(again).toMatchObject({ status: 200, body: { submissions: [{ status: 'confirmed' }] } });
    expect((again.body.submissions as { id: string }[]).map(({ id }) => id)).toEqual(
      (first.body.submissions as { id: string }[]).map(({ id }) => id),
    );
    expect(await execute(batchId, 'a key', { order_ids: [] })).toMatchObject({ status: 422 });
    expect(site.chain.submitted).toHaveLength(1);
  });

  it.each([
    ['trading is disarmed', 'Trading is disarmed.', { disarmed: true }],
    [
      'its batch is being bought',
      /^The batch is processing .* must end or be canceled first/,
      { status: 'processing' },
    ],
    ['its batch is simulated', /only simulated and holds none/, { simulated: true }],
  ] as const)('is refused with a sentence where %s', async (_where, sentence, { ...given }) => {
    const { disarmed = false, ...changed } = given as { disarmed?: boolean };
    const batchId = await site.boughtPairs('10', changed);
    site.controls.armed = !disarmed;
    const { status, body } = await execute(batchId);
    expect([status, body.detail]).toEqual([
      409,
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    ]);
    const simulated = await site.call('POST', cashNow(batchId));
    expect((simulated.body.errors as string[])[0]).toMatch(sentence);
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({ count: 0 });
  });

  it('answers 404 for what is not there, and 409 where the venue has no chain', async () => {
    expect(await site.call('POST', cashNow('00000000-0000-4000-8000-000000000000'))).toMatchObject({ status: 404 });
    expect(await site.call('GET', '/chain-submissions/00000000-0000-4000-8000-000000000000')).toMatchObject({
      status: 404,
    });
    await using other = await openExitSite({ hasChain: false });
    const batchId = await other.boughtPairs('10');
    expect(await other.call('POST', cashNow(batchId))).toMatchObject({
      status: 409,
      body: { detail: 'Shares are not converted into dollars on this venue.' },
    });
    expect((await other.call('GET', '/chain-submissions')).body).toEqual({
      data: [],
      count: 0,
      quota: null,
      quotas: [],
    });
    expect((await other.call('GET', '/approvals')).body).toEqual({ data: [], count: 0 });
  });

  it('converts what several batches hold of an event', async () => {
    const [one, other] = [await site.boughtPairs('10'), await site.boughtPairs('5')];
    const path = '/portfolio/events/rain/cash-now';
    expect((await site.call('POST', path)).body).toMatchObject({
      routes: { cash_now: { net_usd: 15 } },
      submissions: 1,
    });
    await site.call('POST', `${path}?simulate=false`);
    await site.untilIdle();
    expect(await Promise.all([one, other].map(batchOf))).toMatchObject([{ status: 'sold' }, { status: 'sold' }]);
    expect(await site.actions()).toEqual([['chain.cash_now', 'rain']]);
  });
});

describe('redeeming', () => {
  /** What the venue lists as held: of each outcome, what it pays. */
  function resolve(yes: string, no: string, marketId = 'rain'): void {
    const { trading } = site.trading.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    const position = (side: string, value: string): VenuePosition => ({
      ...{ marketId, tokenId: `${marketId}-${side}`, outcome: side, shares: sharesFromText('10') },
      ...{ redeemable: true, resolvedValue: priceFromText(value) },
    });
    trading.positions = async () => [position('yes', yes), position('no', no)];
  }

  it('redeems what won, shows what lost apart, and books what each share pays', async () => {
    const batchId = await site.boughtPairs('10');
    resolve('1', '0');
    expect((await site.call('POST', '/portfolio/redeem')).body).toMatchObject({
      simulation: true,
      expected_usd: 10,
      markets: [{ token_id: 'rain-yes', shares: 10, resolved_value: 1, usd: 10, error: null }],
      lost: [{ token_id: 'rain-no', usd: 0 }],
      steps: [{ kind: 'redeem', expected_usd: 10 }],
      errors: [],
    });
    const { body } = await site.call('POST', '/portfolio/redeem?simulate=false', { body: { market_ids: ['rain'] } });
    expect(body).toMatchObject({
      submissions: [{ purpose: 'redeem', status: RECORDED, steps: [{ token_id: 'rain-yes' }] }],
    });
    await site.untilIdle();
    const state = await loadBatch(site.test.runtime.db, batchId);
    expect(state?.sales).toMatchObject([{ status: 'filled', filledCost: 10_000_000 }]);
    // What lost is left of the set, and at no risk any more.
    expect(state?.batch).toMatchObject({ actualProfit: 1_000_000, unhedged: null, status: 'completed' });
    expect(await site.actions()).toEqual([['chain.redeemed', null]]);
    expect(await site.call('POST', '/portfolio/redeem?simulate=false')).toMatchObject({ status: 409 });
  });

  it('pays half for each share of a market that ended in half', async () => {
    const batchId = await site.boughtPairs('10.000001');
    resolve('0.5', '0.5');
    for (const side of ['yes', 'no']) site.chain.worth.set(`rain-${side}`, 0.5);
    await site.call('POST', '/portfolio/redeem?simulate=false');
    await site.untilIdle();
    const state = await loadBatch(site.test.runtime.db, batchId);
    expect(state?.sales.map(({ filledCost }) => filledCost)).toEqual([5_000_000, 5_000_000]);
  });

  it('redeems what the chain has where the venue took a part of it as its fee, and takes the rest for no redemption', async () => {
    const batchId = await site.boughtPairs('10');
    resolve('1', '0');
    site.chain.shares.set('rain-yes', sharesFromText('9.8'));
    await site.call('POST', '/portfolio/redeem?simulate=false');
    await site.untilIdle();
    const sold = async () =>
      (await loadBatch(site.test.runtime.db, batchId))?.sales.map(({ filledCost }) => filledCost);
    expect(await sold()).toEqual([9_800_000]);
    await site.test.time.leap(70_000, 5000);
    expect(await sold()).toEqual([9_800_000]);
  });

  it('leaves alone what is in an order that has not ended, and says so', async () => {
    await site.boughtPairs('10');
    await site.boughtPairs('3', { status: 'processing' });
    resolve('1', '0');
    const { status, body } = await site.call('POST', '/portfolio/redeem?simulate=false');
    expect([status, body.detail]).toEqual([
      409,
      expect.stringContaining('A batch that is processing holds shares of it.'),
    ]);
  });

  it('books what the venue has redeemed by itself, and sends nothing for it, also while disarmed', async () => {
    const batchId = await site.boughtPairs('10');
    const weather = { id: 'weather', title: 'Weather', negRisk: false, augmented: false, marketIds: ['rain'] };
    site.markets.set('rain', marketOf('rain', { closed: true, event: weather }));
    const rain = { marketId: 'rain', tokenIds: ['rain-yes', 'rain-no'], closed: true };
    site.events.push(factsOf([memberOf('rain', { ...rain, resolvedValue: priceFromText('1') })], { id: 'weather' }));
    site.chain.shares.clear();
    const shares = new Map([['rain-yes', sharesFromText('10')]]);
    site.chain.taken.push({ hash: '0xpaid', block: 7, shares, cash: usdFromText('10'), isFinal: true });
    site.controls.armed = false;
    const said = (await site.call('POST', '/portfolio/redeem')).body as { markets: unknown[] };
    expect(said.markets).toMatchObject([
      { token_id: 'rain-yes', error: expect.stringContaining('they are gone, and are booked by the dollars') },
    ]);
    await site.test.time.leap(70_000, 5000);
    expect((await site.call('GET', '/chain-submissions')).body).toMatchObject({
      data: [
        { by_venue: true, purpose: 'redeem', status: 'confirmed', expected_usd: 10, sent_at: null, hash: '0xpaid' },
      ],
    });
    expect(site.chain.submitted).toEqual([]);
    const state = await loadBatch(site.test.runtime.db, batchId);
    expect(state?.sales).toMatchObject([{ status: 'filled', filledCost: 10_000_000, tokenId: 'rain-yes' }]);
  });
});
