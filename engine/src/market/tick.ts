import { type Price, roundToTick, type Tick } from '@dutchbook/units/price.ts';
import type { Market } from './market.ts';

type Grid = Pick<Market, 'tick' | 'tickBands'>;

/** The step between prices where `price` is. */
export function tickAt({ tick, tickBands = [] }: Grid, price: Price): Tick {
  return tickBands.find(({ from, to }) => price >= from && price <= to)?.tick ?? tick;
}

/** The nearest price that the market takes at or below (`down`) or at or above (`up`). */
export function roundToGrid(price: Price, grid: Grid, rounding: 'up' | 'down'): Price {
  return roundToTick(price, tickAt(grid, price), rounding);
}
