import type { Simulation, WayIn } from '@dutchbook/contract/placing.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { waitAskedMs } from '../../calls/api-error.ts';

/** What was simulated for what was typed, and the price of a set that stood on screen when it was asked for. */
export type ShownPlan = {
  sizeText: string;
  wayIn: WayIn;
  simulation: Simulation;
  quotedPrice: Price | null;
  shownAtMs: number;
};

export type Planned = {
  plan: Pick<ShownPlan, 'sizeText' | 'simulation'> | undefined;
  error: Error | null;
  /** The plan is too old. */
  isExpired: boolean;
  /** The user waits for a simulation. */
  isAwaited: boolean;
};

/** Why the plan on screen is not current for the size that is typed; `undefined` when it is. */
export function planRefusal(sizeText: string, { plan, error, isExpired, isAwaited }: Planned): string | undefined {
  if (isAwaited) return 'Simulating what this order would buy.';
  if (plan !== undefined && plan.sizeText !== sizeText) {
    return 'The size has changed. Refresh the simulation to see what it buys.';
  }
  if (error !== null && (plan === undefined || isExpired)) {
    if (waitAskedMs(error) > 0) return `${error.message} The simulation is then refreshed by itself.`;
    return 'The simulation failed. Refresh it to try again.';
  }
  if (plan === undefined) return 'Simulating what this order would buy.';
  return isExpired ? 'This plan is too old to be placed. The next one is on its way.' : undefined;
}

/** Why an order cannot be placed as it is planned; `undefined` when what would be placed is just what is shown. */
export function orderRefusal(sizeText: string, planned: Planned): string | undefined {
  const hasErrors = planned.plan !== undefined && planned.plan.simulation.errors.length > 0;
  return planRefusal(sizeText, planned) ?? (hasErrors ? 'Nothing can be placed while there are errors.' : undefined);
}

export type OrderRequest = { order_size: Shares; quoted_price?: Price; way_in?: WayIn; content_hash?: string };

/**
 * What is sent to place a plan: the size that it shows, and the price at which it was asked for. With a price of the moment of
 * sending nothing could have moved, without a size the server would choose one of that moment, and without the hash other positions
 * that discovery has found meanwhile could be bought.
 */
export function orderAsShown({
  simulation,
  quotedPrice,
  wayIn,
}: Pick<ShownPlan, 'simulation' | 'quotedPrice' | 'wayIn'>): OrderRequest {
  return {
    order_size: simulation.order_size,
    ...(quotedPrice === null ? {} : { quoted_price: quotedPrice }),
    ...(wayIn === 'split' ? { way_in: wayIn } : {}),
    ...(simulation.content_hash === null ? {} : { content_hash: simulation.content_hash }),
  };
}
