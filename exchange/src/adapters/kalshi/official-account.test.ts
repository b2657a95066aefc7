import { describe, expect, it } from 'vitest';
import { advance, client, control, LIMIT, publicPem, quoted, useExchange } from './official-client.fixture.ts';

useExchange();

describe('the official TypeScript client 3.30.0, of an account and of what has been', () => {
  it('reads candlesticks of a market, of several and of an event: best prices, trades, volume and open interest of each period', async () => {
    const { markets, events, orders, history } = client();
    const from = await advance();
    const ticker = await quoted(
      'KXAURORAGAME',
      [['0.4', '5']],
      [
        ['0.5', '2'],
        ['0.6', '20'],
      ],
    );
    const buy = (count: string) =>
      orders.createOrderV2({ ticker, side: 'bid', count, price: '0.6', ...LIMIT, time_in_force: 'fill_or_kill' });
    await buy('6');
    await control('block-trade', { ticker, size: '100', yes_price: '0.9' });
    await advance();
    await buy('1');
    const to = (await advance()) + 60;
    const read = async (start: number, minutes: 1 | 60, wantsLatest?: boolean) =>
      (await markets.getMarketCandlesticks('KXAURORAGAME', ticker, start, to, minutes, wantsLatest)).data;
    const { ticker: of, candlesticks } = await read(from, 1);
    expect(of).toBe(ticker);
    const [first, second] = candlesticks;
    expect(first?.end_period_ts).toBe(Math.ceil(from / 60) * 60);
    expect(first?.yes_bid).toMatchObject({ low_dollars: '0.4000', close_dollars: '0.4000' });
    expect(first?.yes_ask).toMatchObject({ low_dollars: '0.5000', close_dollars: '0.6000' });
    expect(first?.price).toEqual({
      ...{ open_dollars: '0.5000', low_dollars: '0.5000', high_dollars: '0.6000', close_dollars: '0.6000' },
      ...{ min_dollars: '0.5000', max_dollars: '0.6000', mean_dollars: '0.566666' },
    });
    expect([first?.volume_fp, first?.open_interest_fp]).toEqual(['106.00', '6.00']);
    expect(second?.price).toMatchObject({ open_dollars: '0.6000', previous_dollars: '0.6000' });
    expect([second?.volume_fp, second?.open_interest_fp]).toEqual(['1.00', '7.00']);
    const [latest, ...none] = (await read(to - 60, 1, true)).candlesticks;
    expect([latest?.price, latest?.volume_fp, none]).toEqual([{ previous_dollars: '0.6000' }, '0.00', []]);
    const other = await quoted('KXHIGHMARK', [['0.42', '5']], []);
    const several = await markets.batchGetMarketCandlesticks(`${ticker},${other}`, from, to, 1);
    expect(several.data.markets.map((each) => [each.market_ticker, each.candlesticks.length])).toEqual([
      [ticker, 2],
      [other, 1],
    ]);
    const event = (await markets.getMarket(ticker)).data.market.event_ticker;
    const ofEvent = (await events.getMarketCandlesticksByEvent(event, 'KXAURORAGAME', from, to, 1)).data;
    expect(ofEvent.market_candlesticks[ofEvent.market_tickers.indexOf(ticker)]).toEqual(candlesticks);
    expect(ofEvent.adjusted_end_ts).toBe(to);
    await expect(markets.getMarketCandlesticks('KXHIGHMARK', ticker, from, to, 1)).rejects.toMatchObject({
      response: { status: 404 },
    });
    await expect(markets.getMarketCandlesticks('KXAURORAGAME', ticker, from, to, 5 as 1)).rejects.toMatchObject({
      response: { status: 400 },
    });
    await control('resolve', { ticker, yes_pays: '1' });
    const settled = await advance();
    await control('reads', { history_before_ms: settled * 1000 });
    await expect(markets.getMarket(ticker)).rejects.toMatchObject({ response: { status: 404 } });
    expect((await markets.getTrades(10, undefined, ticker)).data.trades).toEqual([]);
    expect((await history.getHistoricalMarket(ticker)).data.market.status).toBe('finalized');
    expect((await history.getHistoricalMarkets(10)).data.markets.map((market) => market.ticker)).toEqual([ticker]);
    expect((await history.getTradesHistorical(ticker)).data.trades.map(({ count_fp }) => count_fp)).toEqual([
      ...['1.00', '100.00', '4.00', '2.00'],
    ]);
    const blocks = await history.getTradesHistorical(ticker, undefined, undefined, 10, undefined, true);
    expect(blocks.data.trades.map(({ count_fp }) => count_fp)).toEqual(['100.00']);
    const [archived] = (await history.getMarketCandlesticksHistorical(ticker, from, to, 1)).data.candlesticks;
    expect(archived?.price).toEqual({
      ...{ open: '0.5000', low: '0.5000', high: '0.6000', close: '0.6000', mean: '0.566666', previous: null },
    });
    const held = (await history.getHistoricalPositions(ticker)).data.market_positions;
    expect(held.map(({ ticker: ofPosition }) => ofPosition)).toEqual([ticker]);
  });

  it('says what a position has cost, what it has made and what of both its event has', async () => {
    const { orders, portfolio } = client();
    const ticker = await quoted('KXHIGHMARK', [['0.6', '20']], [['0.7', '20']]);
    const trade = (side: 'bid' | 'ask', price: string, count: string) =>
      orders.createOrderV2({ ticker, side, price, count, ...LIMIT, time_in_force: 'fill_or_kill' });
    await trade('bid', '0.70', '10');
    await trade('ask', '0.60', '4');
    const { market_positions, event_positions } = (await portfolio.getPositions()).data;
    const sums = { realized_pnl_dollars: '-0.4000', fees_paid_dollars: market_positions[0]?.fees_paid_dollars };
    expect(market_positions).toEqual([
      expect.objectContaining({
        ...{ ticker, position_fp: '6.00', market_exposure_dollars: '4.2000', total_traded_dollars: '8.6000' },
        ...sums,
      }),
    ]);
    expect(event_positions).toEqual([
      expect.objectContaining({ event_exposure_dollars: '4.2000', total_cost_dollars: '8.6000', ...sums }),
    ]);
    expect((await portfolio.getPositions(undefined, undefined, undefined, undefined, undefined, 1)).data).toMatchObject(
      {
        market_positions: [],
      },
    );
  });

  it('opens subaccounts and moves cash between them, once by its name, and to another shard in steps that stay made', async () => {
    const { portfolio, orders } = client();
    await expect(
      portfolio.applySubaccountTransfer({
        ...{ client_transfer_id: 'early', from_subaccount: 0, to_subaccount: 1, amount_cents: 1 },
      }),
    ).rejects.toMatchObject({ response: { status: 400 } });
    expect((await portfolio.createSubaccount()).data).toEqual({ subaccount_number: 1 });
    const move = (of: object) =>
      portfolio
        .applySubaccountTransfer({
          ...{
            client_transfer_id: 'one',
            from_subaccount: 0,
            to_subaccount: 1,
            amount_cents: 12_345,
            exchange_index: 3,
          },
          ...of,
        })
        .then(
          ({ status }) => String(status),
          ({ response }) => `${response.status} ${response.data.code}`,
        );
    expect([await move({}), await move({})]).toEqual(['200', '200']);
    expect(await move({ client_transfer_id: 'too much', amount_cents: 10_000_000 })).toBe('400 insufficient_balance');
    const cash = async () =>
      (await portfolio.getSubaccountBalances()).data.subaccount_balances
        .filter(({ exchange_index }) => exchange_index >= 2)
        .map(({ balance }) => balance);
    expect(await cash()).toEqual(['2500.0000', '2376.5500', '0.0000', '123.4500']);
    const listed = (await portfolio.getSubaccountTransfers()).data.transfers;
    expect(
      listed.map(({ from_subaccount, to_subaccount, amount_cents, exchange_index }) => [
        ...[from_subaccount, to_subaccount, amount_cents, exchange_index],
      ]),
    ).toEqual([[0, 1, 12_345, 3]]);
    const game = await quoted('KXAURORAGAME', [], [['0.5', '100']]);
    const order = { ticker: game, side: 'bid', price: '0.5', ...LIMIT, subaccount: 1 } as const;
    expect((await orders.createOrderV2({ ...order, count: '10' })).data.fill_count).toBe('10.00');
    await expect(orders.createOrderV2({ ...order, count: '1000' })).rejects.toMatchObject({
      response: { status: 400, data: { error: { code: 'insufficient_balance' } } },
    });
    await control('transfers', { pending_ms: 1_000 });
    const across = await portfolio.intraExchangeInstanceTransfer({
      ...{ source: 'event_contract', destination: 'event_contract', amount: 100_000 },
      ...{ source_exchange_shard: 3, destination_exchange_shard: 2, source_subaccount: 1, destination_subaccount: 1 },
    });
    const lookUp = async () =>
      (await portfolio.getIntraExchangeInstanceTransfer(across.data.transfer_id)).data.transfer;
    expect(await lookUp()).toMatchObject({ amount: '10.0000', status: 'pending', destination_exchange_shard: 2 });
    await control('shard', { shard: 2, transfers_active: false });
    await advance(2_000);
    expect([await cash(), (await lookUp()).status]).toEqual([
      ['2510.0000', '2376.5500', '0.0000', '108.27500'.slice(0, 8)],
      'pending',
    ]);
    await control('transfers', { hidden: true });
    await expect(lookUp()).rejects.toMatchObject({ response: { status: 404 } });
    expect((await portfolio.getIntraExchangeInstanceTransfers()).data.transfers).toHaveLength(1);
  });

  it('keeps YES and NO where netting is switched off, and moves cash by itself where a target allocation says so', async () => {
    const { portfolio, orders, markets } = client();
    const ticker = await quoted('KXHIGHMARK', [['0.4', '50']], [['0.5', '50']]);
    const trade = (side: 'bid' | 'ask', price: string) =>
      orders.createOrderV2({ ticker, side, price, count: '10', ...LIMIT, time_in_force: 'fill_or_kill' });
    const settings = async () =>
      (await portfolio.getSubaccountNetting()).data.netting_configs.map(({ enabled }) => enabled);
    expect(await settings()).toEqual([true, true, true, true]);
    await portfolio.updateSubaccountNetting({ subaccount_number: 0, enabled: false });
    expect(await settings()).toEqual([false, false, false, false]);
    await trade('bid', '0.5');
    await trade('ask', '0.4');
    expect((await portfolio.getPositions()).data.market_positions[0]?.position_fp).toBe('0.00');
    expect((await markets.getMarket(ticker)).data.market.open_interest_fp).toBe('10.00');
    await control('resolve', { ticker, yes_pays: '1' });
    const [paid] = (await portfolio.getSettlements()).data.settlements;
    expect([paid?.yes_count_fp, paid?.no_count_fp, paid?.revenue]).toEqual(['10.00', '10.00', 1_000]);
    const allocate = (...percents: number[]) =>
      portfolio.setTargetBalanceAllocation({
        allocations: percents.map((percent, exchange_index) => ({ exchange_index, percent })),
      });
    await expect(allocate(50, 20)).rejects.toMatchObject({ response: { status: 400 } });
    await allocate(40, 0, 60);
    expect((await portfolio.getTargetBalanceAllocation()).data).toEqual({
      allocations: [
        { exchange_index: 0, percent: 40 },
        { exchange_index: 1, percent: 0 },
        { exchange_index: 2, percent: 60 },
      ],
      resting_margin_reservation: 'sum',
    });
    const cash = async () =>
      (await portfolio.getBalance()).data.balance_breakdown?.map(({ balance }) => Number(balance));
    const before = (await cash()) ?? [];
    const total = before.reduce((sum, each) => sum + each, 0);
    await advance(61_000);
    const after = (await cash()) ?? [];
    expect(after.reduce((sum, each) => sum + each, 0)).toBeCloseTo(total, 6);
    expect(after[2]).toBe(Math.floor(total * 60) / 100);
    expect(after[0]).toBeCloseTo(total * 0.4, 0);
    await allocate();
    expect((await portfolio.getTargetBalanceAllocation()).data.allocations).toEqual([]);
  });

  it('lets each key do what its scopes and its subaccount allow', async () => {
    const add = (key_id: string, of: object) => control('keys', { key_id, public_key: publicPem, ...of });
    await add('locked', { subaccount: 5 });
    await add('balance', { scopes: ['read::portfolio_balance'] });
    await add('trades', { scopes: ['read', 'write::trade'] });
    await add('broker', { member: 'broker', kind: 'broker' });
    const statusOf = (call: Promise<{ status: number }>) =>
      call.then(
        ({ status }) => status,
        ({ response }) => response.status as number,
      );
    const ticker = await quoted('KXAURORAGAME', [], []);
    const { data: placed } = await client().orders.createOrderV2({
      ...({ ticker, side: 'bid', count: '10', price: '0.5' } as const),
      ...LIMIT,
    });
    const transfer = { client_transfer_id: 'a', from_subaccount: 0, to_subaccount: 5, amount_cents: 1 };
    const locked = client('locked');
    expect(await statusOf(locked.portfolio.applySubaccountTransfer(transfer))).toBe(403);
    expect(await statusOf(locked.portfolio.createSubaccount())).toBe(403);
    expect(
      await statusOf(locked.orders.decreaseOrderV2(placed.order_id, { market_ticker: ticker, reduce_by: '1' })),
    ).toBe(404);
    expect((await locked.portfolio.getSubaccountNetting()).data.netting_configs[0]?.subaccount_number).toBe(5);
    await locked.orders.cancelAllOrders();
    expect((await client().orders.getOrder(placed.order_id)).data.order.status).toBe('resting');
    const balance = client('balance');
    expect(await statusOf(balance.portfolio.getBalance())).toBe(200);
    expect(await statusOf(balance.portfolio.getPositions())).toBe(403);
    const trades = client('trades');
    expect(await statusOf(trades.portfolio.applySubaccountTransfer(transfer))).toBe(403);
    expect(
      await statusOf(trades.orders.decreaseOrderV2(placed.order_id, { market_ticker: ticker, reduce_by: '1' })),
    ).toBe(200);
    expect(await statusOf(client('broker').orders.cancelAllOrders())).toBe(403);
    expect(await statusOf(client().portfolio.applySubaccountTransfer(transfer))).toBe(200);
    const basic = { refill: 20, capacity: 200 };
    await control('limits', { tier: 'basic', read: basic, write: basic });
    expect(await statusOf(client().portfolio.createSubaccount())).toBe(403);
  });
});
