import { Chain, ClobClient, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, type ListedMarket, openFixture, signedCall, TEST_KEY, type Trader } from './exchange-fixture.ts';

const WALLET = `0x${'d4'.repeat(20)}`;

let fixture: Fixture;
let trader: Trader;
let client: ClobClient;
let markets: ListedMarket[];

beforeEach(async () => {
  fixture = await openFixture();
  trader = await fixture.trader();
  const host = fixture.exchange.url;
  const signer = createWalletClient({ account: privateKeyToAccount(TEST_KEY), chain: polygon, transport: http(host) });
  client = new ClobClient({
    host,
    chain: Chain.POLYGON,
    signer,
    creds: trader.creds,
    signatureType: SignatureTypeV2.POLY_1271,
    funderAddress: WALLET,
    throwOnError: true,
  });
  const listed = await fixture.markets();
  markets = [
    listed.find(({ version, negRisk }) => version === 'v1' && !negRisk),
    listed.find(({ version, negRisk }) => version === 'v1' && negRisk),
    listed.find(({ version }) => version === 'v2'),
  ].flatMap((market) => market ?? []);
});

afterEach(() => fixture.exchange.close());

const post = (body: object) => signedCall(fixture, trader, 'POST', '/order', JSON.stringify(body));

describe('orders of a deposit wallet (signature type 3)', () => {
  it('are placed and canceled by the official client in every kind of market', async () => {
    expect(markets).toHaveLength(3);
    for (const { tokens, version } of markets) {
      const order = { tokenID: tokens[0], price: 0.1, size: 10, side: Side.BUY };
      const options = version === 'v2' ? { version: 3 as const } : {};
      const signed = await client.createOrder(order, options);
      expect(signed).toMatchObject({ maker: WALLET, signer: WALLET, signatureType: 3 });
      expect(signed.signature).toHaveLength(2 + 2 * 317);
      const placed = await client.postOrder(signed);
      expect(placed).toMatchObject({ success: true, status: 'live' });
      expect(await client.getOpenOrders()).toMatchObject([{ id: placed.orderID, maker_address: WALLET }]);
      expect(await client.cancelOrder({ orderID: placed.orderID })).toMatchObject({ canceled: [placed.orderID] });
    }
  });

  it('are refused when any part of the 317 bytes is another, or when they were signed for another wallet', async () => {
    const [market] = markets;
    const signed = await client.createOrder({ tokenID: market?.tokens[0] ?? '', price: 0.1, size: 10, side: Side.BUY });
    const order = { ...signed, salt: Number(signed.salt) };
    const entry = (differs: object) => ({ owner: trader.creds.key, orderType: 'GTC', order: { ...order, ...differs } });
    const flipped = (byte: number) => {
      const at = 2 + 2 * byte;
      const digit = signed.signature[at] === '1' ? '2' : '1';
      return signed.signature.slice(0, at) + digit + signed.signature.slice(at + 1);
    };
    const another = `0x${'d5'.repeat(20)}`;
    const changes = [
      // In the key's signature, the domain separator, the hash of the order, its type and the length.
      ...[10, 70, 100, 140, 316].map((byte) => ({ signature: flipped(byte) })),
      { signature: signed.signature.slice(0, 132) },
      { makerAmount: '1010000' },
      { maker: another, signer: another },
    ];
    for (const change of changes) {
      expect(await post(entry(change))).toMatchObject({ status: 400, body: { error: 'invalid signature' } });
    }
    expect(await post(entry({ maker: another }))).toMatchObject({ body: { error: 'Invalid order payload' } });
    expect(await post(entry({}))).toMatchObject({ status: 200 });
  });
});
