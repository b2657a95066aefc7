import { roundToGrid } from '@dutchbook/engine/market/tick.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import { expect, it } from 'vitest';
import { readTickGrid } from './tick-bands.ts';

const CENTS = { start: '0.0000', end: '1.0000', step: '0.0100' };
const TAPERED = [
  { start: '0.1000', end: '0.9000', step: '0.0100' },
  { start: '0.9000', end: '1.0000', step: '0.0010' },
  { start: '0.0000', end: '0.1000', step: '0.0010' },
];

it('reads one grid for all prices, or a finer one near nothing and near a dollar, whatever the venue calls it', () => {
  expect(readTickGrid([CENTS])).toEqual({ tick: 10_000, tickBands: [] });
  const tapered = readTickGrid(TAPERED);
  expect(tapered.tick).toBe(10_000);
  const rounded = (text: string) => [
    roundToGrid(priceFromText(text), tapered, 'down'),
    roundToGrid(priceFromText(text), tapered, 'up'),
  ];
  expect(rounded('0.0455')).toEqual([45_000, 46_000]);
  expect(rounded('0.1')).toEqual([100_000, 100_000]);
  expect(rounded('0.555')).toEqual([550_000, 560_000]);
  expect(rounded('0.9505')).toEqual([950_000, 951_000]);
});

it.each([
  ['a hole', [TAPERED[0], TAPERED[1]]],
  ['an overlap', [CENTS, { start: '0.5', end: '1', step: '0.001' }]],
  ['an end before a dollar', [{ start: '0', end: '0.9', step: '0.01' }]],
  [
    'a range that begins between its own steps',
    [
      { start: '0', end: '0.105', step: '0.005' },
      { start: '0.105', end: '1', step: '0.01' },
    ],
  ],
])('refuses ranges with %s', (_what, ranges) => {
  expect(() => readTickGrid(ranges.flatMap((range) => range ?? []))).toThrow(/price range/);
});
