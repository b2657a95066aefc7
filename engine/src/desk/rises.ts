/** Tracks rises from crossing the trigger to their record: each by itself, in the order observed. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { GateQuote } from '../risk/context.ts';
import { type OpportunityRow, type Rise, resetTo, type Tracked } from './tracked.ts';

/** Rises kept per opportunity while the database is away. */
const RISES_MAX = 100;

export const FALLEN_AGAIN = 'The profit has fallen below the trigger again.';

/**
 * What became of a rise that was proposed. `recorded`: it is, and `refusal` says why nothing was bought on it, where anything was asked
 * for. `overtaken`: another process has recorded a rise since, and the opportunity stands as it says. `gone`: it was edited since, or is
 * not there. `later`: it is proposed again from then on; where `isLost`, it was seen by a process that may not act on it any more.
 */
export type RiseOutcome =
  | { kind: 'recorded'; refusal: string | null }
  | { kind: 'overtaken'; triggered: boolean; rises: number }
  | { kind: 'gone' }
  | { kind: 'later'; at: Instant; isLost: boolean };

/**
 * The profit stands at the trigger or above: where it came from below, that is a rise, to be recorded.
 * @returns the rise; `dropped` where too many wait already; null where it stood there before
 */
export function noteRise<Row extends OpportunityRow>(
  tracked: Tracked<Row>,
  quotes: readonly GateQuote[],
  now: Instant,
): Rise<Row> | 'dropped' | null {
  const { row, rises, aboveTrigger, isTriggering } = tracked;
  const waiting = rises.length > (isTriggering ? 1 : 0) ? rises.at(-1) : undefined;
  // A waiting rise is recorded and bought by the latest quotes.
  if (aboveTrigger && waiting !== undefined) rises[rises.length - 1] = { ...waiting, row, quotes };
  if (aboveTrigger) return null;
  tracked.aboveTrigger = true;
  if (rises.length >= RISES_MAX) return 'dropped';
  const rise = { row, quotes, seenAt: now };
  rises.push(rise);
  return rise;
}

export function isFreeToRecord({ isTriggering, retryTriggerAt, rises }: Tracked, now: Instant): boolean {
  return rises.length > 0 && !isTriggering && (retryTriggerAt === null || retryTriggerAt <= now);
}

/** Why nothing is bought on its first rise; null where an order is to be placed, and no sentence where that is switched off. */
export function whyNotBought({ aboveTrigger, rises }: Tracked, placesAutomatically: boolean): readonly string[] | null {
  if (!placesAutomatically) return [];
  // A rise that has fallen again is recorded and not bought: its prices are gone.
  return aboveTrigger && rises.length === 1 ? null : [FALLEN_AGAIN];
}

/** Brings it up to what became of its first rise. */
export function takeOutcome<Row extends OpportunityRow>(
  tracked: Tracked<Row>,
  rise: Rise<Row>,
  outcome: RiseOutcome,
  now: Instant,
): void {
  if (outcome.kind === 'later') tracked.retryTriggerAt = outcome.at;
  // An edit since the proposal has reset the opportunity.
  if (tracked.rises[0] !== rise) return;
  const { row } = tracked;
  switch (outcome.kind) {
    case 'recorded': {
      tracked.rises.shift();
      const stands = tracked.aboveTrigger && tracked.rises.length === 0;
      tracked.row = { ...row, rises: row.rises + 1, triggered: stands, refusal: outcome.refusal };
      tracked.belowTriggerSince = stands ? null : (tracked.belowTriggerSince ?? now);
      return;
    }
    case 'overtaken':
      resetTo(tracked, { ...row, triggered: outcome.triggered, rises: outcome.rises });
      return;
    case 'gone':
      resetTo(tracked, { ...row, triggered: false });
      return;
    case 'later':
      if (outcome.isLost) resetTo(tracked, { ...row, triggered: false });
  }
}
