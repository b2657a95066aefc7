import { marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { exclusiveOf, memberOf } from '@dutchbook/engine/relation/catalogue-event.fixture.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { expect, it } from 'vitest';
import { boughtBatch } from '../../trading/chain-steps/chain.fixture.ts';
import { openExitSite } from './exits.fixture.ts';

it('shows for what is held of an event what its contract makes of the members together, while the venue says so', async () => {
  await using site = await openExitSite();
  const names = ['red', 'green', 'blue'];
  const event = { id: 'cup', title: 'Cup', negRisk: true, augmented: false, marketIds: names };
  const markets = names.map((name) => marketOf(name, { event, negRisk: true }));
  for (const market of markets) {
    site.markets.set(market.id, market);
    site.chain.shares.set(market.outcomes[1]?.tokenId ?? '', sharesFromText('10'));
  }
  const tokenIds = (name: string) => ({ tokenIds: [`${name}-yes`, `${name}-no`] });
  site.events.push(
    exclusiveOf(
      names.map((name) => memberOf(name, tokenIds(name))),
      { id: 'cup' },
    ),
  );
  await boughtBatch(
    site.test,
    markets.map((market) => ({ market, outcome: 1 as const, shares: '10', cost: '6' })),
  );
  site.chain.feeBips = async () => 0;
  const ways = async () => (await site.call('GET', '/portfolio')).body;
  expect(await ways()).toMatchObject({
    events: [
      {
        event_id: 'cup',
        routes: {
          sell: { net_usd: 0 },
          cash_now: { net_usd: 20, steps: [{ kind: 'convert', market_ids: names }] },
          hold: { net_usd: 0, held_least_usd: 20 },
        },
      },
    ],
  });
  site.chain.feeBips = async () => {
    throw new VenueUnavailable('no node answers');
  };
  await site.test.time.advance(2000);
  expect(await ways()).toMatchObject({
    events: [{ routes: { cash_now: { net_usd: 0 }, hold: { held_least_usd: 20 } } }],
    venue_error: 'The venue did not answer: no node answers.',
  });
});
