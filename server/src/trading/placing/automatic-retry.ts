import { automaticRetryAt, retryPauseMs } from '@dutchbook/engine/batch/retry.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { recordAction, THE_SYSTEM } from '../../audit/record.ts';
import { requestRetry } from '../../batches/intents.ts';
import { readBatch } from '../../batches/store.ts';
import { readOpportunity } from '../../opportunities/store.ts';
import type { SystemSettings, TradingControls } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import type { Aftermath } from './aftermath.ts';

type RetryingParts = { world: World; controls: TradingControls; settings: SystemSettings };

/**
 * Retries of its own accord what has failed or was completed in part, each time after a longer pause; answers which
 * batches. One that has waited past its moment because trading was disarmed, or the product was down, for long is left to
 * a person: what made it worth buying is long ago.
 */
export async function retryAutomatically(
  { world, controls, settings }: RetryingParts,
  ended: readonly Aftermath[],
): Promise<string[]> {
  const { db, clock } = world;
  const rules = { automatic: settings.current().AUTO_PLACE_ORDER_ENABLED, armed: controls.current().armed };
  if (!rules.automatic || !rules.armed) return [];
  const now = clock.now();
  const retried: string[] = [];
  for (const { id } of ended.filter(mayBeDue(now))) {
    const due = await dueAt(world, id, rules);
    if (due === null || now < due) continue;
    const asked = await db.transaction(async (tx) => {
      const answer = await requestRetry(tx, world, id, false);
      if (answer?.kind === 'requested')
        await recordAction(tx, world, THE_SYSTEM, { action: 'batch.retried', object: id });
      return answer;
    });
    if (asked?.kind === 'requested') retried.push(id);
  }
  return retried;
}

const LATE_MAX_MS = 60_000;
const LONGEST_WAIT_MS = retryPauseMs(Number.MAX_SAFE_INTEGER) + LATE_MAX_MS;

/** What ended before this is not retried by itself any more. */
export function retriedSince(now: Instant): Instant {
  return (now - LONGEST_WAIT_MS) as Instant;
}

/** Its pause is over, and has not been for long: only then the batch itself is read. */
function mayBeDue(now: Instant) {
  return ({ executionCompletedAt, retryCount }: Aftermath) => {
    if (executionCompletedAt === null) return false;
    const lateMs = now - executionCompletedAt - retryPauseMs(retryCount);
    return lateMs >= 0 && lateMs <= LATE_MAX_MS;
  };
}

async function dueAt(
  { db }: Pick<World, 'db'>,
  batchId: string,
  rules: { automatic: boolean; armed: boolean },
): Promise<Instant | null> {
  const batch = await readBatch(db, batchId);
  if (batch?.executionCompletedAt == null) return null;
  // Refused each time, it would leave no retry to those who may buy such a set. What is half bought is completed.
  if (batch.status === 'failed' && (await readOpportunity(db, batch.opportunityId))?.augmentedEvent) return null;
  const endedAt = batch.executionCompletedAt;
  return automaticRetryAt({ ...batch, endedAt }, rules);
}
