import type { MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { describe, expect, it } from 'vitest';
import { changedPrices, groupedMarks, legsAtEach, percentAlong, placeAt, reachedBy } from './playing.ts';

const at = (ms: number) => ({ at: instantFromMs(ms) });
const leg = (index: number, trust: MomentLeg['trust']): MomentLeg => ({ index, trust, bids: [], asks: [] });
const level = (price: string, size: string) => ({ price: priceFromText(price), size: sharesFromText(size) });

describe('the moments of a span', () => {
  it('are found by time: the last one that had come', () => {
    const moments = [at(10), at(20), at(20), at(35)];
    expect([5, 10, 19, 20, 34, 35, 99].map((ms) => placeAt(moments, ms))).toEqual([0, 0, 0, 2, 2, 3, 3]);
  });

  it('have of each leg its last state', () => {
    const [a, b, c] = [leg(0, 'live'), leg(1, 'live'), leg(1, 'stale')];
    const moments = [
      { ...at(1), legs: [a, b] },
      { ...at(2), legs: [] },
      { ...at(3), legs: [c] },
    ];
    expect(legsAtEach(moments)).toEqual([
      [a, b],
      [a, b],
      [a, c],
    ]);
  });

  it('mark the levels that have come or changed, and none where nothing was known before', () => {
    const levels = [level('0.4', '5'), level('0.5', '7'), level('0.6', '1')];
    const before = [level('0.4', '5'), level('0.5', '8')];
    expect([...changedPrices(levels, before)]).toEqual([priceFromText('0.5'), priceFromText('0.6')]);
    expect([...changedPrices(levels, null)]).toEqual([]);
  });

  it('lie along the span as time does', () => {
    const span = { from: instantFromMs(100), until: instantFromMs(300) };
    expect([50, 100, 150, 300, 400].map((ms) => percentAlong(span, ms))).toEqual([0, 0, 25, 100, 100]);
  });

  it('have one mark for what happened at once', () => {
    const marks = [
      { ...at(2), text: 'Sent' },
      { ...at(1), text: 'Decided' },
      { ...at(2), text: 'Sent' },
      { ...at(2), text: 'Filled' },
    ];
    expect(groupedMarks(marks)).toEqual([
      { ...at(1), text: 'Decided' },
      { ...at(2), text: 'Sent, Filled' },
    ]);
  });

  it('are stepped through by keys: moment by moment, and from mark to mark', () => {
    const span = { from: instantFromMs(0), until: instantFromMs(100) };
    const moments = Array.from({ length: 40 }, (_, index) => at(2 * index));
    const marks = [
      { ...at(11), text: 'Sent' },
      { ...at(50), text: 'Filled' },
    ];
    const from20 = (key: string, given = marks) => reachedBy(key, instantFromMs(20), { moments, marks: given, span });
    expect(from20('ArrowRight')).toBe(22);
    expect(from20('ArrowLeft')).toBe(18);
    expect(from20('PageUp')).toBe(50);
    expect(from20('PageDown')).toBe(11);
    expect(from20('PageUp', [])).toBe(40);
    expect(from20('PageDown', [])).toBe(0);
    expect(from20('Home')).toBe(0);
    expect(from20('End')).toBe(100);
    expect(from20('Tab')).toBeUndefined();
    expect(reachedBy('ArrowRight', instantFromMs(78), { moments, marks, span })).toBe(100);
  });
});
