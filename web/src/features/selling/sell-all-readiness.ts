import type { HeldSaleSimulation, SellSimulation } from '@dutchbook/contract/selling.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Simulated } from '../../calls/use-simulation.ts';
import { hasWrongPrice, type SellPrices, samePrices, sellPrices, type TypedPrices } from './sell-prices.ts';

export type ShownSale = Simulated<SellPrices, SellSimulation | HeldSaleSimulation> | undefined;

/** The venue credits shares some seconds after it has matched them. `late`: the server wants to be asked again later. */
export function stillSettling(late: Error | undefined): string {
  return late === undefined
    ? 'The shares are still being settled. They can be sold as soon as the venue has credited them.'
    : `The shares were still being settled. ${late.message} This then looks again by itself.`;
}

/** Why a sale cannot be executed now; `undefined` when what would be sold is just what is shown. */
export function sellAllRefusal(typed: TypedPrices, shown: ShownSale): string | undefined {
  if (shown === undefined) return 'Simulating what this sale would bring.';
  if (hasWrongPrice(typed)) return 'Correct or clear the custom price that is marked.';
  if (!samePrices(sellPrices(typed), shown.asked)) {
    return 'The custom prices have changed. Refresh the simulation to see what they bring.';
  }
  if ('error' in shown) return 'The simulation failed. Refresh it to try again.';
  const { errors, settling } = shown.simulation;
  if (errors.length > 0 && settling.length > 0) return stillSettling(shown.late);
  if (errors.length > 0) return 'Nothing can be sold while there are errors.';
  return undefined;
}

/** A simulation that did not fail, and the custom prices it was asked for. */
export type ReadySale = { asked: SellPrices; simulation: Pick<SellSimulation, 'orders'> };

/**
 * The prices to execute a plan at: those that it shows. Without them a bid that has gone since would be answered by selling
 * further down than the user has seen.
 */
export function pricesAsShown({ asked, simulation }: ReadySale): SellPrices {
  const lowest: Record<string, Price> = {};
  for (const { token_id, sell_price } of simulation.orders) {
    const other = lowest[token_id];
    lowest[token_id] = other === undefined || sell_price < other ? sell_price : other;
  }
  return { ...asked, ...lowest };
}
