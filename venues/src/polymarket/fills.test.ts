import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { describe, expect, it } from 'vitest';
import { fillsOfTrade, namesInTrade, tradeSettlement, wireInstant } from './fills.ts';
import { orderStatus, readOrderEvent } from './orders.ts';
import { FEE_STEP } from './steps.ts';
import { wireTrade } from './wire.ts';

const US = { apiKey: 'our-key', maker: '0xABCDEF' };
const MARKET = { id: '0x1', feeSchedule: { rate: fractionFromText('0.05'), step: FEE_STEP } };
const OTHER = { owner: 'their-key', maker_address: '0x99', price: '0.4', fee_rate_bps: '0', outcome: '' };
const TRADE = {
  id: 't1',
  taker_order_id: '0xtaker',
  market: '0x1',
  asset_id: 'YES',
  side: 'BUY',
  size: '10',
  price: '0.6',
  status: 'MATCHED',
  match_time: '1700000000',
  trader_side: 'TAKER',
  maker_orders: [{ ...OTHER, order_id: '0xm1', matched_amount: '10', asset_id: 'NO', side: 'BUY' }],
};

const fills = (trade: object, market: Parameters<typeof fillsOfTrade>[1] = MARKET) =>
  fillsOfTrade(wireTrade.parse(trade), market, US).map(({ orderHash, tokenId, side, price, size, cost, fee }) =>
    [orderHash, tokenId, side, price / 1e6, size / 1e6, cost / 1e6, fee / 1e6].join(' '),
  );
const met = (asset_id: string, side: string, matched_amount: string, price: string) => ({
  ...OTHER,
  order_id: `0x${matched_amount}`,
  asset_id,
  side,
  matched_amount,
  price,
});

