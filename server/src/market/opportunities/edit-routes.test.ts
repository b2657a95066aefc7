import { asc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { auditLog } from '../../platform/audit/table.ts';
import { openSite, type Site } from './routes.fixture.ts';

const OPPORTUNITIES = '/arbitrage/opportunities';

function quote({ desk }: Site, rain: string, snow: string): void {
  for (const id of ['rain', 'snow']) desk.venue.list(id);
  desk.venue.setBooks({ 'rain:yes': { asks: [[rain, '500']] }, 'snow:yes': { asks: [[snow, '500']] } });
}

/** An opportunity over both markets, priced. */
async function created(site: Site, fields: object = {}): Promise<string> {
  const legs = ['rain', 'snow'].map((id, index) => ({ leg: index + 1, markets: [{ id, outcome: 'Yes' }] }));
  const { json } = await site.call('POST', OPPORTUNITIES, { market_combinations: legs, ...fields });
  await site.desk.test.time.advance(3000);
  return (json as { id: string }).id;
}

const auditOf = async ({ desk }: Site, action: 'opportunity.changed') =>
  (await desk.test.runtime.db.select().from(auditLog).orderBy(asc(auditLog.seq))).filter(
    (row) => row.action === action,
  );

/** What was published to open lists last. */
const lastStreamed = ({ desk }: Site) =>
  desk.published.filter(({ topic, type }) => topic === 'opportunities' && type === 'opportunity').at(-1)?.data;

describe('editing an opportunity', () => {
  it('takes query and body, of which the query wins, and values the new target at once', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    const id = await created(site);
    const path = `${OPPORTUNITIES}/${id}`;
    expect(await site.call('PUT', path, { target_price: 1.005 })).toMatchObject({
      status: 200,
      json: { id, target_price: 1.005, profit_percentage: 0.5, active: true, positions: [{}, { best_ask: 0.55 }] },
    });
    expect(lastStreamed(site)).toMatchObject({ id, target_price: 1_005_000, profit_percentage: 500_000 });
    expect(await site.call('PUT', `${path}?target_price=0.9`, { target_price: 2 })).toMatchObject({
      json: { target_price: 0.9, profit_percentage: -10 },
    });
    expect(await site.call('PUT', `${path}?active=false`)).toMatchObject({
      json: { target_price: 0.9, active: false },
    });
    expect(lastStreamed(site)).toMatchObject({ id, active: false });
    const entries = await auditOf(site, 'opportunity.changed');
    expect(entries).toMatchObject([
      { object: id, before: { target_price: 1 }, after: { target_price: 1.005, profit_percentage: 0.5 } },
      { before: { target_price: 1.005 }, after: { target_price: 0.9, active: true } },
      { actor: 'operator@example.com', before: { active: true }, after: { active: false } },
    ]);
  });

  it('records nothing where nothing changes, and refuses what is no edit', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    const path = `${OPPORTUNITIES}/${await created(site)}`;
    expect(await site.call('PUT', path)).toMatchObject({ status: 200, json: { target_price: 1 } });
    expect(await site.call('PUT', `${path}?active=true&target_price=1`)).toMatchObject({ status: 200 });
    expect(await auditOf(site, 'opportunity.changed')).toEqual([]);
    for (const [query, body] of [
      ['?target_price=0', undefined],
      ['?target_price=-1', undefined],
      ['?target_price=50.000001', undefined],
      ['', { target_price: 1_000_000 }],
      ['?active=perhaps', undefined],
      ['', { target_price: 0 }],
      ['', { target_price: '1' }],
      ['', { source: 'me' }],
    ] as const) {
      expect(await site.call('PUT', `${path}${query}`, body), `${query} ${JSON.stringify(body)}`).toMatchObject({
        status: 422,
      });
    }
    const missing = `${OPPORTUNITIES}/00000000-0000-4000-8000-000000000000`;
    expect(await site.call('PUT', `${missing}?active=false`)).toMatchObject({
      status: 404,
      json: { detail: 'Opportunity not found' },
    });
  });

  it('ends the trigger of what is deactivated, and triggers again by the live loop what is activated', async () => {
    await using site = await openSite();
    site.desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: true });
    quote(site, '0.45', '0.50');
    const id = await created(site);
    const path = `${OPPORTUNITIES}/${id}`;
    await site.desk.untilStored(id, { triggered: true });
    expect(site.desk.placed).toEqual([id]);
    expect(await site.call('PUT', `${path}?active=false`)).toMatchObject({ json: { active: false, triggered: false } });
    await site.desk.untilStored(id, { active: false, triggered: false });
    await site.call('PUT', `${path}?active=true`);
    await expect.poll(() => site.desk.placed).toEqual([id, id]);
    await site.desk.untilStored(id, { active: true, triggered: true });
  });

  it('triggers on a target that pays now, and ends the trigger on one that does not', async () => {
    await using site = await openSite();
    site.desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: true });
    quote(site, '0.45', '0.55');
    const id = await created(site);
    const path = `${OPPORTUNITIES}/${id}`;
    expect(await site.desk.stored(id)).toMatchObject({ triggered: false });
    await site.call('PUT', `${path}?target_price=1.1`);
    await expect.poll(() => site.desk.placed).toEqual([id]);
    await site.desk.untilStored(id, { triggered: true });
    expect(await site.call('PUT', `${path}?target_price=1`)).toMatchObject({ json: { triggered: false } });
    await site.desk.untilStored(id, { triggered: false, profitPercentage: 0 as never });
  });

  it('values an inactive opportunity by the price last known, also while the venue is silent', async () => {
    await using site = await openSite();
    quote(site, '0.45', '0.55');
    const id = await created(site, { active: false });
    site.desk.venue.answers = false;
    expect(await site.call('PUT', `${OPPORTUNITIES}/${id}?target_price=1.01`)).toMatchObject({
      status: 200,
      json: { target_price: 1.01, profit_percentage: 1, active: false, triggered: false },
    });
  });
});
