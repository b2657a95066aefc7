import { instantToIso } from '@dutchbook/units/instant.ts';
import type { Blocker, GateContext, GateQuote } from './context.ts';
import { firstOf } from './wording.ts';

/** Placing, and the automatic retries of what was not filled, with their pauses. */
const BATCH_NEEDS_MS = 120_000;

/**
 * Every market is open and takes orders by the venue's word, whatever the settings; with timing validation on, none ends within
 * the time that a batch needs. End dates are editorial: one that has passed says nothing of a market that trades, and what
 * a batch has bought in part may be completed until the venue takes no more orders.
 */
export function marketOpenGate(context: GateContext): Blocker | null {
  return firstOf(
    context.quotes.flatMap((quote) => shut(quote) ?? endsSoon(quote, context) ?? pausesSoon(quote, context) ?? []),
  );
}

/** Markets that trade past their end dates: what they ask about may be known already. */
export function pastEndWarning({ quotes, now }: Pick<GateContext, 'quotes' | 'now'>): Blocker | null {
  return firstOf(
    quotes.flatMap(({ leg, market }) => {
      if (!market || market.endDate === null || market.endDate > now) return [];
      return refusal(leg, `"${market.question}" was to end at ${instantToIso(market.endDate)} and still trades`);
    }),
  );
}

/** Placing by hand warns of a pause from an hour before. */
const PAUSE_NEARS_MS = 3_600_000;

/** The venue of a market takes no orders before long, by its schedule: what rests then is canceled. */
export function pauseWarning({ quotes, now }: Pick<GateContext, 'quotes' | 'now'>): Blocker | null {
  return firstOf(
    quotes.flatMap(({ leg, market }) => {
      if (market?.nextPause === undefined) return [];
      const { from, until } = market.nextPause;
      if (from <= now || from - now >= PAUSE_NEARS_MS) return [];
      return refusal(leg, `the venue takes no orders from ${instantToIso(from)} to ${instantToIso(until)}`);
    }),
  );
}

function shut({ leg, market, marketId }: GateQuote): Blocker | null {
  if (market === undefined) return refusal(leg, `the venue does not know market ${marketId}`);
  if (market.closed) return refusal(leg, `"${market.question}" is closed`);
  if (market.acceptingOrders) return null;
  const why = market.pauseReason === undefined ? '' : `: ${market.pauseReason}`;
  return refusal(leg, `"${market.question}" takes no orders${why}`);
}

function endsSoon({ leg, market }: GateQuote, { settings, now, spentBefore }: GateContext): Blocker | null {
  if (!settings.validateTiming || spentBefore.some(({ spent }) => spent > 0) || !market?.endDate) return null;
  const leftMs = market.endDate - now;
  if (leftMs <= 0 || leftMs >= BATCH_NEEDS_MS) return null;
  const [actual, required] = [leftMs / 1000, BATCH_NEEDS_MS / 1000];
  const message = `"${market.question}" ends in ${Math.floor(actual)} s, a batch needs ${required} s`;
  return { ...refusal(leg, message), actual, required };
}

function pausesSoon({ leg, market }: GateQuote, { settings, now, spentBefore }: GateContext): Blocker | null {
  if (!settings.validateTiming || spentBefore.some(({ spent }) => spent > 0) || !market?.nextPause) return null;
  const leftMs = market.nextPause.from - now;
  if (leftMs <= 0 || leftMs >= BATCH_NEEDS_MS) return null;
  const [actual, required] = [leftMs / 1000, BATCH_NEEDS_MS / 1000];
  const message = `the venue of "${market.question}" pauses in ${Math.floor(actual)} s, a batch needs ${required} s`;
  return { ...refusal(leg, message), actual, required };
}

function refusal(leg: number, why: string): Blocker {
  return { gate: 'market-open', message: `leg ${leg}: ${why}`, actual: null, required: null };
}
