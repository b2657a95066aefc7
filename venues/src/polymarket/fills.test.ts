import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { describe, expect, it } from 'vitest';
import { fillsOfTrade, tradeSettlement, wireInstant } from './fills.ts';
import { orderStatus, readOrderEvent } from './orders.ts';
import { wireTrade } from './wire.ts';

const US = { apiKey: 'our-key', maker: '0xABCDEF' };
const MARKET = { id: '0x1', feeRate: fractionFromText('0.05') };
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
  fillsOfTrade(wireTrade.parse(trade), market, US).map(({ orderHash, tokenId, side, price, size, fee }) =>
    [orderHash, tokenId, side, price / 1e6, size / 1e6, fee / 1e6].join(' '),
  );

describe('our fills in a trade', () => {
  it('is one as taker, with the fee', () => {
    expect(fills(TRADE)).toEqual(['0xtaker YES buy 0.6 10 0.12']);
  });

  it('is each of our orders as maker, for their own outcome and price, without a fee', () => {
    const makers = [
      { ...OTHER, order_id: '0xm1', matched_amount: '4', asset_id: 'NO', side: 'BUY', owner: 'our-key' },
      { ...OTHER, order_id: '0xm2', matched_amount: '5', asset_id: 'YES', side: 'SELL' },
      { ...OTHER, order_id: '0xm3', matched_amount: '1', asset_id: 'YES', price: '0.6', maker_address: '0xabcdef' },
    ];
    const trade = { ...TRADE, trader_side: 'MAKER', maker_orders: makers };
    expect(fills(trade)).toEqual(['0xm1 NO buy 0.4 4 0', '0xm3 YES sell 0.6 1 0']);
  });

  it('is refused rather than booked without its fee when the rate is not known', () => {
    expect(() => fills(TRADE, { id: '0x1', feeRate: null })).toThrow('fee rate of market 0x1 is not known');
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
