import { instantFromIso } from '@dutchbook/units/instant.ts';
import { percentFromNumber } from '@dutchbook/units/percent.ts';
import { priceFromNumber, setPriceFromNumber } from '@dutchbook/units/price.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { asks, type Changes, contextOf, NOW, settings, withMarket, withSecond } from './context.fixture.ts';
import { evaluateGates } from './gates.ts';

describe('an order that nothing stands against', () => {
  it.each([false, true])('passes every gate, automatic %s', (automatic) => {
    expect(evaluateGates(contextOf({ automatic }))).toEqual([]);
  });

  it.each<{ edge: string; changes: Changes }>([
    { edge: 'profit exactly at the floor', changes: { profitFloorPct: percentFromNumber(5.263157) } },
    { edge: 'a price moved exactly as far as allowed', changes: { quotedPrice: setPriceFromNumber(1) } },
    { edge: 'no quote to compare with', changes: { quotedPrice: null } },
    {
      edge: 'prices at the ends of the band',
      changes: { settings: { ...settings, priceLow: priceFromNumber(0.45), priceHigh: priceFromNumber(0.5) } },
    },
    {
      edge: 'prices outside a band that is off',
      changes: { settings: { ...settings, validatePrices: false, priceHigh: priceFromNumber(0.2) } },
    },
    { edge: 'a book just old enough', changes: { quotes: withSecond({ bookAgeMs: 10_000 }) } },
    { edge: 'a polled book', changes: { quotes: withSecond({ feed: 'polled' }) } },
    {
      edge: 'the end a millisecond away',
      changes: { quotes: withMarket({ endDate: instantFromIso('2026-06-01T12:00:00.001Z') }) },
    },
    {
      edge: 'a past end with timing off',
      changes: { quotes: withMarket({ endDate: NOW }), settings: { ...settings, validateTiming: false } },
    },
    { edge: 'just enough money', changes: { balance: usdFromNumber(9.5) } },
    { edge: 'just enough shares on offer', changes: { quotes: asks([[0.5, 10]]) } },
    {
      edge: 'limits just reached',
      changes: {
        limits: {
          perOrder: usdFromNumber(5),
          perBatch: usdFromNumber(9.5),
          perDay: usdFromNumber(10),
          openExposure: usdFromNumber(10),
        },
        placedToday: usdFromNumber(0.5),
        openExposure: usdFromNumber(0.5),
      },
    },
  ])('passes with $edge', ({ changes }) => {
    expect(evaluateGates(contextOf(changes))).toEqual([]);
  });
});
