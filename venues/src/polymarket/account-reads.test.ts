import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SignedOrder, UnreadableTrade, type Venue } from '../venue.ts';
import { openPolymarket } from './polymarket.ts';
import { openStandIn, type StandIn, TEST_KEY, TEST_RUNTIME, WIRE_MARKET, WIRE_TRADE } from './stand-in.fixture.ts';

const TRADE = { ...WIRE_TRADE, match_time: '1700000000' };
const UNREADABLE = { ...TRADE, id: 'trade-2', taker_order_id: '0xbb', size: 'many' };
const ORDER = { id: '0xcc', status: 'LIVE', asset_id: '71', side: 'BUY', price: '0.5', original_size: '10' };

let standIn: StandIn;
let venue: Venue;
let listed: object[];
let nowMs: number;

beforeEach(async () => {
  nowMs = 1_700_000_000_000;
  listed = [WIRE_MARKET];
  standIn = await openStandIn();
  standIn.answer('POST /auth/api-key', () => TEST_KEY);
  standIn.answer('GET /gamma/markets/keyset', ({ query }) => ({
    markets: query.get('closed') === 'true' ? [] : listed,
  }));
  standIn.answer('GET /data/orders', () => page(ORDER, { id: '0xdd', price: null }));
  standIn.answer('GET /data/trades', () => page(TRADE, UNREADABLE, { id: 'trade-3' }, 'nonsense'));
  const runtime = { ...TEST_RUNTIME, now: () => instantFromMs(nowMs) };
  venue = await openPolymarket({ ...standIn.config(), privateKey: `0x${'42'.repeat(32)}` }, runtime);
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

const page = (...data: unknown[]) => ({ limit: 100, count: data.length, next_cursor: 'LTE=', data });

function trading() {
  if (venue.trading === null) throw new Error('the venue trades');
  return venue.trading;
}

it('reads the fills of an order beside trades that cannot be read, and of their order says which trade it is', async () => {
  expect(await trading().fillsOfOrder('0xaa', '0x1', null)).toMatchObject([{ tradeId: 'trade-1', fee: 100_000 }]);
  const unreadable = trading().fillsOfOrder('0xbb', '0x1', null);
  await expect(unreadable).rejects.toBeInstanceOf(UnreadableTrade);
  await expect(unreadable).rejects.toMatchObject({ tradeId: 'trade-2' });
});

it('reads all fills that can be read, and names our orders in the others', async () => {
  const { fills, unreadable } = await trading().fillsSince(instantFromMs(1_600_000_000_000));
  expect(fills.map(({ orderHash }) => orderHash)).toEqual(['0xaa']);
  expect(unreadable).toContain('0xbb');
});

it('finds an order by its trades though others cannot be read', async () => {
  standIn.answer('GET /data/order/0xaa', () => 404);
  expect(await trading().lookupOrder('0xaa', '0x1')).toMatchObject({ kind: 'found', byTradesOnly: true });
  standIn.answer('GET /data/order/0xee', () => 404);
  expect(await trading().lookupOrder('0xee', '0x1')).toEqual({ kind: 'absent' });
});

it('reads no page a second time when the pages of the venue lead in a circle', async () => {
  let asked = 0;
  standIn.answer('GET /data/trades', ({ query }) => {
    asked += 1;
    return { ...page(TRADE), next_cursor: query.get('next_cursor') === 'Mg==' ? 'Mw==' : 'Mg==' };
  });
  await expect(trading().fillsOfOrder('0xaa', '0x1', null)).rejects.toThrow('the pages of /data/trades do not move on');
  expect(asked).toBe(3);
});

it('lists the open orders that can be read', async () => {
  expect((await trading().openOrders()).map(({ orderHash }) => orderHash)).toEqual(['0xcc']);
});

it('books the fee rate of when the order was placed, whatever the market takes by now', async () => {
  listed = [{ ...WIRE_MARKET, feeSchedule: { rate: 0.07, exponent: 1 } }];
  expect(await trading().fillsOfOrder('0xaa', '0x1', fractionFromText('0.03'))).toMatchObject([{ fee: 75_000 }]);
  expect(await trading().fillsOfOrder('0xaa', '0x1', null)).toMatchObject([{ fee: 175_000 }]);
});

it('reads fills of a market that is not listed any more by what was known of it, and of an unknown one by the fee rate of the order', async () => {
  expect((await venue.catalogue.marketsById(['0x1'])).size).toBe(1);
  listed = [];
  nowMs += 3_600_000;
  expect((await venue.catalogue.marketsById(['0x1'])).size).toBe(0);
  expect(await trading().fillsOfOrder('0xaa', '0x1', null)).toMatchObject([{ fee: 100_000 }]);
  standIn.answer('GET /data/trades', () => page({ ...TRADE, market: '0x2' }));
  expect(await trading().fillsOfOrder('0xaa', '0x2', fractionFromText('0.02'))).toMatchObject([{ fee: 50_000 }]);
});

it('counts each trade that cannot be read once, however often it comes', async () => {
  expect(trading().unreadableTrades()).toBe(0);
  await expect(trading().fillsOfOrder('0xbb', '0x1', null)).rejects.toBeInstanceOf(UnreadableTrade);
  expect(trading().unreadableTrades()).toBe(1);
  for (let round = 0; round < 2; round += 1) await trading().fillsSince(instantFromMs(1_600_000_000_000));
  expect(trading().unreadableTrades()).toBe(3);
});

/** Of ten shares at 50 cents. */
async function signedOrder(): Promise<SignedOrder> {
  const market = (await venue.catalogue.marketsById(['0x1'])).get('0x1');
  if (market === undefined) throw new Error('the venue lists the market');
  return await trading().signOrder({
    tokenId: '71',
    market,
    side: 'buy',
    price: priceFromText('0.5'),
    size: sharesFromText('10'),
    remainder: 'rest',
  });
}

it('takes the word “Duplicated” for the proof that it has the order, also where it does not show it', async () => {
  standIn.answer('GET /data/orders', () => page());
  standIn.answer('GET /data/trades', () => page());
  const signed = await signedOrder();
  const { orderHash } = signed;
  const duplicated = { success: true, orderID: '', errorMsg: `order ${orderHash} is invalid. Duplicated.` };
  standIn.answer('POST /orders', () => [duplicated]);
  standIn.answer('POST /order', () => duplicated);
  standIn.answer(`GET /data/order/${orderHash}`, () => 404);
  expect(await trading().postOrders([signed])).toEqual([{ kind: 'accepted', orderHash, status: 'open' }]);
});

it('takes it so too of the order that it names when it refuses a call of several, and knows nothing of the others', async () => {
  standIn.answer('GET /data/orders', () => page());
  standIn.answer('GET /data/trades', () => page());
  const [first, second] = [await signedOrder(), await signedOrder()];
  const error = `order ${first.orderHash} is invalid. Duplicated.`;
  standIn.answer('POST /orders', () => Response.json({ error }, { status: 400 }));
  standIn.answer(`GET /data/order/${first.orderHash}`, () => 404);
  expect(await trading().postOrders([first, second])).toEqual([
    { kind: 'accepted', orderHash: first.orderHash, status: 'open' },
    { kind: 'unknown', reason: error },
  ]);
});
