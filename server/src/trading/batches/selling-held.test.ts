import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { openSellingSite, type SellingSite } from './selling.fixture.ts';

const BOTH = { token_ids: ['101', '102'] };

const statusOf = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}`)).body.status as string;

describe('selling what several batches hold', () => {
  it('brings what was shown of all of them, with bids counted once, once for each key; who still buys and practice stay', async () => {
    await using site = await openSellingSite();
    const [first, second] = [await site.bought(), await site.bought()];
    site.bid('101', ['0.45', '15'], ['0.44', '50']);
    site.bid('102', ['0.5', '50']);
    const practice = await site.bought([], { simulated: true });
    const buying = await site.resting();
    const shown = await site.call('POST', '/portfolio/sell', { body: BOTH });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        ...{ simulation: true, total_orders: 4, sellable_orders: 4, warnings: [], errors: [] },
        ...{ total_original_value: 16, estimated_proceeds: 18.95, estimated_fees: 0, estimated_profit: 2.95 },
      },
    });
    const before = site.venue.posted.length;
    const sell = (prices?: unknown) =>
      site.call('POST', '/portfolio/sell?simulate=false&shown_shares=40', { key: 'once', body: { ...BOTH, prices } });
    const sold = await sell();
    expect(sold).toMatchObject({
      status: 200,
      body: {
        ...{ simulation: false, total_orders: 4, successful_sells: 4, failed_sells: 0 },
        // The scripted venue fills each at its limit price.
        ...{ total_proceeds: 18.9 },
        summary: '4 of 4 orders sold',
      },
    });
    expect(await sell()).toEqual(sold);
    expect(await sell({ '101': 0.4 })).toMatchObject({ status: 422 });
    expect(site.venue.posted).toHaveLength(before + 4);
    const statuses = await Promise.all([first, second, practice, buying].map((id) => statusOf(site, id)));
    expect(statuses).toEqual(['sold', 'sold', 'completed', 'processing']);
    expect((await site.actions()).map(([action]) => action)).toEqual(['portfolio.sold']);
    const none = await site.call('POST', '/portfolio/sell', { body: BOTH });
    expect(none.body).toMatchObject({ total_orders: 0, errors: ['Nothing can be sold now.'] });
  });

  it('sends no order of any batch where the bids take less than was shown', async () => {
    await using site = await openSellingSite();
    await site.bought();
    await site.bought();
    site.bid('101', ['0.45', '15']);
    site.bid('102', ['0.5', '50']);
    const before = site.venue.posted.length;
    const refused = await site.call('POST', '/portfolio/sell?simulate=false&shown_shares=40', { body: BOTH });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toMatch(/they take 35 of the 40 shares that were shown\. Nothing was sold\./);
    expect(site.venue.posted).toHaveLength(before);
  });

  it('is done once where two ask at the same time', async () => {
    await using site = await openSellingSite();
    await site.bought();
    await site.bought();
    for (const token of BOTH.token_ids) site.bid(token, ['0.5', '50']);
    const before = site.venue.posted.length;
    const sell = () => site.call('POST', '/portfolio/sell?simulate=false', { body: BOTH });
    const answers = await Promise.all([sell(), sell()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(site.venue.posted).toHaveLength(before + 4);
  });

  it('says whose sets it parts, and names what was not sold', async () => {
    await using site = await openSellingSite();
    const [first, second] = [await site.bought(), await site.bought()];
    site.bid('101', ['0.45', '50']);
    const only = { token_ids: ['101'] };
    expect((await site.call('POST', '/portfolio/sell', { body: only })).body).toMatchObject({
      warnings: ['2 batches keep shares of other positions, which are unhedged once these are sold.'],
    });
    site.venue.onPost((order) => site.venue.take(order, sharesFromText('4')));
    const sold = await site.call('POST', '/portfolio/sell?simulate=false', { body: only });
    expect(sold.body).toMatchObject({
      ...{ successful_sells: 0, failed_sells: 2 },
      summary: '0 of 2 orders sold, 8 of 20 shares of Yes, “Market 101”',
    });
    expect(await Promise.all([first, second].map((id) => statusOf(site, id)))).toEqual(['completed', 'completed']);
  });
});
