import { FRACTION_ZERO } from '@dutchbook/units/fraction.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { ClobClient, OrderType, Side as WireSide } from '@polymarket/clob-client-v2';
import fc from 'fast-check';
import { recoverAddress } from 'viem';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OrderRequest } from '../venue.ts';
import { tradingAccount } from './auth.ts';
import { POLYMARKET_DEFAULTS } from './config.ts';
import { createSecrets } from './errors.ts';
import { officialSigner } from './official-client.fixture.ts';
import { readPayload, type SigningTerms, signOrder } from './signing.ts';
import {
  FEE_STEP,
  IMMEDIATE_BUY_STEP,
  MAKER_FEE,
  MIN_IMMEDIATE_BUY,
  POCKET,
  SALE_AMOUNT_STEP,
  SIZE_STEP,
} from './steps.ts';

/** The first account of the public mnemonic that development tools ship with. */
const PUBLIC_TEST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const NOWHERE = { ...POLYMARKET_DEFAULTS, clobUrl: 'http://127.0.0.1:9' };
const account = tradingAccount(NOWHERE, PUBLIC_TEST_KEY, createSecrets());
const runtime = { now: () => instantFromMs(Date.now()), random: Math.random };
const signing = { account, runtime };

const WALLET = '0xE111180000d2663C0091e4f400237545B87B996B';
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
      resolution: null,
      settledBy: WALLET,
      tick: CENT.tick,
      minOrderSize: sharesFromText('5'),
      minImmediateBuy: MIN_IMMEDIATE_BUY,
      immediateBuyStep: IMMEDIATE_BUY_STEP,
      sizeStep: SIZE_STEP,
      saleAmountStep: SALE_AMOUNT_STEP,
      feeSchedule: { rate: FRACTION_ZERO, step: FEE_STEP },
      makerFeeSchedule: MAKER_FEE,
      feeChange: null,
      pocket: POCKET,
      netsOutcomes: false,
    },
  };
}

describe('signing an order', () => {
  it('needs no venue, and the signature is that of the hash it names', async () => {
    for (const version of [2, 3] as const) {
      const signed = signOrder(signing, request('buy 10 at 0.55'), { ...CENT, version });
      const { order } = readPayload(signed.payload);
      const signature = `0x${order.signature.slice(2)}` as const;
      const hash = `0x${signed.orderHash.slice(2)}` as const;
      expect(await recoverAddress({ hash, signature })).toBe(account.address);
      expect(signed.salt).toBe(order.salt);
    }
  });

  it('signs exactly the shares and the price asked for, on every grid', () => {
    const asked = fc.record({
      side: fc.constantFrom('buy', 'sell'),
      tick: fc.constantFrom('0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'),
      step: fc.nat({ max: 9_998 }),
      hundredths: fc.integer({ min: 1, max: 5_000_000 }),
    });
    fc.assert(
      fc.property(asked, ({ side, tick, step, hundredths }) => {
        const ticks = 1_000_000 / tickFromText(tick);
        const price = ((1 + (step % (ticks - 1))) * tickFromText(tick)) / 1_000_000;
        const text = `${side} ${hundredths / 100} at ${price}`;
        const { payload } = signOrder(signing, request(text), { ...CENT, tick: tickFromText(tick) });
        const { order } = readPayload(payload);
        const shares = Number(side === 'buy' ? order.takerAmount : order.makerAmount);
        const dollars = Number(side === 'buy' ? order.makerAmount : order.takerAmount);
        expect(shares).toBe(hundredths * 10_000);
        expect(dollars).toBe(Math.round(hundredths * 10_000 * price));
      }),
      { numRuns: 60 },
    );
  });

  it('never lets a buy spend dollars: what must not rest is signed to rest and canceled by us', () => {
    const buy = readPayload(signOrder(signing, request('buy 10 at 0.55', 'kill'), CENT).payload);
    expect([buy.orderType, buy.cancelRest]).toEqual([OrderType.GTC, true]);
    const sell = readPayload(signOrder(signing, request('sell 10 at 0.55', 'kill'), CENT).payload);
    expect([sell.orderType, sell.cancelRest]).toEqual([OrderType.FAK, false]);
    const rest = readPayload(signOrder(signing, request('buy 10 at 0.55'), CENT).payload);
    expect([rest.orderType, rest.cancelRest]).toEqual([OrderType.GTC, false]);
  });

  it('spends dollars, in whole cents, where asked to: the shares say the price at most', () => {
    const spending = (text: string, spends: string) =>
      readPayload(
        signOrder(
          signing,
          { ...request(text as never, 'kill'), spends: usdFromText(spends) },
          { ...CENT, tick: tickFromText('0.005') },
        ).payload,
      );
    const { order, orderType, cancelRest } = spending('buy 3 at 0.48', '1.44');
    expect([order.makerAmount, order.takerAmount, orderType, cancelRest]).toEqual(['1440000', '3000000', 'FAK', false]);
    expect(spending('buy 3 at 0.475', '1.43').order).toMatchObject({ makerAmount: '1430000', takerAmount: '3010500' });
    expect(() => spending('buy 3 at 0.475', '1.425')).toThrow('not for whole cents');
  });

  it('refuses a tick size that the venue does not have', () => {
    const terms = { ...CENT, tick: tickFromText('0.02') };
    expect(() => signOrder(signing, request('buy 10 at 0.54'), terms)).toThrow('no tick size of 0.02');
  });

  it('follows a grid that became finer', () => {
    expect(() => signOrder(signing, request('buy 10 at 0.555'), CENT)).toThrow('not a multiple');
    const finer = { ...CENT, tick: tickFromText('0.001') };
    expect(signOrder(signing, request('buy 10 at 0.555'), finer)).toBeDefined();
  });
});

