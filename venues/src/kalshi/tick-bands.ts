import type { TickBand } from '@dutchbook/engine/market/market.ts';
import { type Price, priceFromText, type Tick, tickFromText } from '@dutchbook/units/price.ts';
import type { PriceRange } from './wire.ts';

/** The step in the middle of the prices, and the bands with a step of their own. */
export type TickGrid = { tick: Tick; tickBands: TickBand[] };

const MIDDLE = 500_000;

/**
 * Reads how a market's prices are stepped from its ranges alone: the venue's names for kinds of grids grow in number.
 * @throws Error where the ranges leave out a price, or overlap
 */
export function readTickGrid(ranges: readonly PriceRange[]): TickGrid {
  const bands = ranges
    .map(({ start, end, step }) => ({ from: priceFromText(start), to: priceFromText(end), tick: tickFromText(step) }))
    .sort((a, b) => a.from - b.from);
  let reached: number = 0;
  for (const { from, to } of bands) {
    if (from !== reached || to <= from) throw new Error('its price ranges leave something out, or overlap');
    reached = to;
  }
  if (reached !== WHOLE) throw new Error('its price ranges do not go from nothing to a dollar');
  const middle = bands.find(({ from, to }) => from <= MIDDLE && to >= MIDDLE);
  if (middle === undefined) throw new Error('its price ranges have no middle');
  if (bands.some(({ from, tick }) => from % tick !== 0)) throw new Error('a price range begins between its own steps');
  return { tick: middle.tick, tickBands: bands.filter(({ tick }) => tick !== middle.tick) };
}

const WHOLE: Price = 1_000_000 as Price;
