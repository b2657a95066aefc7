import { AssetType, ClobClient, getContractConfig } from '@polymarket/clob-client-v2';
import { getAddress } from 'viem';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Venue } from '../venue.ts';
import { tradingAccount } from './auth.ts';
import { EXCHANGES } from './contracts.ts';
import { createSecrets } from './errors.ts';
import { officialSigner } from './official-client.fixture.ts';
import { openPolymarket } from './polymarket.ts';
import { openStandIn, type StandIn, TEST_KEY, TEST_RUNTIME } from './stand-in.fixture.ts';

/** The first account of the public mnemonic that development tools ship with. */
const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ORDER = `0x${'ab'.repeat(32)}`;

type Seen = { query: string; signed: Record<string, unknown>; body: string };

let standIn: StandIn;
let venue: Venue | undefined;
/** By method and path, in the order in which the calls came. */
let seen: Map<string, Seen[]>;

beforeEach(async () => {
  standIn = await openStandIn();
  seen = new Map();
  // Both sign the second.
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await venue?.close();
  venue = undefined;
  await standIn.close();
});

function answer(route: string, body: unknown): void {
  standIn.answer(route, (call) => {
    const signed = Object.fromEntries(Object.entries(call.headers).filter(([name]) => name.startsWith('poly_')));
    const one = { query: call.query.toString(), signed, body: call.body };
    seen.set(route, [...(seen.get(route) ?? []), one]);
    return body;
  });
}

function openBoth() {
  const config = { ...standIn.config(), privateKey: PRIVATE_KEY };
  const signer = officialSigner(tradingAccount(config, PRIVATE_KEY, createSecrets()));
  const creds = { key: TEST_KEY.apiKey, secret: TEST_KEY.secret, passphrase: TEST_KEY.passphrase };
  const official = new ClobClient({ host: config.clobUrl, chain: config.chainId, signer, creds });
  return { config, official };
}

/** The official client has asked first, the adapter second. */
function expectSameCalls(...routes: string[]): void {
  for (const route of routes) {
    const [theirs, ours, ...more] = seen.get(route) ?? [];
    expect(theirs, route).toBeDefined();
    expect(ours, route).toEqual(theirs);
    expect(more, route).toEqual([]);
  }
}

it('asks for an API key as the official client does, and derives the one there is where none is created', async () => {
  answer('POST /auth/api-key', 400);
  answer('GET /auth/derive-api-key', TEST_KEY);
  const { config, official } = openBoth();
  await official.createOrDeriveApiKey();
  venue = await openPolymarket(config, TEST_RUNTIME);
  expectSameCalls('POST /auth/api-key', 'GET /auth/derive-api-key');
});

it('reads, cancels and sends heartbeats as the official client does', async () => {
  answer('POST /auth/api-key', TEST_KEY);
  answer(`GET /data/order/${ORDER}`, 404);
  answer('GET /data/orders', { data: [], next_cursor: 'LTE=' });
  answer('GET /data/trades', { data: [], next_cursor: 'LTE=' });
  // Beside the contracts the venue may name what is not known here.
  answer('GET /balance-allowance', { balance: '5000000', allowances: { negRisk: { spender: null } } });
  answer('GET /balance-allowance/update', '');
  answer('DELETE /orders', { canceled: [ORDER], not_canceled: {} });
  answer('POST /v1/heartbeats', { heartbeat_id: 'next' });
  const { config, official } = openBoth();
  await official.getOrder(ORDER);
  await official.getBalanceAllowance({ asset_type: AssetType.COLLATERAL });
  await official.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
  await official.cancelOrders([ORDER]);
  await official.postHeartbeat();

  venue = await openPolymarket(config, TEST_RUNTIME);
  const { trading } = venue;
  expect(await trading?.lookupOrder(ORDER)).toEqual({ kind: 'absent' });
  expect(await trading?.cashBalance()).toMatchObject({ cash: 5_000_000 });
  await trading?.refreshHoldings([]);
  expect(await trading?.cancelOrders([ORDER])).toEqual([{ orderHash: ORDER, kind: 'canceled', reason: null }]);
  expect(await trading?.heartbeat()).toEqual({ kind: 'taken' });
  expectSameCalls(
    `GET /data/order/${ORDER}`,
    'GET /balance-allowance',
    'GET /balance-allowance/update',
    'DELETE /orders',
    'POST /v1/heartbeats',
  );
});

it.each([137, 80002] as const)('signs for the contracts of chain %i that the official client signs for', (chainId) => {
  const { exchangeV2, negRiskExchangeV2, exchangeV3 } = getContractConfig(chainId);
  expect(EXCHANGES[chainId]).toEqual({
    v2: getAddress(exchangeV2),
    negRisk: getAddress(negRiskExchangeV2),
    v3: getAddress(exchangeV3),
  });
});
