/** Sales that wait in the book at their price: placed, filled as it is proven, canceled, ended by their time and by disarming. */
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO, type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { notional, USD_ZERO } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { recordOpportunity } from '../execution/runner/half-bought.fixture.ts';
import { pass } from '../execution/runner/runner.fixture.ts';
import { disarm } from '../trading-controls/arming.ts';
import { openTradingControls } from '../trading-controls/controls.ts';
import { openSellingSite, type SellingSite } from './selling.fixture.ts';
import { batchSignedOff } from './signed-off.ts';

type Order = { id: string; side: string; status: string; filled_size: number; sold_size: number };

const ordersOf = async (site: SellingSite, batchId: string) =>
  (await site.call('GET', `/arbitrage/batches/${batchId}/orders`)).body.data as Order[];

const inMinutes = (site: SellingSite, minutes: number) =>
  instantToIso((site.test.runtime.clock.now() + minutes * 60_000) as Instant);

/** A batch of ten shares of each token, or of so many, bids of 0.45, and a venue that lets what comes now rest. */
async function openHolding(filled?: readonly string[]) {
  const site = await openSellingSite();
  const batchId = await site.bought(filled);
  for (const token of ['101', '102']) site.bid(token, ['0.45', '50']);
  site.venue.onPost((order) => site.venue.take(order, SHARES_ZERO));
  const [first] = await ordersOf(site, batchId);
  if (first === undefined) throw new Error('the batch has no orders');
  const wait = (query: string, key?: string) =>
    site.call('POST', `/arbitrage/sell-order/${first.id}?wait=true&${query}`, key === undefined ? {} : { key });
  return { site, batchId, first, wait };
}

const restingAt = ({ venue }: SellingSite) =>
  [...venue.orders].filter(([, { request, status }]) => request.side === 'sell' && status === 'open');

/** What was said of sales that wait no longer, each once. */
async function said({ test }: SellingSite): Promise<string[]> {
  const { notificationType, message } = notifications;
  const rows = await test.runtime.db.select({ message }).from(notifications).where(eq(notificationType, 'sale_ended'));
  return rows.map((row) => row.message.replace(/^.*sale that waited has ended: /, ''));
}

/** Another trader buys so many of the shares that rest. */
function fill(site: SellingSite, shares: string): void {
  const [resting] = restingAt(site);
  if (resting === undefined) throw new Error('no sale rests');
  const [orderHash, held] = resting;
  const { tokenId, side, price, size: all } = held.request;
  const size = sharesFromText(shares);
  held.fills.push({
    ...{ tradeId: `trade ${held.fills.length}`, orderHash, tokenId, side, price, size, settlement: 'confirmed' },
    ...{ cost: notional(size, price, 'down'), fee: USD_ZERO, matchedAt: site.test.runtime.clock.now() },
  });
  const filled = held.fills.reduce((sum, each) => sum + each.size, 0) as Shares;
  if (filled === all) held.status = 'matched';
  for (const each of held.fills) site.venue.user().onFill({ ...each });
}

