import { eventOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { presentRow } from './present.ts';
import { openSite, type Site } from './routes.fixture.ts';

const OPPORTUNITIES = '/arbitrage/opportunities';
const SET = ['rain', 'snow'].map((id, index) => ({ leg: index + 1, markets: [{ id, outcome: 'Yes' }] }));

function quote({ desk }: Site, rain: string, snow: string, augmented: boolean): void {
  const event = eventOf({ augmented, marketIds: ['rain', 'snow', 'other'] });
  for (const id of ['rain', 'snow']) desk.venue.list(id, { event, negRisk: true });
  desk.venue.setBooks({ 'rain:yes': { asks: [[rain, '500']] }, 'snow:yes': { asks: [[snow, '500']] } });
}

const streamed = ({ desk }: Site) =>
  desk.published.filter(({ topic, type }) => topic === 'opportunities' && type === 'opportunity').at(-1)?.data;

describe('the flags of an opportunity', () => {
  it('stand in the answer, the list, the detail, the stream and the database, and go with their reason', async () => {
    await using site = await openSite();
    quote(site, '0.4', '0.4', true);
    const created = await site.call('POST', OPPORTUNITIES, { market_combinations: SET });
    const both = { flags: ['augmented_event', 'too_good_to_be_true'] };
    expect(created).toMatchObject({ status: 200, json: both });
    const { id } = created.json as { id: string };
    expect(streamed(site)).toMatchObject(both);
    await site.desk.untilStored(id, { augmentedEvent: true });
    expect(presentRow(await site.desk.stored(id))).toMatchObject(both);
    // Exactly 20 % is still believed.
    quote(site, '0.45', '0.55', true);
    await site.call('PUT', `${OPPORTUNITIES}/${id}?target_price=1.2`);
    const augmented = { flags: ['augmented_event'] };
    expect((await site.call('GET', `${OPPORTUNITIES}/${id}`)).json).toMatchObject(augmented);
    expect((await site.call('GET', OPPORTUNITIES)).json).toMatchObject({ data: [augmented] });
    expect(streamed(site)).toMatchObject(augmented);
    quote(site, '0.45', '0.55', false);
    expect((await site.call('POST', `/arbitrage/check/${id}`)).json).toMatchObject({ opportunity: { flags: [] } });
    await site.desk.untilStored(id, { augmentedEvent: false });
  });

  it('say that a market waits for its answer, the worst of them, until it does not', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55', false);
    const created = await site.call('POST', OPPORTUNITIES, { market_combinations: SET });
    const { id } = created.json as { id: string };
    site.desk.venue.list('snow', { resolution: 'proposed' });
    const check = () => site.call('POST', `/arbitrage/check/${id}`);
    expect((await check()).json).toMatchObject({
      opportunity: {
        flags: ['resolution_proposed'],
        positions: [{ resolution: null }, { resolution: 'proposed' }],
      },
    });
    expect(streamed(site)).toMatchObject({ flags: ['resolution_proposed'] });
    site.desk.venue.list('rain', { resolution: 'disputed' });
    expect((await check()).json).toMatchObject({ opportunity: { flags: ['resolution_disputed'] } });
    await site.desk.untilStored(id, { resolution: 'disputed' });
    expect((await site.call('GET', OPPORTUNITIES)).json).toMatchObject({ data: [{ flags: ['resolution_disputed'] }] });
    for (const market of ['rain', 'snow']) site.desk.venue.list(market);
    expect((await check()).json).toMatchObject({ opportunity: { flags: [] } });
    await site.desk.untilStored(id, { resolution: null });
  });

  it('say beside a market that was voided what a share of it pays, before anything is redeemed', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55', false);
    const { id } = (await site.call('POST', OPPORTUNITIES, { market_combinations: SET })).json as { id: string };
    const half = { resolvedValue: priceFromText('0.5') };
    const outcomes = site.desk.venue.list('snow').outcomes.map((outcome) => ({ ...outcome, ...half }));
    site.desk.venue.list('snow', { closed: true, acceptingOrders: false, outcomes });
    expect((await site.call('POST', `/arbitrage/check/${id}`)).json).toMatchObject({
      opportunity: {
        positions: [{ resolved_value: null }, { resolved_value: 0.5, price: null }],
        last_error: expect.stringContaining('the market has resolved, a share pays $0.5000'),
      },
    });
  });

  it('apply to what a file brought in, and stay while the venue knows nothing', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55', true);
    const cell = `"${JSON.stringify(SET).replaceAll('"', '""')}"`;
    const imported = await site.upload('few.csv', `market_combinations,active\n${cell},true\n`);
    const [id = ''] = (imported.json as { opportunity_ids: string[] }).opportunity_ids;
    await site.desk.untilStored(id, { augmentedEvent: true });
    site.desk.venue.unlist('snow');
    expect((await site.call('POST', `/arbitrage/check/${id}`)).json).toMatchObject({
      opportunity: { flags: ['augmented_event'], last_error: expect.stringContaining('does not know this market') },
    });
    expect((await site.call('GET', OPPORTUNITIES)).json).toMatchObject({ data: [{ flags: ['augmented_event'] }] });
  });
});