describe('our fills in a trade', () => {
  it('is one as taker, with the fee', () => {
    expect(fills(TRADE)).toEqual(['0xtaker YES buy 0.6 10 6 0.12']);
  });

  it('is one as taker of several makers, each at its price and with its fee, on our token or on the other', () => {
    const makers = [met('YES', 'SELL', '2', '0.5'), met('NO', 'BUY', '3', '0.45'), met('YES', 'SELL', '5', '0.6')];
    // Whatever price the venue says of the whole: 2 at 0.50, 3 at 1 - 0.45 and 5 at 0.60; fees 0.025, 0.037125 and 0.06.
    for (const price of ['0.6', '0.565', '0.5'])
      expect(fills({ ...TRADE, price, maker_orders: makers })).toEqual(['0xtaker YES buy 0.565 10 5.65 0.12213']);
    const buyers = [met('YES', 'BUY', '4', '0.5'), met('NO', 'SELL', '6', '0.52')];
    expect(fills({ ...TRADE, side: 'SELL', maker_orders: buyers })).toEqual(['0xtaker YES sell 0.488 10 4.88 0.12488']);
  });

  it('is at the price of the whole where the makers do not add up to it', () => {
    for (const makers of [[met('NO', 'BUY', '9.9', '0.5')], [met('NO', 'BUY', '10', '1.5')], []])
      expect(fills({ ...TRADE, maker_orders: makers })).toEqual(['0xtaker YES buy 0.6 10 6 0.12']);
  });

  it('has the fee of the market, not of what the venue states as a rate: that reads 0 where a fee was taken, 1000 of old', () => {
    for (const fee_rate_bps of ['0', '1000', ''])
      expect(fills({ ...TRADE, fee_rate_bps })).toEqual(['0xtaker YES buy 0.6 10 6 0.12']);
  });

  it('is in whole micro-dollars for each match: up for who buys from the book, down for who stands in it', () => {
    const odd = [met('YES', 'SELL', '3.333333', '0.333'), met('NO', 'BUY', '6.666667', '0.667')];
    const trade = { ...TRADE, price: '0.333', maker_orders: odd.map((maker) => ({ ...maker, owner: 'our-key' })) };
    expect(fills(trade)).toEqual([
      '0x3.333333 YES sell 0.333 3.333333 1.11 0',
      '0x6.666667 NO buy 0.667 6.666667 4.446666 0',
      '0xtaker YES buy 0.333 10 3.330001 0.11106',
    ]);
  });

  it('is each of our orders as maker, for their own outcome and price, without a fee', () => {
    const makers = [
      { ...OTHER, order_id: '0xm1', matched_amount: '4', asset_id: 'NO', side: 'BUY', owner: 'our-key' },
      { ...OTHER, order_id: '0xm2', matched_amount: '5', asset_id: 'YES', side: 'SELL' },
      { ...OTHER, order_id: '0xm3', matched_amount: '1', asset_id: 'YES', price: '0.6', maker_address: '0xabcdef' },
    ];
    const trade = { ...TRADE, trader_side: 'MAKER', maker_orders: makers };
    expect(fills(trade)).toEqual(['0xm1 NO buy 0.4 4 1.6 0', '0xm3 YES sell 0.6 1 0.6 0']);
  });

  it('is read though the makers we met cannot be', () => {
    const trade = { ...TRADE, maker_orders: [{ order_id: 7, price: 'none' }, null] };
    expect(fills(trade)).toEqual(['0xtaker YES buy 0.6 10 6 0.12']);
  });

  it('of one order is read though another order of ours in the trade cannot be', () => {
    const ours = { ...OTHER, owner: 'our-key', matched_amount: '4', asset_id: 'NO', side: 'BUY' };
    const makers = [
      { ...ours, order_id: '0xm1' },
      { ...ours, order_id: '0xm2', price: 'none' },
    ];
    const trade = wireTrade.parse({ ...TRADE, trader_side: 'MAKER', maker_orders: makers });
    expect(fillsOfTrade(trade, MARKET, US, '0xm1')).toHaveLength(1);
    expect(() => fillsOfTrade(trade, MARKET, US, '0xm2')).toThrow();
  });

  it('are named though the trade cannot be read', () => {
    const maker = { ...OTHER, order_id: '0xm1', maker_address: '0xabcdef' };
    const names = (trade: unknown) => namesInTrade(trade, US);
    expect(names({ ...TRADE, size: null, maker_orders: [maker] })).toEqual({
      tradeId: 't1',
      orderHashes: ['0xtaker', '0xm1'],
    });
    expect(names({ ...TRADE, price: {}, trader_side: 'MAKER' })).toEqual({ tradeId: 't1', orderHashes: [] });
    expect(names('nonsense')).toEqual({ tradeId: '', orderHashes: [] });
  });

  it('is refused rather than booked without its fee when the rate is not known', () => {
    expect(() => fills(TRADE, { id: '0x1', feeSchedule: null })).toThrow('fee rate of market 0x1 is not known');
  });
});

describe('words and times of the venue', () => {
  it.each([
    ['MATCHED', 'matched'],
    ['MATCHED_NOT_BROADCASTED', 'matched'],
    ['TRADE_STATUS_MINED', 'mined'],
    ['confirmed', 'confirmed'],
    ['RETRYING', 'retrying'],
    ['FAILED', 'failed'],
    ['SOMETHING_NEW', 'matched'],
  ])('trade %s is %s', (word, settlement) => {
    expect(tradeSettlement(word)).toBe(settlement);
  });

  it.each([
    ['LIVE', 'open'],
    ['ORDER_STATUS_MATCHED', 'matched'],
    ['delayed', 'delayed'],
    ['UNMATCHED', 'open'],
    ['CANCELED_MARKET_RESOLVED', 'canceled'],
    ["CANCELED_order couldn't be fully filled", 'canceled'],
    ['INVALID', 'invalid'],
    ['', null],
  ])('order %s is %s', (word, status) => {
    expect(orderStatus(word)).toBe(status);
  });

  it('takes an order that matched in part for open', () => {
    const event = { id: '0xa', type: 'UPDATE', status: 'MATCHED', asset_id: '7', side: 'sell', price: '0.5' };
    expect(readOrderEvent({ ...event, original_size: '10', size_matched: '4' }).status).toBe('open');
    expect(readOrderEvent({ ...event, original_size: '10', size_matched: '10' }).status).toBe('matched');
  });

  it('reads seconds and milliseconds', () => {
    expect([wireInstant('1700000000'), wireInstant(1_700_000_000_123)]).toEqual([1_700_000_000_000, 1_700_000_000_123]);
  });
});
