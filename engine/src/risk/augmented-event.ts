import type { Market } from '../market/market.ts';
import { coversOnlyListed } from '../opportunity/augmented.ts';
import type { Blocker, GateContext } from './context.ts';

/** A set that forgets the unlisted outcome of an augmented event can lose everything; a person may know better. */
export function augmentedEventGate({ quotes }: GateContext): Blocker | null {
  const markets = new Map<string, Market>();
  for (const { market } of quotes) if (market !== undefined) markets.set(market.id, market);
  if (!coversOnlyListed(quotes, markets)) return null;
  const message = 'the event has an unlisted outcome that this set does not cover';
  return { gate: 'augmented-event', message, actual: null, required: null };
}
