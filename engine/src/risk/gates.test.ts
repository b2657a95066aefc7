import { instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { bookOf, eventOf, feeOf, marketOf } from '../opportunity/quotes.fixture.ts';
import {
  asks,
  type Changes,
  contextOf,
  goodQuotes,
  noLimits,
  settings,
  withMarket,
  withSecond,
} from './context.fixture.ts';
import { evaluateGates, warningsOf } from './gates.ts';

describe('a gate that refuses', () => {
  it.each<{ gate: string; changes: Changes; message: string; distance: [number | null, number | null] }>([
    { gate: 'armed', changes: { of: { armed: false } }, message: 'trading is disarmed', distance: [null, null] },
    {
      gate: 'reconciled',
      changes: { reconciled: false },
      message: 'orders from before the start are still being reconciled with the venue',
      distance: [null, null],
    },
    {
      gate: 'sound-settings',
      changes: { corruptSettings: ['MIN_ORDER_SHARES', 'PRICE_LOW_THRESHOLD'] },
      message: 'the stored value of MIN_ORDER_SHARES, PRICE_LOW_THRESHOLD is out of range: set it again',
      distance: [null, null],
    },
    {
      gate: 'clock-skew',
      changes: { of: { clockSkewMs: 5001 } },
      message: "this machine's clock is 5 s behind the venue's, at most 5 s is allowed",
      distance: [5.001, 5],
    },
    {
      gate: 'clock-skew',
      changes: { of: { clockSkewMs: -7900 } },
      message: "this machine's clock is 7 s ahead of the venue's, at most 5 s is allowed",
      distance: [7.9, 5],
    },
    {
      gate: 'key-ends',
      changes: { of: { keyEndsAt: instantFromIso('2026-06-01T12:59:59Z') } },
      message:
        'the key of the account ends at 2026-06-01T12:59:59.000Z: its owner has to renew the attestation of the region',
      distance: [null, null],
    },
    { gate: 'active', changes: { active: false }, message: 'the opportunity is not active', distance: [null, null] },
    {
      gate: 'one-active-batch',
      changes: { activeBatchId: 'b7' },
      message: 'a batch of this opportunity is still active',
      distance: [null, null],
    },
    {
      gate: 'market-open',
      changes: { quotes: withMarket({ acceptingOrders: false }) },
      message: 'leg 2: "Will m2 happen?" takes no orders',
      distance: [null, null],
    },
    {
      gate: 'market-open',
      changes: { quotes: withMarket({ acceptingOrders: false, pauseReason: 'shard 2 is paused' }) },
      message: 'leg 2: "Will m2 happen?" takes no orders: shard 2 is paused',
      distance: [null, null],
    },
    {
      gate: 'market-open',
      changes: { quotes: withMarket({ endDate: instantFromIso('2026-06-01T12:01:59.900Z') }) },
      message: 'leg 2: "Will m2 happen?" ends in 119 s, a batch needs 120 s',
      distance: [119.9, 120],
    },
    {
      gate: 'sources',
      changes: {
        quotes: withMarket({ differences: [{ field: 'fee', says: 'fee rate 0.01 in Gamma, 0.04 at the CLOB' }] }),
      },
      message: 'leg 2: the venue\'s own sources differ on "Will m2 happen?": fee rate 0.01 in Gamma, 0.04 at the CLOB',
      distance: [null, null],
    },
    {
      gate: 'fresh-books',
      changes: { quotes: withSecond({ bookAgeMs: 48_900 }) },
      message: 'leg 2: book is 48 s old, at most 10 s is allowed',
      distance: [48.9, 10],
    },
    {
      gate: 'fresh-books',
      changes: { quotes: withSecond({ feed: 'stale', bookAgeMs: 2_000 }) },
      message: 'leg 2: book is 2 s old and its feed is stale',
      distance: [2, 10],
    },
    {
      gate: 'fresh-books',
      changes: { quotes: withSecond({ feed: 'none', bookAgeMs: null }) },
      message: 'leg 2: there is no book',
      distance: [null, 10],
    },
    {
      gate: 'fresh-books',
      changes: { quotes: withSecond({ book: bookOf([[0.5, 100]], [[0.5, 1]]) }) },
      message: 'leg 2: the bids of its book are not below its asks',
      distance: [0.4, 10],
    },
    {
      gate: 'profit',
      changes: { profitFloorPct: percentFromNumber(5.263158) },
      message: 'net 5.263157%, needs 5.263158%',
      distance: [5.263157, 5.263158],
    },
    {
      gate: 'profit',
      changes: { quotes: asks([[0.55, 100]]), quotedPrice: null },
      message: 'net 0.00%, needs more than 0.00%',
      distance: [0, 0],
    },
    {
      gate: 'profit',
      changes: {
        quotes: asks([
          [0.5, 1],
          [0.6, 100],
        ]),
      },
      message: 'net -3.85%, needs more than 0.00%',
      distance: [-3.846154, 0],
    },
    {
      gate: 'price-deviation',
      changes: { quotedPrice: setPriceFromNumber(0.9) },
      message: 'the price moved 5.56% from 0.9000 to 0.9500, at most 5.00% is allowed',
      distance: [5.5556, 5],
    },
    {
      gate: 'price-deviation',
      changes: { quotedPrice: setPriceFromNumber(1.01) },
      message: 'the price moved 5.94% from 1.0100 to 0.9500, at most 5.00% is allowed',
      distance: [5.9406, 5],
    },
    {
      gate: 'price-deviation',
      changes: { quotedPrice: setPriceFromNumber(0) },
      message: 'the price moved 100.00% from 0.0000 to 0.9500, at most 5.00% is allowed',
      distance: [100, 5],
    },
    {
      gate: 'price-band',
      changes: { settings: { ...settings, priceLow: priceFromNumber(0.46) } },
      message: 'leg 1 is at 0.4500, outside 0.4600 to 0.9000',
      distance: [0.45, 0.46],
    },
    {
      gate: 'price-band',
      changes: { settings: { ...settings, priceHigh: priceFromNumber(0.4) } },
      message: 'leg 1 is at 0.4500, outside 0.1000 to 0.4000, and 1 more',
      distance: [0.45, 0.4],
    },
    {
      gate: 'price-band',
      changes: {
        quotes: asks([
          [0.5, 1],
          [0.53, 100],
        ]),
        settings: { ...settings, priceHigh: priceFromNumber(0.52) },
      },
      message: 'leg 2 would be bought at up to 0.5300, outside 0.1000 to 0.5200',
      distance: [0.53, 0.52],
    },
    {
      gate: 'depth',
      changes: { size: 100, quotes: asks([[0.5, 89]]) },
      message: 'leg 2 is short of 11 shares',
      distance: [89, 100],
    },
    {
      gate: 'minimum-value',
      changes: { settings: { ...settings, minOrderValue: usdFromNumber(4.75) } },
      message: 'leg 1 is worth $4.50, needs $4.75',
      distance: [4.5, 4.75],
    },
    {
      gate: 'minimum-shares',
      changes: { settings: { ...settings, minOrderShares: sharesFromNumber(11) } },
      message: '10 shares per position, needs 11',
      distance: [10, 11],
    },
    {
      gate: 'venue-minimum',
      changes: { quotes: withMarket({ minOrderSize: sharesFromNumber(15) }) },
      message: 'leg 2: 10 shares, the venue takes no less than 15',
      distance: [10, 15],
    },
    {
      gate: 'venue-minimum',
      changes: { quotes: withMarket({ minImmediateBuy: usdFromNumber(6) }) },
      message: 'leg 2: 10 shares are worth $5.00, the venue takes no less than $6.00 at once',
      distance: [5, 6],
    },
    {
      gate: 'balance',
      changes: { of: { balance: usdFromNumber(9.49) } },
      message: 'the balance is $9.49, needs $9.50',
      distance: [9.49, 9.5],
    },
    { gate: 'balance', changes: { of: { balance: null } }, message: 'the balance is not known', distance: [null, 9.5] },
    {
      gate: 'limit-per-order',
      changes: { of: { limits: { ...noLimits, perOrder: usdFromNumber(4.99) } } },
      message: 'the order of leg 2 takes up to $5.00, the limit is $4.99',
      distance: [5, 4.99],
    },
    {
      gate: 'clip',
      changes: { clipLimits: { clip: usdFromNumber(9.49), lossAllowance: usdFromNumber(5) } },
      message:
        'the order takes more than CLIP_USD allows (up to $9.50; CLIP_USD is $9.49: set it to $9.50 or more in System Settings)',
      distance: [9.5, 9.49],
    },
    {
      gate: 'loss-allowance',
      changes: { clipLimits: { clip: usdFromNumber(9.5), lossAllowance: usdFromNumber(4.99) } },
      message:
        'the order could lose more than LOSS_ALLOWANCE_USD allows if it fills in part (up to $5.00; LOSS_ALLOWANCE_USD is $4.99: set it to $5.00 or more in System Settings)',
      distance: [5, 4.99],
    },
    {
      gate: 'limit-per-batch',
      changes: { of: { limits: { ...noLimits, perBatch: usdFromNumber(9) } } },
      message: 'the batch takes up to $9.50, the limit is $9.00',
      distance: [9.5, 9],
    },
    {
      gate: 'limit-per-day',
      changes: { of: { limits: { ...noLimits, perDay: usdFromNumber(100) }, placedToday: usdFromNumber(95) } },
      message: 'with this batch today is $104.50, the limit is $100.00',
      distance: [104.5, 100],
    },
    {
      gate: 'limit-open-exposure',
      changes: { of: { limits: { ...noLimits, openExposure: usdFromNumber(100) }, openExposure: usdFromNumber(91) } },
      message: 'with this batch open exposure is $100.50, the limit is $100.00',
      distance: [100.5, 100],
    },
  ])('$gate: $message', ({ gate, changes, message, distance: [actual, required] }) => {
    expect(evaluateGates(contextOf(changes))).toEqual([{ gate, message, actual, required }]);
  });

  it('is a limit that is not set where it must be, and no other then', () => {
    expect(evaluateGates(contextOf({ of: { limitsRequired: true } }))).toEqual([
      { gate: 'limit-per-order', message: 'no limit per order is set', actual: 5, required: null },
      { gate: 'limit-per-batch', message: 'no limit per batch is set', actual: 9.5, required: null },
      { gate: 'limit-per-day', message: 'no limit per day is set', actual: 9.5, required: null },
      { gate: 'limit-open-exposure', message: 'no limit on open exposure is set', actual: 9.5, required: null },
    ]);
    const [perOrder, perBatch, perDay, openExposure] = [5, 9.5, 9.5, 9.5].map(usdFromNumber);
    const limits = { perOrder, perBatch, perDay, openExposure } as typeof noLimits;
    expect(evaluateGates(contextOf({ of: { limitsRequired: true, limits } }))).toEqual([]);
  });

  it('does so together with all others that do', () => {
    const quotes = withSecond({ market: undefined, feed: 'none' });
    const gates = evaluateGates(contextOf({ quotes, of: { armed: false, balance: USD_ZERO } })).map(({ gate }) => gate);
    expect(gates).toEqual(['armed', 'market-open', 'fresh-books', 'profit', 'depth', 'balance']);
  });

  it('profit, for an opportunity without a price, with its reason', () => {
    const refusals = evaluateGates(contextOf({ quotes: withMarket({ closed: true }) }));
    expect(refusals).toEqual([
      { gate: 'market-open', message: 'leg 2: "Will m2 happen?" is closed', actual: null, required: null },
      { gate: 'profit', message: 'Leg 2 (Yes, "Will m2 happen?"): the market is closed', actual: null, required: 0 },
    ]);
  });

  it('nothing of what completes sets for being small, but the least that the venue takes at once', () => {
    expect(evaluateGates(contextOf({ size: 3, completes: true }))).toEqual([]);
    expect(evaluateGates(contextOf({ size: 3 })).map(({ gate }) => gate)).toEqual([
      'minimum-value',
      'minimum-shares',
      'venue-minimum',
    ]);
    expect(evaluateGates(contextOf({ size: 2, completes: true }))).toEqual([
      {
        gate: 'venue-minimum',
        message: 'leg 1: 2 shares are worth $0.90, the venue takes no less than $1.00 at once',
        actual: 0.9,
        required: 1,
      },
    ]);
    expect(evaluateGates(contextOf({ size: 0, completes: true })).map(({ gate }) => gate)).toContain('minimum-shares');
  });

  it('nothing for a key that lasts for an hour, of which a person is warned from two weeks before', () => {
    const told = (days: number) => {
      const keyEndsAt = instantFromMs(instantFromIso('2026-06-01T12:00:00Z') + days * 86_400_000);
      const context = contextOf({ of: { keyEndsAt } });
      return [evaluateGates(context), warningsOf(context)].map((all) => all.map(({ gate }) => gate));
    };
    expect(told(1 / 24)).toEqual([[], ['key-ends']]);
    expect(told(13)).toEqual([[], ['key-ends']]);
    expect(told(14)).toEqual([[], []]);
    expect(told(-1)[0]).toEqual(['key-ends']);
  });

  it('nothing for the account at the venue of what is only simulated, and what practice has not got', () => {
    const spoiled = { armed: false, allowances: new Map(), unapproved: ['adapter'], balance: usdFromNumber(9) };
    const settlements = { confirmed: 1, failed: 99, pauseAbove: settings.maxDeviation };
    const context = contextOf({ of: spoiled, settlements, quotes: withMarket({ negRisk: true }) });
    const gates = evaluateGates(context).map(({ gate }) => gate);
    expect(gates).toEqual(['armed', 'settlement-failures', 'balance', 'allowance', 'approvals']);
    expect(evaluateGates({ ...context, practice: true })).toEqual([
      { gate: 'balance', message: 'the balance of practice is $9.00, needs $9.50', actual: 9, required: 9.5 },
    ]);
  });

  it('minimum-shares, for an order of nothing', () => {
    const lax = { ...settings, minOrderShares: sharesFromNumber(0) };
    const gates = evaluateGates(contextOf({ size: 0, settings: lax })).map(({ gate }) => gate);
    expect(gates).toContain('minimum-shares');
  });
});

describe('gates for automatic orders only', () => {
  const event = eventOf({ augmented: true });
  const cases = [
    {
      gate: 'augmented-event',
      quotes: goodQuotes().map((quote) => ({
        ...quote,
        market: marketOf(quote.marketId, { event, feeSchedule: feeOf(0) }),
      })),
      message: 'the event has an unlisted outcome that this set does not cover',
      distance: [null, null],
    },
    {
      gate: 'sources',
      quotes: withMarket({ differences: null }),
      message: 'leg 2: "Will m2 happen?" was not compared with the venue\'s second source yet',
      distance: [null, null],
    },
    {
      gate: 'resolution',
      quotes: withMarket({ resolution: 'disputed' }),
      message: 'leg 2: the resolution of "Will m2 happen?" is disputed',
      distance: [null, null],
    },
    {
      gate: 'too-good-to-be-true',
      quotes: asks([[0.38, 100]]),
      message: 'net 20.48%, more than 20.00% is not believed',
      distance: [20.481927, 20],
    },
  ];

  it.each(cases)('$gate warns a person and refuses the product', ({ gate, quotes, message, distance }) => {
    const blocker = { gate, message, actual: distance[0], required: distance[1] };
    const context = contextOf({ quotes, quotedPrice: null });
    expect(evaluateGates(context)).toEqual([]);
    expect(warningsOf(context)).toEqual([blocker]);
    expect(evaluateGates({ ...context, automatic: true })).toEqual([blocker]);
  });

  it('refuse the product and warn a person where fees of a kind were not what was said, by their name or their rate', () => {
    const quotes = withMarket({ feeCategory: 'crypto_fees' });
    const context = contextOf({ quotes, feeStops: new Set(['crypto_fees']) });
    const message = 'leg 2: fees of "crypto_fees" were not what the venue said, and no superuser has cleared that';
    const blocker = { gate: 'fee-stops', message, actual: null, required: null };
    expect([evaluateGates(context), warningsOf(context)]).toEqual([[], [blocker]]);
    expect(evaluateGates({ ...context, automatic: true })).toEqual([blocker]);
    const byRate = contextOf({ automatic: true, feeStops: new Set(['rate 0']) });
    expect(evaluateGates(byRate).map(({ message }) => message)).toEqual([expect.stringContaining('and 1 more')]);
    expect(evaluateGates(contextOf({ automatic: true, feeStops: new Set(['sports_fees']) }))).toEqual([]);
  });

  it('let a profit of twenty percent pass', () => {
    const quotes = withSecond({ book: bookOf([[0.39, 100]]) });
    expect(warningsOf(contextOf({ quotes }))).toEqual([]);
  });
});
