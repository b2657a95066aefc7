import { priceFromText, tickFromText } from '@dutchbook/units/price.ts';
import { expect, test } from 'vitest';
import { roundToGrid, tickAt } from './tick.ts';

const CENT = tickFromText('0.01');
const band = (from: string, to: string) => ({
  from: priceFromText(from),
  to: priceFromText(to),
  tick: tickFromText('0.001'),
});
const TAPERED = { tick: CENT, tickBands: [band('0', '0.1'), band('0.9', '1')] };

test.each([
  ['0.0415', '0.042', '0.041'],
  ['0.1', '0.1', '0.1'],
  ['0.1005', '0.11', '0.1'],
  ['0.555', '0.56', '0.55'],
  ['0.9', '0.9', '0.9'],
  ['0.9015', '0.902', '0.901'],
])('a price of %s is %s or %s on a grid that is finer near the ends', (price, up, down) => {
  expect(roundToGrid(priceFromText(price), TAPERED, 'up')).toBe(priceFromText(up));
  expect(roundToGrid(priceFromText(price), TAPERED, 'down')).toBe(priceFromText(down));
});

test('without bands there is one step', () => {
  for (const price of ['0', '0.05', '0.5', '1'])
    expect(tickAt({ tick: CENT, tickBands: [] }, priceFromText(price))).toBe(CENT);
  expect(tickAt({ tick: CENT }, priceFromText('0.05'))).toBe(CENT);
});
