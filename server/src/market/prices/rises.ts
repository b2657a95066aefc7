/** From a profit that has come up to the trigger to the record of it: each rise by itself, in the order they were seen. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { SystemSettings } from '../../people/system-settings/watched-settings.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { decisionLine, type JournaledDecision } from '../decision-journal/journaled.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import { pace } from '../opportunities/history/pacing.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import { type Rise, resetTo, type Tracked } from './tracked.ts';
import {
  type Bought,
  type Buying,
  type Decided,
  type OnTrigger,
  type Refused,
  recordTrigger,
  type TriggerOutcome,
} from './trigger.ts';

const TRIGGER_RETRY_MS = 5000;
/** Of one opportunity, while the database takes none of them. */
const RISES_MAX = 100;

export const FALLEN_AGAIN = 'The profit has fallen below the trigger again.';

type RisesRuntime = Pick<Runtime, 'clock' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;
type Needed = { settings: SystemSettings; partitions: Partitions; journal: DecisionJournal; onTrigger: OnTrigger };

/** The profit stands at the trigger or above: where it came from below, that is to be recorded. */
export function noteRise(
  { log }: RisesRuntime,
  { instants }: Pick<DecisionJournal, 'instants'>,
  tracked: Tracked,
  quotes: readonly LiveQuote[],
): void {
  const { row, rises, aboveTrigger, isTriggering } = tracked;
  const waiting = rises.length > (isTriggering ? 1 : 0) ? rises.at(-1) : undefined;
  // One that waits is recorded and bought by what was seen last.
  if (aboveTrigger && waiting !== undefined) rises[rises.length - 1] = { ...waiting, row, quotes };
  if (aboveTrigger) return;
  tracked.aboveTrigger = true;
  if (rises.length < RISES_MAX) rises.push({ row, quotes, seenAt: instants.ofDecision() });
  else log.error({ opportunity: row.id }, 'trigger dropped, too many wait for the database');
}

/**
 * Records what waits, until all is recorded or something goes wrong; that is tried again after some seconds. The row's
 * `rises` counts what was ever recorded of it: who records the next one says after how many.
 */
export async function recordRises(runtime: RisesRuntime, needed: Needed, tracked: Tracked): Promise<void> {
  tracked.isTriggering = true;
  tracked.retryTriggerAt = null;
  try {
    while (tracked.rises[0] !== undefined && tracked.retryTriggerAt === null) {
      await recordOne(runtime, needed, tracked, tracked.rises[0]);
    }
  } finally {
    tracked.isTriggering = false;
  }
}

async function recordOne(runtime: RisesRuntime, needed: Needed, tracked: Tracked, rise: Rise): Promise<void> {
  const { clock, log } = runtime;
  const { id } = rise.row;
  const begunAt = needed.journal.instants.ofDecision();
  const bought = boughtOn(needed, tracked, rise);
  let placed: string | null = null;
  let decided: Decided | Refused = 'look' in bought ? { refusals: [] } : bought;
  const looked: Bought =
    'look' in bought
      ? {
          look: (send) => {
            const decide = bought.look(send);
            return async () => (decided = await decide());
          },
        }
      : bought;
  try {
    const row = { ...rise.row, rises: tracked.row.rises };
    const outcome = await recordTrigger(runtime, row, needed.partitions.claimOf(id), looked, rise.quotes);
    if (outcome.kind === 'recorded') placed = outcome.batchId;
    if (outcome.kind === 'not_held')
      log.warn({ opportunity: id }, 'trigger not recorded, partition of its opportunity lost');
    if (outcome.kind === 'recorded') log.info({ opportunity: id, batch: placed }, 'opportunity triggered');
    if (outcome.kind === 'recorded')
      noteDecision(needed.journal, row, decided, placed, { seenAt: rise.seenAt, begunAt });
    takeOutcome(tracked, rise, outcome, clock.now());
  } catch (error) {
    tracked.retryTriggerAt = retryAfter(clock.now());
    log.error({ err: error, opportunity: id }, 'trigger not recorded, repeated');
  } finally {
    if ('end' in bought) bought.end(placed);
  }
}

/** `row`: as it was before the rise was recorded. */
function noteDecision(
  journal: DecisionJournal,
  row: StoredOpportunity,
  decided: Decided | Refused,
  batchId: string | null,
  instants: Pick<JournaledDecision, 'seenAt' | 'begunAt'>,
): void {
  const { id, currentPrice, feesPerSet, profitPercentage: profitPct } = row;
  if (currentPrice === null || feesPerSet === null || profitPct === null) return;
  const { by } = decided;
  const rises = row.rises + 1;
  const bought = 'batchId' in decided ? { size: decided.size, orders: by?.orders ?? [] } : { size: null, orders: [] };
  const refusals = 'refusals' in decided ? decided.refusals : [];
  const line = decisionLine({ opportunityId: id, rises, currentPrice, feesPerSet, profitPct, ...bought, refusals });
  const { account = null, activeBatchId = null, bookAges = [] } = by ?? {};
  const journaled = { rises, ...instants, line, batchId, account, activeBatchId, bookAges };
  journal.note('decision', id, journaled, by?.at ?? instants.begunAt);
}

/** What has fallen again is notified and not bought: its prices are gone. */
function boughtOn({ settings, onTrigger }: Needed, tracked: Tracked, rise: Rise): Buying | Refused {
  if (!settings.current().AUTO_PLACE_ORDER_ENABLED) return { refusals: [] };
  const stands = tracked.aboveTrigger && tracked.rises.length === 1;
  return stands ? onTrigger.buy(rise.row, rise.quotes) : { refusals: [FALLEN_AGAIN] };
}

function takeOutcome(tracked: Tracked, rise: Rise, outcome: TriggerOutcome, now: Instant): void {
  // What was edited meanwhile is as the edit left it.
  if (tracked.rises[0] !== rise) return;
  const { row } = tracked;
  switch (outcome.kind) {
    case 'recorded': {
      pace(tracked.history, { ...rise.row, triggered: true }, true);
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
    case 'not_held':
      resetTo(tracked, { ...row, triggered: false });
      tracked.retryTriggerAt = retryAfter(now);
  }
}

function retryAfter(now: Instant): Instant {
  return (now + TRIGGER_RETRY_MS) as Instant;
}
