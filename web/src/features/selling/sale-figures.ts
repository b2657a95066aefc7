import type { HeldSaleSimulation } from '@dutchbook/contract/selling.ts';
import { PERCENT_ZERO } from '@dutchbook/units/percent.ts';
import { PRICE_ZERO } from '@dutchbook/units/price.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { errorText } from '../../calls/api-error.ts';
import type { Simulated } from '../../calls/use-simulation.ts';

/** What a sale would bring, whichever shares it sells. */
export type SaleFigures = Omit<HeldSaleSimulation, 'simulation'>;

/** What was simulated; a simulation that failed shows zeros, with its error. */
export function figuresOf<Simulation extends SaleFigures>(shown: Simulated<unknown, Simulation>): SaleFigures {
  if ('simulation' in shown) return shown.simulation;
  return {
    total_orders: 0,
    sellable_orders: 0,
    total_original_value: USD_ZERO,
    estimated_proceeds: USD_ZERO,
    estimated_fees: USD_ZERO,
    estimated_profit: USD_ZERO,
    estimated_profit_percentage: PERCENT_ZERO,
    average_original_price: PRICE_ZERO,
    average_sell_price: PRICE_ZERO,
    orders: [],
    settling: [],
    warnings: [],
    errors: [errorText(shown.error)],
  };
}
