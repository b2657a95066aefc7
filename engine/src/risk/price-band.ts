import { formatPrice, priceToNumber } from '@dutchbook/units/price.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/** With price validation on, the price of every position lies within the band, its ends included. */
export function priceBandGate({ value, settings }: GateContext): Blocker | null {
  if (!settings.validatePrices || value.kind === 'unpriced') return null;
  const { priceLow, priceHigh } = settings;
  return firstOf(
    value.positions.flatMap(({ leg, price }): Blocker[] => {
      if (price >= priceLow && price <= priceHigh) return [];
      const band = `${formatPrice(priceLow)} to ${formatPrice(priceHigh)}`;
      return [
        {
          gate: 'price-band',
          message: `leg ${leg} is at ${formatPrice(price)}, outside ${band}`,
          actual: priceToNumber(price),
          required: priceToNumber(price < priceLow ? priceLow : priceHigh),
        },
      ];
    }),
  );
}
