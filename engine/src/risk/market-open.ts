import { instantToIso } from '@dutchbook/units/instant.ts';
import type { Blocker, GateContext, GateQuote } from './context.ts';
import { firstOf } from './wording.ts';

/**
 * Every market is open and takes orders, whatever the settings; with timing validation on, its end date is still to
 * come, since a venue may leave a market open after what it asks about is known.
 */
export function marketOpenGate(context: GateContext): Blocker | null {
  return firstOf(
    context.quotes.flatMap((quote): Blocker[] => {
      const why = whyShut(quote, context);
      if (why === null) return [];
      return [{ gate: 'market-open', message: `leg ${quote.leg}: ${why}`, actual: null, required: null }];
    }),
  );
}

function whyShut({ market, marketId }: GateQuote, { settings, now }: GateContext): string | null {
  if (market === undefined) return `the venue does not know market ${marketId}`;
  const name = `"${market.question}"`;
  if (market.closed) return `${name} is closed`;
  if (!market.acceptingOrders) return `${name} takes no orders`;
  if (!settings.validateTiming || market.endDate === null || market.endDate > now) return null;
  return `${name} was to end at ${instantToIso(market.endDate)}`;
}