describe('beside the official client', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const asked = fc.record({
    side: fc.constantFrom('buy', 'sell'),
    tick: fc.constantFrom('0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'),
    step: fc.nat({ max: 9_998 }),
    hundredths: fc.integer({ min: 1, max: 5_000_000 }),
    tokenId: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(String),
    signatureType: fc.constantFrom(0, 1, 2, 3),
    negRisk: fc.boolean(),
    version: fc.constantFrom(2, 3),
    key: fc.uint8Array({ minLength: 31, maxLength: 31 }),
    drawn: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    now: fc.integer({ min: 1_500_000_000_000, max: 2_000_000_000_000 }),
  });

  it('an order is the same to the last byte, its signature too, for every kind of wallet and contract', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await fc.assert(
      fc.asyncProperty(asked, async ({ side, tick, step, hundredths, tokenId, key, drawn, now, ...kind }) => {
        const { signatureType, negRisk, version } = kind;
        const ticks = 1_000_000 / tickFromText(tick);
        const price = ((1 + (step % (ticks - 1))) * tickFromText(tick)) / 1_000_000;
        const config = { ...NOWHERE, signatureType, funder: signatureType === 0 ? null : WALLET };
        const owner = tradingAccount(config, `01${Buffer.from(key).toString('hex')}`, createSecrets());
        const terms: SigningTerms = { tick: tickFromText(tick), negRisk, version, chainId: 137 };
        const client = new ClobClient({
          ...{ host: NOWHERE.clobUrl, chain: 137, signer: officialSigner(owner), signatureType, throwOnError: true },
          ...(config.funder === null ? {} : { funderAddress: config.funder }),
        });
        client.tickSizes[tokenId] = tick;
        vi.setSystemTime(now);
        vi.spyOn(Math, 'random').mockReturnValue(drawn);
        const theirs = await client.createOrder(
          { tokenID: tokenId, price, size: hundredths / 100, side: side === 'buy' ? WireSide.BUY : WireSide.SELL },
          { tickSize: tick, negRisk, version },
        );
        const at = { now: () => instantFromMs(now), random: () => drawn };
        const text = `${side} ${hundredths / 100} at ${price}`;
        const ours = signOrder({ account: owner, runtime: at }, { ...request(text), tokenId }, terms);
        expect(readPayload(ours.payload).order).toEqual(theirs);
      }),
      { numRuns: 200 },
    );
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
    expect(() => tradingAccount({ ...config, signatureType: 0, funder }, PUBLIC_TEST_KEY, createSecrets())).toThrow(
      "with signature type 0 the funder is the key's own address, 0x",
    );
  });
});
