import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { Configuration, MarketApi, OrdersApi, PortfolioApi } from 'kalshi-typescript';
import { expect, it } from 'vitest';
import { type RunningExchange, startExchange } from '../../start-exchange.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

function clientOf({ url }: RunningExchange) {
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const configuration = new Configuration({ basePath: `${url}/trade-api/v2`, apiKey: 'a-key', privateKeyPem });
  const http = () => axios.create({ proxy: false, validateStatus: () => true }) as never;
  return {
    orders: new OrdersApi(configuration, undefined, http()),
    markets: new MarketApi(configuration, undefined, http()),
    portfolio: new PortfolioApi(configuration, undefined, http()),
  };
}

async function control({ url }: RunningExchange, name: string, body: object) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  expect((await fetch(`${url}/_control/kalshi/${name}`, init)).status).toBe(200);
}

async function stateOf({ url }: RunningExchange): Promise<unknown> {
  const state = (await (await fetch(`${url}/_control/kalshi/state`)).json()) as { pockets: Record<string, unknown> };
  return {
    ...state,
    pockets: Object.fromEntries(Object.entries(state.pockets).filter(([id]) => id.startsWith('member'))),
  };
}

it('an account at the simulated Kalshi is the same after a restart: cash, shares, orders, fills, spent names, subaccounts and named transfers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kalshi-journal-'));
  const options = { paused: true, journalFile: join(folder, 'exchange.journal') };
  const before = await startExchange(options);
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await control(before, 'keys', { key_id: 'a-key', public_key: pem });
  const { orders, markets, portfolio } = clientOf(before);
  const { ticker = '', event_ticker: ofOrder } = (await markets.getMarkets(1)).data.markets[0] ?? {};
  await control(before, 'book', { token_id: `${ticker}:yes`, bids: [], asks: [{ price: '0.5', size: '4' }] });
  const order = {
    ...({ ticker, side: 'bid', count: '10', self_trade_prevention_type: 'taker_at_cross' } as const),
    time_in_force: 'good_till_canceled',
  } as const;
  expect((await orders.createOrderV2({ ...order, client_order_id: 'one', price: '0.50' })).status).toBe(201);
  expect(
    (await orders.createOrderV2({ ...order, client_order_id: 'two', count: '9000000', price: '0.50' })).status,
  ).toBe(400);
  const other =
    (await markets.getMarkets(1000)).data.markets.find((market) => market.event_ticker !== ofOrder)?.ticker ?? '';
  await control(before, 'book', { token_id: `${other}:yes`, bids: [], asks: [{ price: '0.5', size: '4' }] });
  const bought = { ...order, ticker: other, count: '4', client_order_id: 'three', price: '0.50' } as const;
  expect((await orders.createOrderV2(bought)).status).toBe(201);
  await control(before, 'resolve', { ticker: other, yes_pays: '0.37' });
  const paid = (await portfolio.getSettlements()).data.settlements;
  expect(paid.map(({ ticker: of, revenue }) => [of, revenue])).toEqual([[other, 148]]);
  await portfolio.createSubaccount();
  const named = { client_transfer_id: 'once', from_subaccount: 0, to_subaccount: 1, amount_cents: 777 };
  await portfolio.applySubaccountTransfer(named);
  await portfolio.updateSubaccountNetting({ subaccount_number: 1, enabled: false });
  await portfolio.setTargetBalanceAllocation({ allocations: [{ exchange_index: 0, percent: 100 }] });
  const resized = (await orders.getOrders(undefined, undefined, undefined, undefined, 'resting')).data.orders[0];
  const amendment = { ticker, side: 'bid', price: '0.49', count: '12', updated_client_order_id: 'four' } as const;
  expect((await orders.amendOrderV2(resized?.order_id ?? '', amendment)).status).toBe(200);
  const settings = async (of: RunningExchange) => {
    const read = clientOf(of).portfolio;
    return [(await read.getSubaccountNetting()).data, (await read.getTargetBalanceAllocation()).data];
  };
  const set = await settings(before);
  const known = await stateOf(before);
  await before.close();
  const after = await startExchange(options);
  expect(await stateOf(after)).toEqual(known);
  expect((await clientOf(after).portfolio.getSettlements()).data.settlements).toEqual(paid);
  expect(await settings(after)).toEqual(set);
  await clientOf(after).portfolio.applySubaccountTransfer(named);
  expect(await stateOf(after)).toEqual(known);
  const { orders: again } = clientOf(after);
  for (const name of ['one', 'two']) {
    const repeated = await again.createOrderV2({ ...order, client_order_id: name, price: '0.10' });
    expect([repeated.status, JSON.stringify(repeated.data)]).toEqual([
      409,
      expect.stringContaining('order_already_exists'),
    ]);
  }
  const resting = (await again.getOrders(undefined, undefined, undefined, undefined, 'resting')).data.orders;
  expect(resting.map(({ client_order_id, remaining_count_fp }) => [client_order_id, remaining_count_fp])).toEqual([
    ['four', '8.00'],
  ]);
  await after.close();
  await rm(folder, { recursive: true });
});
