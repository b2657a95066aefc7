import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { feesOf, termsOf } from './fees.ts';

const NOW = instantFromMs(1_000_000);
const rates = (fees: ReturnType<typeof feesOf>) => [fees.feeSchedule?.rate, fees.makerFeeSchedule?.rate];

describe('fees of a market', () => {
  it.each([
    ['quadratic', 1, [70_000, 0]],
    ['quadratic', 0.5, [35_000, 0]],
    ['quadratic_with_maker_fees', 1, [70_000, 17_500]],
    ['quadratic_with_combo_maker_fees', 2, [140_000, 70_000]],
  ])('of kind %s times %d are %j millionths', (type, multiplier, expected) => {
    expect(rates(feesOf({ type, multiplier }, null, NOW))).toEqual(expected);
  });

  it('are unknown, never nothing, where the kind is not known or the multiplier makes no sense', () => {
    for (const terms of [
      null,
      { type: 'flat', multiplier: 1 },
      { type: 'new', multiplier: 1 },
      { type: 'quadratic', multiplier: -1 },
    ])
      expect(feesOf(terms, null, NOW)).toEqual({ feeSchedule: null, makerFeeSchedule: null, feeChange: null });
  });

  it('are those of the event where it has its own, each part by itself', () => {
    const series = { type: 'quadratic', multiplier: 1 };
    expect(termsOf(series, { type: null, multiplier: null })).toEqual(series);
    expect(termsOf(series, { type: 'flat', multiplier: null })).toEqual({ type: 'flat', multiplier: 1 });
    expect(termsOf(series, { type: null, multiplier: 0 })).toEqual({ type: 'quadratic', multiplier: 0 });
  });

  it('are nothing while they are waived, and what they will be is known from the start', () => {
    const until = instantFromMs(NOW + 1);
    const waived = feesOf({ type: 'quadratic_with_maker_fees', multiplier: 1 }, until, NOW);
    expect(rates(waived)).toEqual([0, 0]);
    expect(waived.feeChange).toMatchObject({
      from: until,
      feeSchedule: { rate: 70_000 },
      makerFeeSchedule: { rate: 17_500 },
    });
    expect(rates(feesOf({ type: 'quadratic', multiplier: 1 }, until, until))).toEqual([70_000, 0]);
  });
});
