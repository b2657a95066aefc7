import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import { describe, expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask } from '../../platform/http/ask.fixture.ts';
import { cupOf } from './discovery.fixture.ts';
import { keepEvents } from './keep-events.ts';
import { registerMarketRules } from './market-rules.ts';

const later = cupOf(['d'], { id: 'later', slug: 'a-later-cup', title: 'A later cup' });

/** A cup that discovery has stored, and one that only the venue knows. */
async function openRules(variables: Record<string, string> = {}) {
  const served = await openTestApp({ variables });
  const asked: string[] = [];
  const catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById' | 'pageOf'> = {
    marketsById: async (ids) => {
      asked.push(...ids);
      return new Map(ids.filter((id) => id === 'd').map((id) => [id, { id, event: { id: later.id } } as never]));
    },
    eventsById: async () => [later],
    pageOf: (event, member) => `https://venue.example/${event.slug}/${member.slug}`,
  };
  registerMarketRules(served.app, served.test.runtime, catalogue);
  await keepEvents(served.test.runtime, [cupOf(['a', 'b', 'c'])], 1);
  const { headers } = await served.signedIn();
  return { served, headers, asked };
}

describe('the rules of markets', () => {
  it('come from the catalogue, from the venue where that lacks a market, and not of one that neither knows', async () => {
    const { served, headers, asked } = await openRules();
    await using _ = served;
    const [status, body] = await ask(served, headers, 'GET', '/markets/rules?market_ids=b,d,unlisted,b');
    expect(status).toBe(200);
    const { data } = body as { data: { market_id: string; rules: string; page: string | null }[] };
    expect(data.map(({ market_id }) => market_id)).toEqual(['b', 'd']);
    expect(data.every(({ rules }) => rules.length > 0)).toBe(true);
    expect(data.map(({ page }) => page)).toEqual([
      'https://venue.example/the-cup/slug-b',
      'https://venue.example/a-later-cup/slug-d',
    ]);
    expect(asked).toEqual(['d', 'unlisted']);
    await ask(served, headers, 'GET', '/markets/rules?market_ids=a,b,c');
    expect(asked).toEqual(['d', 'unlisted']);
  });

  it('have no page on the simulated exchange, which has none', async () => {
    const { served, headers } = await openRules({ VENUE: 'simulated' });
    await using _ = served;
    const reply = await ask(served, headers, 'GET', '/markets/rules?market_ids=a');
    expect(reply).toMatchObject([200, { data: [{ market_id: 'a', page: null }] }]);
  });

  it('are asked for by ids, fifty at most', async () => {
    const { served, headers } = await openRules();
    await using _ = served;
    for (const ids of ['', 'a,,b', Array.from({ length: 51 }, (_, nth) => `m${nth}`).join(',')])
      expect(await ask(served, headers, 'GET', `/markets/rules?market_ids=${ids}`)).toMatchObject([422, {}]);
  });
});
