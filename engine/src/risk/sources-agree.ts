import type { Blocker, GateContext, GateQuote } from './context.ts';
import { firstOf } from './wording.ts';

/** Refuses a market on whose fees, tokens or price steps the venue's own sources differ. */
export function sourcesAgreeGate({ quotes }: Pick<GateContext, 'quotes'>): Blocker | null {
  return firstOf(
    quotes.flatMap((quote) => {
      const says = (quote.market?.differences ?? []).map((difference) => difference.says).join('; ');
      return says === ''
        ? []
        : refusal(quote, `the venue's own sources differ on "${quote.market?.question}": ${says}`);
    }),
  );
}

/** Refuses a market that has not been compared with the venue's second source yet. */
export function sourcesComparedGate({ quotes }: Pick<GateContext, 'quotes'>): Blocker | null {
  return firstOf(
    quotes.flatMap((quote) =>
      quote.market?.differences === null
        ? refusal(quote, `"${quote.market.question}" was not compared with the venue's second source yet`)
        : [],
    ),
  );
}

function refusal({ leg }: GateQuote, why: string): Blocker {
  return { gate: 'sources', message: `leg ${leg}: ${why}`, actual: null, required: null };
}
