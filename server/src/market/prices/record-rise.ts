/** Records a rise that the desk proposes, and the purchase on it. */
import { type RiseOutcome, whyNotBought } from '@dutchbook/engine/desk/rises.ts';
import { returnOfHit } from '@dutchbook/engine/desk/serving-order.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { recordOnceLeft } from '../../people/notifications/deferred.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { decisionLine, type JournaledDecision } from '../decision-journal/journaled.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import { pace } from '../opportunities/history/pacing.ts';
import type { StoredOpportunity } from '../opportunities/store.ts';
import type { Rise, Tracked } from './tracked.ts';
import {
  type Bought,
  type Buying,
  type Decided,
  type OnTrigger,
  type Refused,
  recordTrigger,
  type TriggerOutcome,
} from './trigger.ts';
import type { Turns } from './turns.ts';

const TRIGGER_RETRY_MS = 5000;

type Needed = {
  runtime: Pick<Runtime, 'clock' | 'timers' | 'db' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;
  partitions: Partitions;
  journal: DecisionJournal;
  onTrigger: OnTrigger;
  turns: Turns;
  noteShown?: NoteShown;
};

/** Called when an opportunity has risen and nothing was bought: our own orders have taken nothing of its books. */
export type NoteShown = (
  rise: { opportunityId: string; at: Instant },
  positions: readonly Position[],
  targetPrice: Price,
) => void;

/**
 * Records the rise and, where there are no `refusals`, what is bought on it. The row's `rises` counts what was ever recorded of it: who
 * records the next one says after how many.
 */
export async function recordRise(
  needed: Needed,
  tracked: Tracked,
  rise: Rise,
  refusals: readonly string[] | null,
): Promise<RiseOutcome> {
  const { clock, log } = needed.runtime;
  try {
    return outcomeOf(await recorded(needed, tracked, rise, refusals), clock.now());
  } catch (error) {
    log.error({ err: error, opportunity: rise.row.id }, 'trigger not recorded, repeated');
    return { kind: 'later', at: retryAfter(clock.now()), isLost: false };
  }
}

async function recorded(
  { runtime, partitions, journal, onTrigger, turns, noteShown }: Needed,
  tracked: Tracked,
  rise: Rise,
  proposed: readonly string[] | null,
): Promise<TriggerOutcome> {
  const { log } = runtime;
  const { id } = rise.row;
  // A turn is waited for with the prices that were proposed.
  const begunAt = journal.instants.ofDecision();
  const endTurn = proposed === null ? await turns.take(returnOfHit(rise, runtime.clock.now())) : () => {};
  // The profit may have fallen while other hits decided.
  const refusals = proposed ?? whyNotBought(tracked, true);
  if (refusals !== null) endTurn();
  const bought: Buying | Refused = refusals === null ? onTrigger.buy(rise.row, rise.quotes) : { refusals };
  let placed: string | null = null;
  let decided: Decided | Refused = 'look' in bought ? { refusals: [] } : bought;
  const looked: Bought =
    'look' in bought
      ? {
          look: (send) => {
            const decide = bought.look(send);
            return async () => {
              decided = await decide();
              endTurn();
              return decided;
            };
          },
        }
      : bought;
  try {
    const row = { ...rise.row, rises: tracked.row.rises };
    const outcome = await recordTrigger(runtime, row, partitions.claimOf(id), looked, rise.quotes);
    if (outcome.kind === 'not_held')
      log.warn({ opportunity: id }, 'trigger not recorded, partition of its opportunity lost');
    if (outcome.kind !== 'recorded') return outcome;
    placed = outcome.batchId;
    log.info({ opportunity: id, batch: placed }, 'opportunity triggered');
    noteDecision(journal, row, decided, placed, { seenAt: rise.seenAt, begunAt });
    if (placed === null) {
      const at = rise.row.lastChecked ?? runtime.clock.now();
      noteShown?.({ opportunityId: id, at }, rise.quotes, rise.row.targetPrice);
    }
    if (tracked.rises[0] === rise) pace(tracked.history, { ...rise.row, triggered: true }, true);
    return outcome;
  } finally {
    endTurn();
    if ('end' in bought) bought.end(placed);
    if (placed !== null && 'leavesAtOnce' in decided && decided.leavesAtOnce) recordOnceLeft(runtime, placed);
  }
}

function outcomeOf(outcome: TriggerOutcome, now: Instant): RiseOutcome {
  if (outcome.kind === 'not_held') return { kind: 'later', at: retryAfter(now), isLost: true };
  return outcome;
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

function retryAfter(now: Instant): Instant {
  return instantFromMs(now + TRIGGER_RETRY_MS);
}
