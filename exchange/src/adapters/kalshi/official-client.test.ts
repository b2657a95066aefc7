import { readFileSync } from 'node:fs';
import axios from 'axios';
import { Configuration, ExchangeApi } from 'kalshi-typescript';
import { describe, expect, it } from 'vitest';
import { client, control, LIMIT, privatePem, quoted, urlOf, useExchange } from './official-client.fixture.ts';

useExchange();

describe('the official TypeScript client 3.30.0 on the simulated Kalshi', () => {
  it('reads status, events page by page with their markets, and books', async () => {
    const { exchange: venue, events, markets } = client();
    const status = (await venue.getExchangeStatus()).data;
    expect(status.exchange_active && status.trading_active).toBe(true);
    expect(status.exchange_index_statuses?.map(({ exchange_index }) => exchange_index)).toEqual([0, 1, 2, 3]);
    const found = [];
    let cursor: string | undefined;
    do {
      const page = (await events.getEvents(5, cursor, true)).data;
      expect(page.events.length).toBeLessThanOrEqual(5);
      found.push(...page.events);
      cursor = page.cursor;
    } while (cursor !== '');
    const inEvents = found.flatMap((event) => event.markets ?? []);
    expect(new Set(inEvents.map(({ ticker }) => ticker)).size).toBe(inEvents.length);
    expect((await markets.getMarkets(1000)).data.markets.map(({ ticker }) => ticker).sort()).toEqual(
      inEvents.map(({ ticker }) => ticker).sort(),
    );
    const ticker = await quoted(
      'KXHIGHMARK',
      [['0.42', '5']],
      [
        ['0.55', '3'],
        ['0.6', '7'],
      ],
    );
    const book = (await markets.getMarketOrderbook(ticker)).data.orderbook_fp;
    expect(book).toEqual({
      yes_dollars: [['0.4200', '5.00']],
      no_dollars: [
        ['0.4000', '7.00'],
        ['0.4500', '3.00'],
      ],
    });
  });

  it('places, reads, cancels and finds fills, positions and cash of each shard', async () => {
    const { orders, portfolio } = client();
    const ticker = await quoted('KXAURORAGAME', [], [['0.5', '4']]);
    const { data: placed, status } = await orders.createOrderV2({
      ...{ ticker, client_order_id: 'first-1', side: 'bid', count: '10', price: '0.5000' },
      ...LIMIT,
    });
    expect([status, placed.client_order_id, placed.fill_count, placed.remaining_count]).toEqual([
      201,
      'first-1',
      '4.00',
      '6.00',
    ]);
    const { order } = (await orders.getOrder(placed.order_id)).data;
    expect([order.status, order.book_side, order.fill_count_fp]).toEqual(['resting', 'bid', '4.00']);
    const { fills } = (await portfolio.getFills(ticker)).data;
    expect(fills.map(({ count_fp, is_taker, fee_cost }) => [count_fp, is_taker, fee_cost])).toEqual([
      ['4.00', true, '0.0700'],
    ]);
    const [position] = (await portfolio.getPositions(undefined, undefined, undefined, ticker)).data.market_positions;
    expect(position?.position_fp).toBe('4.00');
    const balance = (await portfolio.getBalance()).data;
    const shard = balance.balance_breakdown?.find(({ exchange_index }) => exchange_index === 3);
    expect(shard?.balance).toBe('2494.89375');
    await expect(orders.cancelOrderV2(placed.order_id)).rejects.toMatchObject({ response: { status: 404 } });
    const canceled = await orders.cancelOrderV2(placed.order_id, undefined, undefined, ticker);
    expect(canceled.data.reduced_by).toBe('6.00');
  });

  it('is refused in the words of the venue, and a name is spent by whatever was sent under it', async () => {
    const { orders } = client();
    const ticker = await quoted('KXHIGHMARK', [], [['0.5', '4']]);
    const send = (name: string, of: object) =>
      orders
        .createOrderV2({ ticker, client_order_id: name, side: 'bid', count: '10', price: '0.5000', ...LIMIT, ...of })
        .then(
          ({ data }) => data.fill_count,
          ({ response }) => `${response.status} ${response.data.error.code}`,
        );
    const kill = { time_in_force: 'fill_or_kill' };
    expect(await send('killed', kill)).toBe('409 fill_or_kill_insufficient_resting_volume');
    expect(await send('killed', kill)).toBe('409 order_already_exists');
    expect(await send('off-grid', { price: '0.5050' })).toBe('400 invalid_price');
    expect(await send('a.dot', {})).toBe('400 invalid_parameters');
    expect(await send('rich', { count: '100000' })).toBe('400 insufficient_balance');
    await control('halt', { ticker });
    expect(await send('halted', {})).toBe('409 trading_is_paused');
    await control('reopen', { ticker });
    await control('shard', { shard: 0, trading_active: false });
    expect(await send('paused', {})).toBe('409 exchange_is_paused');
    await control('shard', { shard: 0, trading_active: true });
    expect(await send('now', {})).toBe('4.00');
  });

  it('amends and decreases an order that stands: it keeps its place only where it gets smaller, as its place in the queue shows', async () => {
    const { orders, portfolio } = client();
    const ticker = await quoted('KXAURORAGAME', [['0.4', '5']], [['0.6', '4']]);
    const place = async (name: string, count: string, price: string) =>
      (await orders.createOrderV2({ ticker, client_order_id: name, side: 'bid', count, price, ...LIMIT })).data
        .order_id;
    const [first, second] = [await place('first', '10', '0.5'), await place('second', '3', '0.5')];
    const last = await place('last', '1', '0.4');
    const positions = async () => {
      const { queue_positions } = (await orders.getOrderQueuePositions(ticker)).data;
      return queue_positions.map(({ order_id, market_ticker, queue_position_fp }) => {
        expect(market_ticker).toBe(ticker);
        return [order_id, queue_position_fp];
      });
    };
    expect(await positions()).toEqual([
      [first, '0.00'],
      [second, '10.00'],
      [last, '18.00'],
    ]);
    expect((await orders.getOrderQueuePosition(second)).data).toEqual({ queue_position_fp: '10.00' });
    const amend = (id: string, of: object) =>
      orders.amendOrderV2(id, { ticker, side: 'bid', price: '0.5000', count: '10', ...of }).then(
        ({ data, status }) => [status, data.fill_count, data.remaining_count, data.client_order_id],
        ({ response }) => `${response.status} ${(response.data.error ?? response.data).code}`,
      );
    expect(await amend(first, { count: '6' })).toEqual([200, '0.00', '6.00', 'first']);
    const decrease = (id: string, of: object) =>
      orders.decreaseOrderV2(id, { market_ticker: ticker, ...of }).then(
        ({ data }) => data.remaining_count,
        ({ response }) => `${response.status} ${(response.data.error ?? response.data).code}`,
      );
    expect(await decrease(first, { reduce_by: '1.5' })).toBe('4.50');
    expect((await positions()).map(([, ahead]) => ahead)).toEqual(['0.00', '4.50', '12.50']);
    expect(await amend(first, { count: '8', updated_client_order_id: 'renamed' })).toEqual([
      200,
      '0.00',
      '8.00',
      'renamed',
    ]);
    expect(await positions()).toEqual([
      [first, '3.00'],
      [second, '0.00'],
      [last, '16.00'],
    ]);
    expect(await amend(first, { count: '8' })).toBe('400 AMEND_ORDER_NO_OP');
    expect(await amend(first, { updated_client_order_id: 'second' })).toBe('409 order_already_exists');
    expect(await amend(first, { side: 'ask' })).toBe('400 invalid_parameters');
    expect(await amend(first, { price: '0.5050' })).toBe('400 invalid_price');
    expect(await amend(first, { count: '90000' })).toBe('400 insufficient_balance');
    const { order } = (await orders.getOrder(first)).data;
    expect([order.status, order.remaining_count_fp, order.client_order_id]).toEqual(['resting', '8.00', 'renamed']);
    expect(await decrease(first, {})).toBe('400 invalid_parameters');
    expect(await decrease(first, { reduce_by: '1', reduce_to: '1' })).toBe('400 invalid_parameters');
    expect(await decrease(first, { reduce_by: '9' })).toBe('400 invalid_parameters');
    await expect(orders.decreaseOrderV2(first, { reduce_by: '1' })).rejects.toMatchObject({
      response: { status: 404 },
    });
    expect(await decrease(second, { reduce_to: '0' })).toBe('0.00');
    expect(await decrease(second, { reduce_to: '0' })).toBe('404 not_found');
    await expect(orders.getOrderQueuePosition(second)).rejects.toMatchObject({ response: { status: 404 } });
    await control('halt', { ticker });
    expect(await amend(first, { count: '7' })).toBe('409 trading_is_paused');
    expect(await decrease(first, { reduce_to: '7' })).toBe('7.00');
    await control('reopen', { ticker });
    expect(await amend(first, { price: '0.6', count: '7' })).toBe('404 not_found');
    const free = async () => (await portfolio.getBalance(undefined, 3)).data.balance_dollars;
    const before = await free();
    const again = await place('again', '10', '0.5');
    expect(await amend(again, { price: '0.6000' })).toEqual([200, '4.00', '6.00', 'again']);
    expect((await portfolio.getFills(ticker)).data.fills.map((fill) => [fill.order_id, fill.count_fp])).toEqual([
      [again, '4.00'],
    ]);
    expect(await amend(again, { price: '0.6000', count: '4' })).toBe('400 invalid_order');
    expect((await orders.cancelOrderV2(again, undefined, undefined, ticker)).data.reduced_by).toBe('6.00');
    expect(Number(before) - Number(await free())).toBeCloseTo(4 * 0.6 + 0.0672, 4);
  });

  it('answers the writes of before with 410, and takes changes of orders for the price of a call from the budget of their shard', async () => {
    const { orders } = client();
    const ticker = await quoted('KXAURORAGAME', [], []);
    for (const path of ['orders', 'orders/batched', 'orders/1/amend', 'orders/1/decrease'])
      expect((await fetch(urlOf(`/trade-api/v2/portfolio/${path}`), { method: 'POST' })).status).toBe(410);
    const bid = { ticker, side: 'bid', price: '0.5', ...LIMIT } as const;
    const { order_id } = (await orders.createOrderV2({ ...bid, count: '10' })).data;
    const bucket = { refill: 0.001, capacity: 25 };
    await control('limits', { tier: 'basic', read: bucket, write: bucket });
    await orders.amendOrderV2(order_id, { ticker, side: 'bid', price: '0.5', count: '9' });
    await orders.decreaseOrderV2(order_id, { market_ticker: ticker, reduce_by: '1' });
    await expect(
      orders.amendOrderV2(order_id, { ticker, side: 'bid', price: '0.5', count: '7' }),
    ).rejects.toMatchObject({ response: { status: 429 } });
    await orders.cancelOrderV2(order_id, undefined, undefined, ticker);
  });

  it('cancels all orders of a group beyond its limit, and takes new ones once it is reset; trap 12: a group lies on shard 0 unless its own is named', async () => {
    const { orders, groups } = client();
    const ticker = await quoted('KXAURORAGAME', [], [['0.5', '4']]);
    const create = async (of: object) =>
      (await groups.createOrderGroup({ contracts_limit: 3, ...of })).data.order_group_id;
    const send = (group: string, name: string, price: string) =>
      orders
        .createOrderV2({
          ticker,
          client_order_id: name,
          side: 'bid',
          count: '10',
          price,
          order_group_id: group,
          ...LIMIT,
        })
        .then(
          ({ data }) => data.order_id,
          ({ response }) => `${response.status} ${response.data.error.code}`,
        );
    expect(await send(await create({}), 'elsewhere', '0.4')).toBe('404 not_found');
    const group = await create({ exchange_index: 3 });
    const [resting, meeting] = [await send(group, 'rests', '0.4'), await send(group, 'meets', '0.5')];
    const statusOf = async (id: string) => (await orders.getOrder(id)).data.order.status;
    await expect.poll(() => Promise.all([resting, meeting].map(statusOf))).toEqual(['canceled', 'canceled']);
    expect((await groups.getOrderGroup(group)).data).toEqual({
      ...{ contracts_limit_fp: '3.00', is_auto_cancel_enabled: false, exchange_index: 3 },
      orders: [resting, meeting],
    });
    expect(await send(group, 'refused', '0.4')).toBe('409 order_group_triggered');
    await expect(groups.resetOrderGroup(group)).rejects.toMatchObject({ response: { status: 404 } });
    await groups.resetOrderGroup(group, undefined, 3);
    const again = await send(group, 'again', '0.4');
    expect(await statusOf(again)).toBe('resting');
    await groups.updateOrderGroupLimit(group, { contracts_limit: 50 }, undefined, 3);
    expect(
      (await groups.getOrderGroups()).data.order_groups?.map(({ contracts_limit_fp }) => contracts_limit_fp),
    ).toEqual(['3.00', '50.00']);
    await groups.triggerOrderGroup(group, undefined, 3);
    expect(await statusOf(again)).toBe('canceled');
    await groups.deleteOrderGroup(group, undefined, 3);
    await expect(groups.getOrderGroup(group)).rejects.toMatchObject({ response: { status: 404 } });
  });

  it('trap 19: signs every call of an axios that it shares, which is why it has one of its own and none in the product', async () => {
    const signedCalls = async (caller: typeof axios) => {
      const { config } = await caller.get(urlOf(`/trade-api/v2/exchange/status`));
      return config.headers.has('KALSHI-ACCESS-KEY');
    };
    client();
    expect(await signedCalls(axios)).toBe(false);
    const shared = axios.create({ proxy: false });
    const configuration = new Configuration({ apiKey: 'a-key', privateKeyPem: privatePem });
    expect(new ExchangeApi(configuration, undefined, shared as never)).toBeDefined();
    expect(await signedCalls(shared as typeof axios)).toBe(true);
    for (const folder of ['exchange', 'venues', 'server']) {
      const file = new URL(`../../../../${folder}/package.json`, import.meta.url);
      const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
      expect(Object.keys(dependencies)).not.toContain('kalshi-typescript');
    }
  });

  it('reads the limits of its tier, and is refused without a header once they are used up', async () => {
    const { account, portfolio } = client();
    const bucket = { refill: 1, capacity: 25 };
    await control('limits', { tier: 'basic', read: bucket, write: bucket });
    expect((await account.getAccountApiLimits()).data).toMatchObject({
      usage_tier: 'basic',
      read: { refill_rate: 1, bucket_capacity: 25 },
    });
    await portfolio.getBalance();
    await expect(portfolio.getBalance()).rejects.toMatchObject({
      response: { status: 429, data: { error: 'too many requests' } },
    });
  });
});
