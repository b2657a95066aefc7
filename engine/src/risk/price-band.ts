import { formatPrice, type Price, priceToNumber } from '@dutchbook/units/price.ts';
import type { Blocker, GateContext } from './context.ts';
import { firstOf } from './wording.ts';

/**
 * With price validation on, the price of every position lies within the band, its ends included, and no order may buy
 * above it, however deep into the book it has to go.
 */
export function priceBandGate({ value, plan, settings }: GateContext): Blocker | null {
  if (!settings.validatePrices || value.kind === 'unpriced') return null;
  const { priceLow, priceHigh } = settings;
  const refusal = (leg: number, how: string, price: Price): Blocker => ({
    gate: 'price-band',
    message: `leg ${leg} ${how} ${formatPrice(price)}, outside ${formatPrice(priceLow)} to ${formatPrice(priceHigh)}`,
    actual: priceToNumber(price),
    required: priceToNumber(price < priceLow ? priceLow : priceHigh),
  });
  const outside = value.positions.filter(({ price }) => price < priceLow || price > priceHigh);
  const reported = new Set(outside.map(({ leg }) => leg));
  const tooDeep = plan.orders.filter(({ leg, limitPrice }) => limitPrice > priceHigh && !reported.has(leg));
  return firstOf([
    ...outside.map(({ leg, price }) => refusal(leg, 'is at', price)),
    ...tooDeep.map(({ leg, limitPrice }) => refusal(leg, 'would be bought at up to', limitPrice)),
  ]);
}
