import { type Tick, tickFromText } from '@dutchbook/units/price.ts';

/** The grids that the venue has, the coarsest first. */
export const TICKS: readonly Tick[] = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'].map(tickFromText);

export const FINEST_TICK: Tick = tickFromText('0.0001');
