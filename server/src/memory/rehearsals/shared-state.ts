/** What both runs of a rehearsal have in common at an instant. */
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { KnownOrder } from '@dutchbook/engine/rehearsal/recorded-survival.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { JournaledAccount } from '../../market/decision-journal/journaled.ts';
import type { TakenDecisions } from './run-journal.ts';
import type { Latency, RealBatches } from './run-real-batches.ts';
import type { UnknownSpans } from './run-unknown.ts';
import type { VirtualAgenda } from './virtual-agenda.ts';

/**
 * `settings` and `account` are as they really were; null before anything is known of them. `lostUntil`: the end of the last span of
 * which nothing is known; null where there was none. Until then nothing is decided.
 */
export type SharedState = {
  now: Instant;
  settings: Settings | null;
  account: JournaledAccount | null;
  lostUntil: Instant | null;
  readonly agenda: VirtualAgenda;
  readonly decisions: TakenDecisions;
  readonly realBatches: RealBatches;
  readonly latency: Latency;
  /** What live decisions knew of how much of the shown depth is met, and from when on. */
  readonly survivalKnown: readonly KnownOrder[];
  readonly assumePlacing: boolean;
  readonly unknown: UnknownSpans;
};
