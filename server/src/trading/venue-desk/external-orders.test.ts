import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { type OrderLookup, type Venue, type VenueOrder, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { recordedBatch, start, until } from '../execution/runner/runner.fixture.ts';
import { externalOrders } from '../external-orders/table.ts';
import { followExternalOrders } from './external-orders.ts';

const THEIRS: VenueOrder = {
  orderHash: '0xtheirs',
  marketId: 'market-7',
  tokenId: '71',
  side: 'sell',
  price: priceFromText('0.62'),
  originalSize: sharesFromText('15'),
  matchedSize: SHARES_ZERO,
  status: 'open',
};

const CATALOGUE: Venue['catalogue'] = {
  searchMarkets: async () => ({ data: [], count: 0 }),
  searchLeftOut: async () => ({ data: [], count: 0 }),
  whyLeftOut: () => null,
  onCompared: () => {},
  readEvents: async function* () {},
  eventsById: async () => [],
  marketsById: async () => new Map([['market-7', MARKET as never]]),
};

const MARKET = { id: 'market-7', question: 'Will it rain?', outcomes: [{ outcome: 'Yes', tokenId: '71' }] };

describe('orders that were not placed here', () => {
  it('are shown and notified once each, and followed to their end', async () => {
    await using site = await openTestApp();
    const { test } = site;
    const { headers } = await site.signedIn();
    let open: VenueOrder[] | null = [THEIRS];
    let found: OrderLookup = { kind: 'unknown', reason: 'no answer' };
    const external = followExternalOrders(
      test.runtime,
      CATALOGUE,
      {
        name: 'polymarket',
        trading: {
          openOrders: async () => {
            if (open === null) throw new VenueUnavailable('down');
            return open;
          },
          lookupOrder: async () => found,
        },
      },
      { isOurs: () => true, onRevived: () => {} },
    );
    const listed = async (query = '') =>
      (await site.http.inject({ url: `${API_PREFIX}/external-orders${query}`, headers })).json();
    const alerts = () =>
      test.runtime.db.select().from(notifications).where(eq(notifications.notificationType, 'external_order'));

    await Promise.all([external.poll(), external.poll()]);
    const shown = {
      order_hash: '0xtheirs',
      token_id: '71',
      market_id: 'market-7',
      market_name: 'Will it rain?',
      outcome: 'Yes',
      side: 'sell',
      price: 0.62,
      size: 15,
      matched_size: 0,
      since: new Date(test.runtime.clock.now()).toISOString(),
      ended_at: null,
    };
    expect(await listed()).toEqual({ data: [shown], count: 1 });
    const [alert, ...more] = await alerts();
    expect(alert?.message).toMatch(/not placed here: sell 15 Yes of "Will it rain\?" at 0\.6200/);
    expect(more).toEqual([]);

    open = null;
    await external.poll();
    open = [];
    await external.poll();
    expect(await listed('?standing=true')).toEqual({ data: [shown], count: 1 });
    expect(await listed('?venue=polymarket')).toEqual({ data: [shown], count: 1 });
    expect(await listed('?venue=kalshi')).toEqual({ data: [], count: 0 });
    found = { kind: 'found', order: { ...THEIRS, matchedSize: sharesFromText('15'), status: 'matched' } };
    await external.pollOne('0xtheirs');
    expect((await listed('?standing=true')).count).toBe(0);
    expect((await listed('?standing=false')).data).toMatchObject([{ matched_size: 15, ended_at: shown.since }]);
    expect(await alerts()).toHaveLength(1);
    external.stop();
  });

  it('are none of those that were placed here', async () => {
    await using test = await openTestRuntime();
    const { venue, placing } = await start(test);
    const batchId = await recordedBatch(test, {}, ['101']);
    venue.onPost((order) => venue.take(order, sharesFromText('4')));
    placing.wake(batchId);
    const { attempts } = await until(test, batchId, ({ fills }) => fills.length === 1);
    const orderHash = attempts[0]?.orderHash ?? '';
    const external = followExternalOrders(
      test.runtime,
      CATALOGUE,
      {
        name: 'polymarket',
        trading: {
          openOrders: async () => [{ ...THEIRS, orderHash }],
          lookupOrder: async () => ({ kind: 'absent' }),
        },
      },
      { isOurs: () => true, onRevived: () => {} },
    );
    await external.poll();
    expect(await test.runtime.db.select().from(externalOrders)).toEqual([]);
    external.stop();
    await placing.stop();
  });
});
