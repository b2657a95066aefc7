/**
 * The loop that carries out what batches record. It owns a batch by a lease of seconds, looks at what is committed, does
 * the next step, and starts over; so a process that has just started and one that has been running do the same thing.
 */

import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { UserStream } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { unfinishedBatchIds } from '../../batches/store.ts';
import { type ExternalOrders, followExternalOrders } from '../../external-orders/follow.ts';
import type { Placing, SystemSettings } from '../../parts.ts';
import { attempts } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';
import { readAftermath } from './aftermath.ts';
import { retriedSince, retryAutomatically } from './automatic-retry.ts';
import { isFinalOrder, loadBatchState } from './batch-state.ts';
import { type Inquiries, newInquiries } from './inquiries.ts';
import { tellLegRisk } from './leg-risk.ts';
import { tellUnwindCosts } from './publish.ts';
import { type PlacingParts, type Worker, workOn } from './work.ts';

/** How often the loop looks for work that nobody called it to: batches of a process that died, lost stream events. */
const LOOK_EVERY_MS = 1000;

/** Resolves when it knows what an earlier run left behind; until all of that is reconciled, `isReconciled` is false. */
export async function startPlacing(parts: PlacingParts & { settings: SystemSettings }): Promise<Placing> {
  const { world, venue } = parts;
  const { trading } = venue;
  if (trading === null) return { wake: () => {}, isReconciled: () => true, stop: async () => {} };

  const inquiries = newInquiries();
  const worker: Worker = { parts, trading, owner: world.dice.uuid(), inquiries };
  const running = new Map<string, Promise<void>>();
  const calledAgain = new Set<string>();
  const startedAt = world.clock.now();
  const leftBehind = new Set(await unfinishedBatchIds(world.db));
  let stopped = false;

  function wake(batchId: string): void {
    if (stopped) return;
    if (running.has(batchId)) {
      calledAgain.add(batchId);
      return;
    }
    const work = workOn(worker, batchId)
      .then(async (pauseMs) => {
        if (leftBehind.has(batchId) && (await isReconciled(world, batchId, startedAt))) leftBehind.delete(batchId);
        if (pauseMs !== null && pauseMs < LOOK_EVERY_MS) world.timers.after(pauseMs, () => wake(batchId));
      })
      .catch((error: unknown) => world.log.error({ err: error, batchId }, 'work on a batch was broken off'))
      .finally(() => {
        running.delete(batchId);
        if (calledAgain.delete(batchId)) wake(batchId);
      });
    running.set(batchId, work);
  }

  async function wakeAll(): Promise<void> {
    const unfinished = new Set(await unfinishedBatchIds(world.db));
    for (const batchId of leftBehind) if (!unfinished.has(batchId)) leftBehind.delete(batchId);
    for (const batchId of unfinished) wake(batchId);
  }

  const logged = (work: Promise<void>) =>
    void work.catch((error: unknown) => world.log.error({ err: error }, 'news was not looked up'));
  const external = followExternalOrders(world, venue, trading);
  const userStream = listenToVenue(parts, inquiries, { wake, wakeAll, logged, external });
  const stopWatching = parts.controls.onChange(() => logged(wakeAll()));
  const cancelLook = world.timers.every(LOOK_EVERY_MS, async () => {
    await wakeAll();
    const ended = await readAftermath(world.db, retriedSince(world.clock.now()));
    await tellLegRisk(world, ended);
    await tellUnwindCosts(parts, ended);
    for (const batchId of await retryAutomatically(parts, ended)) wake(batchId);
  });
  await wakeAll();
  logged(external.look());
  return {
    wake,
    isReconciled: () => leftBehind.size === 0,
    async stop() {
      stopped = true;
      cancelLook();
      external.stop();
      stopWatching();
      await userStream.close();
      await Promise.all(running.values());
    },
  };
}

/** Whether nothing of this batch is in doubt: all that was sent is answered for, and what stands was read since then. */
async function isReconciled({ db }: World, batchId: string, since: Instant): Promise<boolean> {
  const state = await loadBatchState(db, batchId);
  if (state === null || !(isActive(state.batch.status) || state.batch.saleUnderWay)) return true;
  const final = new Set(
    [...state.orders, ...state.sales].filter((order) => isFinalOrder(state, order)).map(({ id }) => id),
  );
  return state.attempts
    .filter(({ orderId, status }) => !final.has(orderId) && status !== 'refused' && status !== 'failed')
    .every(({ status, updatedAt }) => status !== 'prepared' && status !== 'sent' && updatedAt >= since);
}

type Callers = {
  wake: (batchId: string) => void;
  wakeAll: () => Promise<void>;
  logged: (work: Promise<void>) => void;
  external: ExternalOrders;
};

/** What the venue tells of an order only says that there is something to read: the reading decides. */
function listenToVenue(
  { world, venue }: PlacingParts,
  inquiries: Inquiries,
  { wake, wakeAll, logged, external }: Callers,
): UserStream {
  // The venue speaks of an order many times, and whose it is never changes.
  const known = new Map<string, Pick<typeof attempts.$inferSelect, 'id' | 'batchId'>>();
  async function heardOf(orderHash: string): Promise<void> {
    const attempt = known.get(orderHash) ?? (await attemptOf(world, orderHash));
    if (!attempt) return await external.heardOf(orderHash);
    known.set(orderHash, attempt);
    inquiries.heard(attempt.id);
    wake(attempt.batchId);
  }
  return venue.openUserStream({
    onOrder: ({ orderHash }) => logged(heardOf(orderHash)),
    onFill: ({ orderHash }) => logged(heardOf(orderHash)),
    onReconnect: () => {
      inquiries.forget();
      known.clear();
      logged(wakeAll());
      logged(external.look());
    },
  });
}

async function attemptOf({ db }: World, orderHash: string) {
  const [attempt] = await db
    .select({ id: attempts.id, batchId: attempts.batchId })
    .from(attempts)
    .where(eq(attempts.orderHash, orderHash));
  return attempt;
}