describe('a sale that waits', () => {
  it('keeps the set of its batch from being finished, also by a sign-off that was asked for before', async () => {
    const { site, batchId, wait } = await openHolding(['10', '4']);
    await using _ = site;
    const { runtime } = site.test;
    await recordOpportunity(site.test, batchId);
    const call = { batch_id: batchId, up_to_usd: 9, finish_up_to_usd: 3 };
    const effect = await batchSignedOff({ runtime } as Parameters<typeof batchSignedOff>[0])({ call } as never);
    expect((await wait(`sell_price=0.6&wait_until=${inMinutes(site, 60)}`)).status).toBe(200);
    const posted = site.venue.posted.length;
    const by = { user: { id: runtime.random.uuid() }, actor: { id: null, email: null, address: null } };
    await expect(runtime.db.transaction((tx) => effect.carryOut(tx, by as never))).rejects.toThrow(
      /cannot be finished: shares of it are being sold/,
    );
    await pass(site.test, 60_000);
    expect(site.venue.posted).toHaveLength(posted);
    expect((await site.call('GET', `/arbitrage/batches/${batchId}`)).body).toMatchObject({
      status: 'partial_completed',
    });
  });

  it('rests above the bids as post-only until its time, once, holds its shares, and is filled as the venue reports', async () => {
    const { site, batchId, first, wait } = await openHolding();
    await using _ = site;
    const until = inMinutes(site, 60);
    const query = `sell_price=0.6&wait_until=${until}`;
    const [placed, again] = await Promise.all([wait(query, 'wait'), wait(query, 'wait')]);
    expect(placed).toMatchObject({
      status: 200,
      body: {
        side: 'sell',
        status: 'open',
        size: 10,
        price: 0.6,
        filled_size: 0,
        sells_order_id: first.id,
        error: null,
      },
    });
    expect(placed.body.waiting).toEqual({ until, cancel_requested_at: null, cancel_reason: null });
    expect(again.body.id).toBe(placed.body.id);
    const [[, { request } = { request: null }] = []] = restingAt(site);
    expect(request).toMatchObject({ remainder: 'rest', postOnly: true });
    expect(instantToIso(request?.expiresAt as Instant)).toBe(until);

    await pass(site.test, 20_000);
    expect(restingAt(site)).toHaveLength(1);
    const { holdings } = (await site.call('GET', '/portfolio')).body as { holdings: object[] };
    expect(holdings).toContainEqual(expect.objectContaining({ token_id: '101', shares: 10, in_sale_shares: 10 }));
    expect(await wait('sell_price=0.7')).toMatchObject({
      status: 409,
      body: { detail: 'The order is filled and cannot be sold: its shares are being sold.' },
    });

    fill(site, '4');
    await pass(site.test, 3000);
    const sale = async () => (await site.call('GET', `/arbitrage/orders/${placed.body.id}`)).body;
    expect(await sale()).toMatchObject({ status: 'partially_filled', filled_size: 4, average_price: 0.6 });
    expect((await ordersOf(site, batchId))[0]).toMatchObject({ sold_size: 4 });
    expect(await said(site)).toEqual([]);
    fill(site, '6');
    await pass(site.test, 3000);
    expect(await sale()).toMatchObject({ status: 'filled', filled_size: 10 });
    expect((await ordersOf(site, batchId))[0]).toMatchObject({ sold_size: 10 });
    expect(await said(site)).toEqual([expect.stringMatching(/^10 of 10 shares sold, Yes of ".+" at 0\.6000$/)]);
    expect(site.venue.posted).toHaveLength(3);
    expect(await site.call('POST', `/arbitrage/orders/${placed.body.id}/cancel`)).toMatchObject({
      status: 409,
      body: { detail: 'The order is filled and cannot be canceled: it has ended.' },
    });
    expect(await site.actions()).toEqual([['order.sold', first.id]]);
  });

  it('is taken off the book by Cancel, keeps what it sold, and its shares can be sold at once', async () => {
    const { site, first, wait } = await openHolding();
    await using _ = site;
    const placed = await wait('sell_price=0.6');
    expect(placed.body.waiting).toMatchObject({ until: null });
    fill(site, '4');
    await pass(site.test, 3000);
    const cancel = () => site.call('POST', `/arbitrage/orders/${placed.body.id}/cancel`);
    const canceled = await cancel();
    expect(canceled).toMatchObject({
      status: 200,
      body: { status: 'partially_filled', filled_size: 4, waiting: { cancel_reason: 'canceled' } },
    });
    expect(restingAt(site)).toEqual([]);
    expect(await said(site)).toEqual([expect.stringMatching(/^4 of 10 shares sold, .+, because it was canceled$/)]);
    expect((await cancel()).status).toBe(409);
    expect(await site.call('POST', `/arbitrage/orders/${first.id}/cancel`)).toMatchObject({
      status: 409,
      body: { detail: 'An order that buys is canceled with its batch.' },
    });
    site.venue.onPost((order) => site.venue.take(order));
    expect((await site.call('POST', `/arbitrage/sell-order/${first.id}`)).body).toMatchObject({
      size: 6,
      filled_size: 6,
    });
    expect((await site.actions()).map(([action]) => action)).toEqual(['order.sold', 'order.canceled', 'order.sold']);
  });

  it('is taken off at its time where the venue has not done so itself', async () => {
    const { site, batchId, wait } = await openHolding();
    await using _ = site;
    const { body } = await wait(`sell_price=0.6&wait_until=${inMinutes(site, 6)}`);
    await pass(site.test, 355_000);
    expect(restingAt(site)).toHaveLength(1);
    await pass(site.test, 10_000);
    expect(restingAt(site)).toEqual([]);
    const sale = (await ordersOf(site, batchId)).find(({ id }) => id === body.id);
    expect(sale).toMatchObject({ status: 'canceled', waiting: { cancel_reason: null } });
    expect(await said(site)).toEqual([
      expect.stringMatching(/^0 of 10 shares sold, .+, because its time limit passed$/),
    ]);
  });

  it('is taken off by disarming, and none is placed while trading is disarmed', async () => {
    const { site, batchId, wait } = await openHolding();
    await using _ = site;
    const { body } = await wait('sell_price=0.6');
    const { runtime } = site.test;
    const elsewhere = await openTradingControls(runtime, 'polymarket');
    elsewhere.stop();
    const actor = { id: null, email: 'ada@example.com', address: '127.0.0.1' };
    await disarm(runtime, [elsewhere], { actor });
    await pass(site.test, 5000);
    expect(restingAt(site)).toEqual([]);
    const sale = (await ordersOf(site, batchId)).find(({ id }) => id === body.id);
    expect(sale).toMatchObject({ status: 'canceled', waiting: { cancel_reason: 'disarmed' } });
    expect(await said(site)).toEqual([
      expect.stringMatching(/^0 of 10 shares sold, .+, because trading was disarmed$/),
    ]);
    expect(await wait('sell_price=0.6')).toMatchObject({ status: 409, body: { detail: 'Trading is disarmed.' } });
    expect(site.venue.posted).toHaveLength(3);
  });

  it('is taken off by a process that is halted alone', async () => {
    const { site, batchId, wait } = await openHolding();
    await using _ = site;
    await wait('sell_price=0.6');
    site.controls.halt();
    await pass(site.test, 5000);
    expect(restingAt(site)).toEqual([]);
    expect((await ordersOf(site, batchId)).at(-1)).toMatchObject({ waiting: { cancel_reason: 'disarmed' } });
  });

  it('ends where the venue refuses it because the bids have come up to its price', async () => {
    const { site, wait } = await openHolding();
    await using _ = site;
    site.venue.onPost(() => ({ kind: 'rejected', reason: 'order crosses book' }));
    expect((await wait('sell_price=0.6')).body).toMatchObject({ status: 'rejected', error: 'order crosses book' });
    site.venue.onPost((order) => site.venue.take(order, SHARES_ZERO));
    expect((await wait('sell_price=0.6')).body).toMatchObject({ status: 'open' });
  });

  it('is refused without a price, for too short or too long, where a bid reaches it, and for a practice batch', async () => {
    const { site, wait } = await openHolding();
    await using _ = site;
    const refused = async (query: string) => (await wait(query)).body.detail;
    expect(await refused('')).toBe('A sale that waits needs a price.');
    expect(await refused(`sell_price=0.6&wait_until=${inMinutes(site, 1)}`)).toBe(
      'A sale waits for at least 5 minutes.',
    );
    expect(await refused(`sell_price=0.6&wait_until=${inMinutes(site, 31 * 1440)}`)).toBe(
      'A sale waits for at most 30 days.',
    );
    expect(await refused('sell_price=0.45')).toBe(
      'Leg 1 (Yes, "Market 101"): a bid of 0.45 reaches 0.45 now: sell at once instead.',
    );
    site.venue.onPost((order) => site.venue.take(order));
    const practice = await site.bought([], { simulated: true });
    const [own] = await ordersOf(site, practice);
    expect(await site.call('POST', `/arbitrage/sell-order/${own?.id}?wait=true&sell_price=0.6`)).toMatchObject({
      status: 409,
      body: { detail: 'A practice batch sells at the bids: nothing of it rests at the venue.' },
    });
  });
});
