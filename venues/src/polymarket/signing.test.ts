import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { OrderType, Side } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import { recoverAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../venue.ts';
import { openSigningClient, tradingAccount } from './auth.ts';
import { POLYMARKET_DEFAULTS } from './config.ts';
import { createSecrets } from './errors.ts';
import { orderHash, readPayload, type SigningTerms, signOrder } from './signing.ts';
import { FEE_STEP, SALE_AMOUNT_STEP, SIZE_STEP } from './steps.ts';

/** The first account of the public mnemonic that development tools ship with. */
const PUBLIC_TEST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const NOWHERE = { ...POLYMARKET_DEFAULTS, clobUrl: 'http://127.0.0.1:9' };
const account = tradingAccount(NOWHERE, PUBLIC_TEST_KEY, createSecrets());
const client = openSigningClient(NOWHERE, account);

const CENT: SigningTerms = { tick: tickFromText('0.01'), negRisk: false, version: 2, chainId: 137 };

function request(text: string, remainder: OrderRequest['remainder'] = 'rest'): OrderRequest {
  const [side, size = '', , price = ''] = text.split(' ');
  return {
    tokenId: '1234',
    side: side === 'buy' ? 'buy' : 'sell',
    size: sharesFromText(size),
    price: priceFromText(price),
    remainder,
    market: {
      id: '0x1',
      question: '',
      event: null,
      outcomes: [],
      negRisk: false,
      endDate: null,
      closed: false,
      acceptingOrders: true,
      settledBy: '0xE111180000d2663C0091e4f400237545B87B996B',
      tick: CENT.tick,
      minOrderSize: sharesFromText('5'),
      sizeStep: SIZE_STEP,
      saleAmountStep: SALE_AMOUNT_STEP,
      feeSchedule: { rate: FRACTION_ZERO, step: FEE_STEP },
    },
  };
}

describe('the order hash', () => {
  const order = {
    salt: '479249096354',
    maker: account.address,
    signer: account.address,
    tokenId: '1234',
    makerAmount: '5000000',
    takerAmount: '10000000',
    side: Side.BUY,
    signatureType: 0,
    timestamp: '1700000000000',
    metadata: `0x${'0'.repeat(64)}`,
    builder: `0x${'0'.repeat(64)}`,
  };

  it.each([
    [false, 2, '0x6638e32c276b6bbcc0fccb52cede0e852136f7dd2040577d6b930827cfe4a32c'],
    [true, 2, '0x87c2c400462ff99189e49027a0c21d48e22255c6264c7f3e57ff90f0f188d88a'],
    [false, 3, '0xc0488f996dbefd87abef1b975307d3e51c69dd14aeb6089a1aa88fafd679dec4'],
  ] as const)('is the known one for negative risk %s under version %s', (negRisk, version, hash) => {
    expect(orderHash(order, { negRisk, version, chainId: 137 })).toBe(hash);
  });
});

describe('signing an order', () => {
  it('needs no venue, and the signature is that of the hash it names', async () => {
    for (const version of [2, 3] as const) {
      const signed = await signOrder(client, request('buy 10 at 0.55'), { ...CENT, version });
      const { order } = readPayload(signed.payload);
      const signature = `0x${order.signature.slice(2)}` as const;
      const hash = `0x${signed.orderHash.slice(2)}` as const;
      expect(await recoverAddress({ hash, signature })).toBe(account.address);
      expect(signed.salt).toBe(order.salt);
    }
  });

  it('signs exactly the shares and the price asked for, on every grid', async () => {
    const asked = fc.record({
      side: fc.constantFrom('buy', 'sell'),
      tick: fc.constantFrom('0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'),
      step: fc.nat({ max: 9_998 }),
      hundredths: fc.integer({ min: 1, max: 5_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ side, tick, step, hundredths }) => {
        const ticks = 1_000_000 / tickFromText(tick);
        const price = ((1 + (step % (ticks - 1))) * tickFromText(tick)) / 1_000_000;
        const text = `${side} ${hundredths / 100} at ${price}`;
        const { payload } = await signOrder(client, request(text), { ...CENT, tick: tickFromText(tick) });
        const { order } = readPayload(payload);
        const shares = Number(side === 'buy' ? order.takerAmount : order.makerAmount);
        const dollars = Number(side === 'buy' ? order.makerAmount : order.takerAmount);
        expect(shares).toBe(hundredths * 10_000);
        expect(dollars).toBe(Math.round(hundredths * 10_000 * price));
      }),
      { numRuns: 60 },
    );
  });

  it('never lets a buy spend dollars: what must not rest is signed to rest and canceled by us', async () => {
    const buy = readPayload((await signOrder(client, request('buy 10 at 0.55', 'kill'), CENT)).payload);
    expect([buy.orderType, buy.cancelRest]).toEqual([OrderType.GTC, true]);
    const sell = readPayload((await signOrder(client, request('sell 10 at 0.55', 'kill'), CENT)).payload);
    expect([sell.orderType, sell.cancelRest]).toEqual([OrderType.FAK, false]);
    const rest = readPayload((await signOrder(client, request('buy 10 at 0.55'), CENT)).payload);
    expect([rest.orderType, rest.cancelRest]).toEqual([OrderType.GTC, false]);
  });

  it('refuses a tick size that the venue does not have', async () => {
    const terms = { ...CENT, tick: tickFromText('0.02') };
    await expect(signOrder(client, request('buy 10 at 0.54'), terms)).rejects.toThrow('no tick size of 0.02');
  });

  it('follows a grid that became finer', async () => {
    await expect(signOrder(client, request('buy 10 at 0.555'), CENT)).rejects.toThrow('not a multiple');
    const finer = { ...CENT, tick: tickFromText('0.001') };
    await expect(signOrder(client, request('buy 10 at 0.555'), finer)).resolves.toBeDefined();
  });
});

describe('the key', () => {
  it.each(['0x12', 'zz', `0x${'g'.repeat(64)}`])('is refused without being named: %s', (key) => {
    const open = () => tradingAccount(NOWHERE, key, createSecrets());
    expect(open).toThrow('32 bytes in hexadecimal');
    expect(open).not.toThrow(key);
  });

  it('needs the wallet that holds the money for every kind of wallet but its own', () => {
    const config = { ...NOWHERE, signatureType: 2 as const };
    expect(() => tradingAccount(config, PUBLIC_TEST_KEY, createSecrets())).toThrow('needs the funder');
    const funder = `0x${'1'.repeat(40)}`;
    expect(tradingAccount({ ...config, funder }, PUBLIC_TEST_KEY, createSecrets()).maker).toBe(funder);
  });
});
