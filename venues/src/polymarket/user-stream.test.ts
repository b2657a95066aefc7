import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../conformance/journal.ts';
import type { Venue, VenueFill, VenueOrder } from '../venue.ts';
import { openPolymarket } from './polymarket.ts';
import { openStandIn, type StandIn, TEST_KEY, TEST_RUNTIME, WIRE_MARKET, WIRE_TRADE } from './stand-in.fixture.ts';

const ORDER = {
  event_type: 'order',
  type: 'PLACEMENT',
  id: '0xaa',
  asset_id: '71',
  side: 'BUY',
  price: '0.5',
  original_size: '10',
  size_matched: '0',
  status: 'LIVE',
};
const TRADE = { ...WIRE_TRADE, event_type: 'trade', type: 'TRADE', matchtime: '1700000000' };

let standIn: StandIn;
let venue: Venue;
let journal: Journal;
let orders: VenueOrder[];
let fills: VenueFill[];
let reconnects: number;

beforeEach(async () => {
  standIn = await openStandIn();
  standIn.answer('POST /auth/api-key', () => TEST_KEY);
  standIn.answer('GET /gamma/markets/keyset', () => ({ markets: [WIRE_MARKET] }));
  venue = await openPolymarket({ ...standIn.config(), privateKey: `0x${'42'.repeat(32)}` }, TEST_RUNTIME);
  journal = new Journal();
  [orders, fills, reconnects] = [[], [], 0];
  venue.openUserStream({
    onOrder: (order) => journal.add(() => orders.push(order)),
    onFill: (fill) => journal.add(() => fills.push(fill)),
    onReconnect: () =>
      journal.add(() => {
        reconnects += 1;
      }),
  });
  await journal.until('the login', () => standIn.said.length > 0);
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

describe('the user stream', () => {
  it('shows its credentials once, in the first frame', () => {
    expect(standIn.said.map((text) => JSON.parse(text))).toEqual([{ type: 'user', auth: TEST_KEY }]);
  });

  it('tells orders and fills in the order they came, with the fee of the market', async () => {
    standIn.send([TRADE, ORDER]);
    await journal.until('both', () => orders.length === 1 && fills.length === 1);
    expect(orders[0]).toMatchObject({ orderHash: '0xaa', status: 'open', originalSize: 10_000_000, matchedSize: 0 });
    expect(fills[0]).toMatchObject({ tradeId: 'trade-1', orderHash: '0xaa', fee: 100_000, settlement: 'matched' });
    expect(fills[0]?.matchedAt).toBe(1_700_000_000_000);
  });

  it('reads a killed order, which comes with empty amounts', async () => {
    standIn.send({ ...ORDER, type: 'CANCELLATION', status: '', size_matched: '', original_size: '' });
    await journal.until('the cancel', () => orders.length === 1);
    expect(orders[0]).toMatchObject({ status: 'canceled', matchedSize: 0 });
  });

  it('passes over what it cannot read and goes on', async () => {
    standIn.send({ event_type: 'trade', id: 'no more than that' });
    standIn.send('[');
    standIn.send({ event_type: 'surprise' });
    standIn.send(ORDER);
    await journal.until('the order', () => orders.length === 1);
    expect(fills).toEqual([]);
  });

  it('gets another key when the venue has forgotten the one we have', async () => {
    const second = { ...TEST_KEY, apiKey: 'second-key-of-the-test' };
    standIn.answer('POST /auth/api-key', () => second);
    standIn.answer('GET /data/orders', ({ headers }) =>
      headers.poly_api_key === second.apiKey ? { data: [], next_cursor: 'LTE=' } : 401,
    );
    await expect(venue.trading?.openOrders()).rejects.toThrow('401');
    let isOpen = false;
    await journal.until('the orders can be read', () => {
      void venue.trading?.openOrders().then(
        () => {
          isOpen = true;
        },
        () => undefined,
      );
      return isOpen;
    });
    standIn.dropConnections();
    await journal.until('the second login', () => standIn.said.length === 2);
    expect(JSON.parse(standIn.said[1] ?? '')).toEqual({ type: 'user', auth: second });
  });

  it('says after a gap that everything must be read once', async () => {
    expect(reconnects).toBe(0);
    standIn.dropConnections();
    await journal.until('the reconnect', () => reconnects === 1);
    await journal.until('the second login', () => standIn.said.length === 2);
  });
});

describe('opening the venue', () => {
  it('does not wait for a venue that is down, places nothing meanwhile, and gets its key when it is up', async () => {
    let isUp = false;
    standIn.answer('POST /auth/api-key', () => (isUp ? 400 : 503));
    standIn.answer('GET /auth/derive-api-key', () => (isUp ? TEST_KEY : 503));
    standIn.answer('GET /balance-allowance', () => ({ balance: '5000000' }));
    standIn.answer('GET /data/orders', () => ({ data: [], next_cursor: 'LTE=' }));
    const late = await openPolymarket({ ...standIn.config(), privateKey: `0x${'43'.repeat(32)}` }, TEST_RUNTIME);
    const { trading } = late;
    await expect(trading?.cashBalance()).rejects.toThrow('has not given us an API key yet');
    const outcomes = await trading?.postOrders([{ orderHash: '0xaa', salt: '1', payload: '{}' }]);
    expect(outcomes?.[0]?.kind).toBe('rejected');
    isUp = true;
    let balance = 0;
    await journal.until('the balance', () => {
      void trading?.cashBalance().then(
        ({ cash }) => {
          balance = cash;
        },
        () => undefined,
      );
      return balance === 5_000_000;
    });
    await late.close();
  });
});
