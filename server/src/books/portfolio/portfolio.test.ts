import { eventOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import { idAt, venueOf } from '@dutchbook/units/ids.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../../platform/http/ask.fixture.ts';
import type { SellingSite } from '../../trading/batches/selling.fixture.ts';
import { batches, batchOrders } from '../../trading/orders/table.ts';
import { openPortfolioSite, type PortfolioSite } from './portfolio.fixture.ts';

let site: SellingSite;
let portfolio: PortfolioSite['read'];
let showPositions: PortfolioSite['showPositions'];
let headers: PortfolioSite['headers'];
beforeEach(async () => {
  ({ site, headers, read: portfolio, showPositions } = await openPortfolioSite());
});
afterEach(() => site[Symbol.asyncDispose]());

describe('the portfolio', () => {
  it('is empty where nothing was bought', async () => {
    expect(await portfolio()).toMatchObject({
      cash: { free_usd: 1000, in_orders_usd: 0, settling_usd: 0, redeemable_usd: 0 },
      value_usd: 0,
      holdings: [],
      events: [],
      venue_error: null,
    });
  });

  it('adds up the cash of two venues, each with its own, and shows one while the other does not answer', async () => {
    const { runtime } = site.test;
    const held = { tokenId: 'kalshi:102', marketId: 'kalshi:market-102', outcome: 'Yes', redeemable: false };
    const kalshi = { answers: true, cash: '40' };
    site.desks.push({
      ...{ name: 'kalshi', chain: null },
      account: {
        refresh: async () =>
          kalshi.answers ? { cash: usdFromText(kalshi.cash), allowances: null, at: runtime.clock.now() } : null,
      },
      trading: {
        positions: async () => {
          if (!kalshi.answers) throw new VenueUnavailable('Kalshi is down');
          return [{ ...held, shares: sharesFromText('10'), resolvedValue: null }];
        },
      },
    });
    await site.bought(['10', '10']);
    const { tokenId, marketId } = held;
    await runtime.db.update(batchOrders).set({ tokenId, marketId }).where(eq(batchOrders.tokenId, '102'));
    showPositions({ tokenId: '101' });
    const byVenue = (cash: unknown) => cash as { by_venue: unknown[] };
    const { cash, holdings } = await portfolio();
    expect(cash).toMatchObject({ free_usd: 1040, redeemable_usd: 0 });
    expect(byVenue(cash).by_venue).toMatchObject([
      { venue: 'polymarket', free_usd: 1000 },
      { venue: 'kalshi', free_usd: 40 },
    ]);
    expect(holdings).toMatchObject([
      { token_id: '101', shares: 10, venue_shares: 10 },
      { token_id: 'kalshi:102', shares: 10, venue_shares: 10, external_shares: 0 },
    ]);
    kalshi.answers = false;
    const silent = await portfolio();
    expect(silent.cash).toMatchObject({ free_usd: null, read_at: null, redeemable_usd: null });
    expect(byVenue(silent.cash).by_venue).toMatchObject([{ free_usd: 1000 }, { free_usd: null, read_at: null }]);
    expect(silent.holdings).toMatchObject([{ venue_shares: 10 }, { shares: 10, venue_shares: null }]);
    expect(silent.venue_error).toBe('The venue did not answer: Kalshi is down.');
  });

  it('asks each venue for its own events, and shows the ways out of one while the other does not answer', async () => {
    await site.bought(['10', '10']);
    await site.bought(['10', '10'], { tokens: ['kalshi:101', 'kalshi:102'] });
    const { catalogue } = site.venue.venue;
    const chain = { mergesLines: false, feeBips: async () => 0 };
    const [own] = site.desks;
    site.desks.splice(0, 1, { ...own, chain } as never, { ...own, name: 'kalshi', chain } as never);
    const { fresh } = site.quotes;
    site.quotes.fresh = async (positions) =>
      (await fresh(positions)).map((quote) => {
        const event = eventOf({ id: idAt(venueOf(quote.marketId), 'cup'), negRisk: true });
        return quote.market === undefined ? quote : { ...quote, market: { ...quote.market, event } };
      });
    const asked: (readonly string[])[] = [];
    catalogue.eventsById = async (ids) => {
      asked.push(ids);
      if (ids.some((id) => venueOf(id) === 'kalshi')) throw new VenueUnavailable('Kalshi is down');
      return [];
    };
    const { events, venue_error } = await portfolio();
    expect(asked.toSorted()).toEqual([['cup'], ['kalshi:cup']]);
    expect(venue_error).toBe('The venue did not answer: Kalshi is down.');
    expect(events).toMatchObject([
      { event_id: 'cup', routes: { hold: {} } },
      { event_id: 'kalshi:cup', routes: { hold: {} } },
    ]);
  });

  it('adds up what batches hold of a token, at the bid, and what that has cost', async () => {
    const first = await site.bought(['10', '10']);
    const second = await site.bought(['4'], { tokens: ['101'] });
    await site.test.runtime.db.update(batches).set({ name: 'Cup winner · No on all 2' }).where(eq(batches.id, second));
    site.bid('101', ['0.5', '100']);
    const { holdings, ...totals } = await portfolio();
    expect(holdings).toMatchObject([
      {
        token_id: '101',
        market_name: 'Market 101',
        shares: 14,
        venue_shares: 14,
        external_shares: 0,
        settling_shares: 0,
        cost_usd: 5.6,
        average_cost: 0.4,
        best_bid: 0.5,
        value_usd: 7,
        sale_fee_usd: 0,
        unrealised_usd: 1.4,
        resolved_value: null,
        announced_value: null,
        batch_ids: [second, first],
        batch_names: ['Cup winner · No on all 2', 'Mayor of Meridian · Yes on both'],
      },
      // The other one has no bids.
      { token_id: '102', shares: 10, cost_usd: 4, best_bid: null, value_usd: null, unrealised_usd: null },
    ]);
    expect(totals).toMatchObject({ value_usd: 7, cost_usd: 9.6, unrealised_usd: 1.4, unvalued: 1 });
  });

  it('counts what selling at the bid costs in fees', async () => {
    await site.bought(['10', '10']);
    site.bid('101', ['0.5', '100']);
    const feeSchedule = { rate: fractionFromNumber(0.05), step: usdFromText('0.000001') };
    const { fresh } = site.quotes;
    site.quotes.fresh = async (positions) =>
      (await fresh(positions)).map((quote) =>
        quote.market === undefined ? quote : { ...quote, market: { ...quote.market, feeSchedule } },
      );
    const { holdings } = await portfolio();
    expect(holdings).toMatchObject([
      { token_id: '101', value_usd: 5, sale_fee_usd: 0.125 },
      { token_id: '102', value_usd: null, sale_fee_usd: null },
    ]);
  });

  it('has no shares of a batch that is only simulated, and none that were sold', async () => {
    await site.bought(['10', '10'], { simulated: true });
    expect(await portfolio()).toMatchObject({ holdings: [], cost_usd: 0 });
  });

  it('calls what is still being bought by the name of its event', async () => {
    await site.bought(['10', '10']);
    const { fresh } = site.quotes;
    const event = eventOf({ title: 'Who wins the cup?' });
    site.quotes.fresh = async (positions) =>
      (await fresh(positions)).map((quote) => ({ ...quote, market: quote.market && { ...quote.market, event } }));
    const titles = async () => ((await portfolio()).events as { title: string }[]).map(({ title }) => title);
    expect(await titles()).toEqual(['Who wins the cup?']);
    await site.test.runtime.db.update(batches).set({ status: 'processing' });
    expect(await titles()).toEqual(['Who wins the cup?']);
  });

  it('tells what our fills do not explain from what is ours', async () => {
    await site.bought(['10'], { tokens: ['101'] });
    showPositions({ tokenId: '101', shares: sharesFromText('12.5') }, { tokenId: '7', shares: sharesFromText('3') });
    site.bid('7', ['0.2', '5']);
    const { holdings, cost_usd } = await portfolio();
    expect(holdings).toMatchObject([
      { token_id: '101', shares: 10, venue_shares: 12.5, external_shares: 2.5 },
      { token_id: '7', shares: 0, venue_shares: 3, external_shares: 3, cost_usd: 0, average_cost: null, best_bid: 0.2 },
    ]);
    expect(cost_usd).toBe(4);
  });

  it('says that the venue lacks what it should have, but of dust that it does not list', async () => {
    await site.bought(['10', '0.05']);
    showPositions();
    const { holdings } = await portfolio();
    expect(holdings).toMatchObject([
      { shares: 10, venue_shares: 0 },
      { shares: 0.05, venue_shares: null },
    ]);
  });

  it('values what has resolved by what it pays, and says what waits to be redeemed', async () => {
    await site.bought(['10', '10']);
    showPositions(
      { tokenId: '101', redeemable: true, resolvedValue: priceFromText('1') },
      { tokenId: '102', redeemable: true, resolvedValue: priceFromText('0') },
    );
    site.bid('102', ['0.5', '100']);
    const { holdings, cash, events, unrealised_usd } = await portfolio();
    expect(holdings).toMatchObject([
      { resolved_value: 1, value_usd: 10, unrealised_usd: 6, best_bid: null },
      { resolved_value: 0, value_usd: 0, unrealised_usd: -4, best_bid: null },
    ]);
    expect([cash, unrealised_usd]).toMatchObject([{ redeemable_usd: 10 }, 2]);
    expect(events).toMatchObject([{ routes: null }, { routes: null }]);
  });

  it('values what was voided by what it pays, also where the venue cannot be asked, or has not followed', async () => {
    await site.bought(['10', '10']);
    const { db } = site.test.runtime;
    const half = { resolvedValue: priceFromText('0.5') };
    await db.update(batchOrders).set(half).where(eq(batchOrders.tokenId, '101'));
    showPositions({ tokenId: '101', redeemable: false }, { tokenId: '102', shares: sharesFromText('10') });
    site.bid('101', ['0.02', '100']);
    const voided = { token_id: '101', resolved_value: 0.5, value_usd: 5, unrealised_usd: 1, best_bid: null };
    expect(await portfolio()).toMatchObject({
      holdings: [voided, { token_id: '102', resolved_value: null }],
      cash: { redeemable_usd: 5 },
    });
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    trading.positions = async () => {
      throw new VenueUnavailable('positions: 503');
    };
    const { holdings, cash, events } = await portfolio();
    expect([holdings, cash]).toMatchObject([[voided, { resolved_value: null }], { redeemable_usd: 5 }]);
    expect(events).toMatchObject([{ event_id: 'market-101', routes: null }, { event_id: 'market-102' }]);
  });

  it('says why the dollars of a market are late whose answer is not final', async () => {
    await site.bought(['10', '10']);
    site.resolve('101', 'disputed');
    const { holdings, events } = await portfolio();
    expect(holdings).toMatchObject([
      { token_id: '101', resolution: 'disputed' },
      { token_id: '102', resolution: null },
    ]);
    expect(events).toMatchObject([
      { event_id: 'market-101', resolution: 'disputed' },
      { event_id: 'market-102', resolution: null },
    ]);
  });

  it('plans the ways out of what may leave now', async () => {
    await site.bought(['10'], { tokens: ['101'] });
    site.bid('101', ['0.5', '6'], ['0.3', '100']);
    const { events } = await portfolio();
    expect(events).toMatchObject([
      {
        event_id: 'market-101',
        title: 'Market 101',
        routes: {
          sell: { net_usd: 4.2, held_least_usd: 0, steps: [{ kind: 'sell', shares: 10, limit_price: 0.3 }] },
          cash_now: { net_usd: 0 },
          hold: { net_usd: 0, held_least_usd: 0, held_most_usd: 10, steps: [{ kind: 'hold', risk: 'outcome' }] },
        },
      },
    ]);
  });

  it('still says what is ours where the venue does not answer, and is read once for all who ask', async () => {
    await site.bought(['10'], { tokens: ['101'] });
    const { trading } = site.venue.venue;
    if (trading === null) throw new Error('the scripted venue trades');
    let asked = 0;
    trading.positions = async () => {
      asked += 1;
      throw new VenueUnavailable('positions: 503');
    };
    const [one, other] = await Promise.all([portfolio(), ask(site, headers, 'GET', '/portfolio')]);
    expect(one).toMatchObject({
      venue_error: 'The venue did not answer: positions: 503.',
      cash: { redeemable_usd: null },
      holdings: [{ shares: 10, venue_shares: null, external_shares: 0 }],
    });
    expect(other[0]).toBe(200);
    expect(asked).toBeLessThanOrEqual(2);
  });
});
