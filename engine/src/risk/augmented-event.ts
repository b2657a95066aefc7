import { quotesCoverOnlyListed } from '../opportunity/augmented.ts';
import type { Blocker, GateContext } from './context.ts';

/** A set that forgets the unlisted outcome of an augmented event can lose everything; a person may know better. */
export function augmentedEventGate({ quotes }: GateContext): Blocker | null {
  if (!quotesCoverOnlyListed(quotes)) return null;
  const message = 'the event has an unlisted outcome that this set does not cover';
  return { gate: 'augmented-event', message, actual: null, required: null };
}
