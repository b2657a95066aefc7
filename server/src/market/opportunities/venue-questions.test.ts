import { describe, expect, it } from 'vitest';
import { openSite, type Site } from './routes.fixture.ts';

const QUESTIONS_PER_MINUTE = 240;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const OPPORTUNITIES = '/arbitrage/opportunities';

/** Opportunities that no engine follows, each over a market of its own. */
async function unfollowed(site: Site, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    site.desk.venue.list(`quiet-${nth}`);
    site.desk.venue.setBooks({ [`quiet-${nth}:yes`]: { asks: [['0.45', '500']] } });
    ids.push((await site.desk.add([`quiet-${nth} Yes`], { active: false })).id);
  }
  return ids;
}

async function ask(site: Site, times: number): Promise<void> {
  for (let nth = 0; nth < times; nth += 1) {
    expect(await site.call('POST', `/arbitrage/check/${NOBODY}`)).toMatchObject({ status: 404 });
  }
}

const tooOften = { status: 429, json: { detail: 'You have asked the venue too often. Try again in 60 s.' } };

describe('opening opportunities', () => {
  it('counts with what a user asks of the venue, unless the feed has the prices', async () => {
    await using site = await openSite({ RATE_LIMIT: 'on' });
    const [first = '', second = ''] = await unfollowed(site, 2);
    await ask(site, QUESTIONS_PER_MINUTE - 1);
    const opened = await site.call('GET', `${OPPORTUNITIES}/${first}`);
    expect(opened).toMatchObject({ status: 200, json: { positions: [{ price: 0.45 }] } });
    expect(await site.call('POST', `/arbitrage/check/${NOBODY}`)).toMatchObject(tooOften);
    site.desk.venue.calls.length = 0;
    expect(await site.call('GET', `${OPPORTUNITIES}/${second}`)).toMatchObject(tooOften);
    expect(site.desk.venue.calls).toEqual([]);
    await site.desk.test.time.advance(3000);
    const again = await site.call('GET', `${OPPORTUNITIES}/${first}`);
    expect(again).toMatchObject({ status: 200, json: { positions: [{ price: 0.45 }] } });
  });
});

describe('creating and editing opportunities', () => {
  it('count so too, and are done and answered all the same by one who may ask no more', async () => {
    await using site = await openSite({ RATE_LIMIT: 'on' });
    const [quiet = ''] = await unfollowed(site, 1);
    for (const id of ['rain', 'snow']) {
      site.desk.venue.list(id);
      site.desk.venue.setBooks({ [`${id}:yes`]: { asks: [['0.45', '500']] } });
    }
    const create = (id: string) =>
      site.call('POST', OPPORTUNITIES, {
        market_combinations: [{ leg: 1, markets: [{ id, outcome: 'Yes' }] }],
        active: false,
      });
    await ask(site, QUESTIONS_PER_MINUTE - 1);
    expect(await create('rain')).toMatchObject({ status: 200, json: { current_price: 0.45 } });
    site.desk.venue.calls.length = 0;
    const unpriced = { status: 200, json: { current_price: null, last_error: null } };
    expect(await create('snow')).toMatchObject(unpriced);
    expect(await site.call('PUT', `${OPPORTUNITIES}/${quiet}`, { target_price: 0.9 })).toMatchObject({
      ...unpriced,
      json: { target_price: 0.9, positions: [{ price: null }] },
    });
    expect(site.desk.venue.calls).not.toContain('fetchBooks');
    await site.desk.test.time.leap(61_000);
    expect(await site.call('POST', `/arbitrage/check/${quiet}`)).toMatchObject({ status: 200 });
  });
});
