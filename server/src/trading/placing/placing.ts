/**
 * The loop that carries out what batches record. It owns a batch by a lease of seconds, looks at what is committed, does
 * the next step, and starts over; so a process that has just started and one that has been running do the same thing.
 */

import type { UserStream } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import { unfinishedBatchIds } from '../../batches/store.ts';
import { type ExternalOrders, followExternalOrders } from '../../external-orders/follow.ts';
import type { Placing, Shares, SystemSettings } from '../../parts.ts';
import { attempts, batches } from '../../world/schema.ts';
import type { World } from '../../world/world.ts';
import { readAftermath } from './aftermath.ts';
import { retriedSince, retryAutomatically } from './automatic-retry.ts';
import type { Beginner, Begun } from './begin.ts';
import { type Inquiries, newInquiries } from './inquiries.ts';
import { type LeftBehind, noteLeftBehind } from './left-behind.ts';
import { tellLegRisk } from './leg-risk.ts';
import { tellUnwindCosts } from './publish.ts';
import { followUnheardFills } from './unheard-fills.ts';
import { goOnWith, workOn } from './work.ts';
import type { PlacingParts, Worker } from './worker.ts';

/** How often the loop looks for work that nobody called it to: batches of a process that died, lost stream events. */
const LOOK_EVERY_MS = 1000;

type LoopParts = PlacingParts & { settings: SystemSettings; shares: Shares };

/** `beginner`: with whom a batch begins in the transaction that records it; null where nothing is traded. */
export type StartedPlacing = Placing & { beginner: Beginner | null };

/** Resolves when it knows what an earlier run left behind; until all of that is reconciled, `isReconciled` is false. */
export async function startPlacing(parts: LoopParts): Promise<StartedPlacing> {
  const { world, venue, shares } = parts;
  const { trading } = venue;
  if (trading === null) return { wake: () => {}, isReconciled: () => true, stop: async () => {}, beginner: null };

  const inquiries = newInquiries();
  const leftBehind = noteLeftBehind(world);
  await leftBehind.add(null);
  const owner = world.dice.uuid();
  const crew = workOnBatches(parts, { parts, trading, owner, inquiries }, leftBehind);
  const { wake, wakeAll } = crew;
  const logged = (work: Promise<void>) =>
    void work.catch((error: unknown) => world.log.error({ err: error }, 'news was not looked up'));
  const ours = ownOrders(parts, inquiries, wake);
  const external = followExternalOrders(world, venue, trading, {
    isOurs: () => isKeeper(shares),
    onRevived: (orderHash) => logged(ours.heard(orderHash).then(() => {})),
  });
  const unheard = followUnheardFills(world, trading, (orderHash) => logged(ours.heard(orderHash).then(() => {})));
  const lookAtAccount = () => {
    logged(external.look());
    logged(unheard.look());
  };
  const userStream = listenToVenue(parts, inquiries, { wakeAll, logged, lookAtAccount, external, ours });
  const stops = [
    parts.controls.onChange(() => logged(wakeAll())),
    shares.onChange((gained) => logged(leftBehind.add(gained).then(wakeAll))),
    world.notices.on('batch_called', (batchId) => logged(batchId === undefined ? wakeAll() : crew.heardCall(batchId))),
    world.timers.every(LOOK_EVERY_MS, async () => {
      await wakeAll();
      const ended = await readAftermath(world.db, retriedSince(world.clock.now()), shares.held());
      await tellLegRisk(world, ended);
      await tellUnwindCosts(parts, ended);
      for (const batchId of await retryAutomatically(parts, ended)) wake(batchId);
    }),
  ];
  await wakeAll();
  lookAtAccount();
  return {
    wake: shares.held() === null ? wake : (batchId) => logged(callBatch(world, batchId)),
    isReconciled: leftBehind.isEmpty,
    beginner: { world, trading, owner, hold: crew.hold },
    async stop() {
      for (const stopHearing of stops) stopHearing();
      external.stop();
      unheard.stop();
      const ended = crew.stop();
      await userStream.close();
      await ended;
    },
  };
}

type Crew = {
  wake: (batchId: string) => void;
  /** Takes up everything that is unfinished of the shares held here. */
  wakeAll: () => Promise<void>;
  /** Somebody has called a batch in any process. */
  heardCall: (batchId: string) => Promise<void>;
  hold: Beginner['hold'];
  /** Begins nothing more, and resolves when what was begun has ended. */
  stop: () => Promise<void>;
};

/** Works on any number of batches at once, and on each only once at a time. */
function workOnBatches({ world, shares }: LoopParts, worker: Worker, leftBehind: LeftBehind): Crew {
  const running = new Map<string, Promise<void>>();
  const calledAgain = new Set<string>();
  /** Of the shares held here: another engine may take one over while a batch of it is waited for. */
  const ours = new Set<string>();
  let stopped = false;

  function wake(batchId: string): void {
    if (stopped) return;
    if (running.has(batchId)) {
      ours.add(batchId);
      calledAgain.add(batchId);
    } else follow(batchId, workOn(worker, batchId));
  }

  function follow(batchId: string, begun: Promise<number | null>): void {
    ours.add(batchId);
    const work = begun
      .then(async (pauseMs) => {
        await leftBehind.look(batchId);
        if (pauseMs !== null && pauseMs < LOOK_EVERY_MS) world.timers.after(pauseMs, () => goOn(batchId));
      })
      .catch((error: unknown) => world.log.error({ err: error, batchId }, 'work on a batch was broken off'))
      .finally(() => {
        running.delete(batchId);
        if (calledAgain.delete(batchId)) goOn(batchId);
      });
    running.set(batchId, work);
  }

  function goOn(batchId: string): void {
    if (shares.held() === null || ours.has(batchId)) wake(batchId);
  }

  return {
    wake,
    hold(batchId) {
      if (stopped) return null;
      const { promise, resolve } = Promise.withResolvers<Begun | null>();
      follow(
        batchId,
        promise.then((begun) => {
          ours.add(batchId);
          return begun === null ? workOn(worker, batchId) : goOnWith(worker, begun);
        }),
      );
      return resolve;
    },
    async wakeAll() {
      const unfinished = await unfinishedBatchIds(world.db, { shares: shares.held() });
      ours.clear();
      for (const batchId of unfinished) wake(batchId);
      await leftBehind.lookAtOthers(new Set(unfinished), shares.held() === null);
    },
    async heardCall(batchId) {
      for (const id of await unfinishedBatchIds(world.db, { batchId, shares: shares.held() })) wake(id);
    },
    async stop() {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}

/** One engine of all does what is to be done once for the account. */
function isKeeper(shares: Shares): boolean {
  return shares.held()?.includes(KEEPERS_SHARE) ?? true;
}

const KEEPERS_SHARE = 0;

type OwnOrders = {
  /** The venue has spoken of an order. False where it was not placed here. */
  heard: (orderHash: string) => Promise<boolean>;
  forget: () => void;
};

/** Has an order that was placed here read again, and its batch looked at. */
function ownOrders(
  { world, shares }: Pick<LoopParts, 'world' | 'shares'>,
  inquiries: Inquiries,
  wake: (batchId: string) => void,
): OwnOrders {
  // The venue speaks of an order many times, and whose it is never changes.
  const known = new Map<string, KnownAttempt>();
  return {
    forget: () => known.clear(),
    async heard(orderHash) {
      const attempt = known.get(orderHash) ?? (await attemptOf(world, orderHash));
      if (!attempt) return false;
      known.set(orderHash, attempt);
      if (shares.owns(attempt.opportunityId)) {
        inquiries.heard(attempt.id);
        wake(attempt.batchId);
      }
      return true;
    },
  };
}

type Callers = {
  wakeAll: () => Promise<void>;
  logged: (work: Promise<void>) => void;
  lookAtAccount: () => void;
  external: ExternalOrders;
  ours: OwnOrders;
};

/** What the venue tells of an order only says that there is something to read: the reading decides. */
function listenToVenue(
  { venue }: PlacingParts,
  inquiries: Inquiries,
  { wakeAll, logged, lookAtAccount, external, ours }: Callers,
): UserStream {
  async function heardOf(orderHash: string): Promise<void> {
    if (!(await ours.heard(orderHash))) await external.heardOf(orderHash);
  }
  return venue.openUserStream({
    onOrder: ({ orderHash }) => logged(heardOf(orderHash)),
    onFill: ({ orderHash }) => logged(heardOf(orderHash)),
    onReconnect: () => {
      inquiries.forget();
      ours.forget();
      logged(wakeAll());
      lookAtAccount();
    },
  });
}

type KnownAttempt = { id: string; batchId: string; opportunityId: string };

/** Has whichever engine it belongs to look at a batch at once. */
export async function callBatch({ db, notices }: Pick<World, 'db' | 'notices'>, batchId: string): Promise<void> {
  await notices.tell(db, 'batch_called', batchId);
}

async function attemptOf({ db }: World, orderHash: string): Promise<KnownAttempt | undefined> {
  const [attempt] = await db
    .select({ id: attempts.id, batchId: attempts.batchId, opportunityId: batches.opportunityId })
    .from(attempts)
    .innerJoin(batches, eq(batches.id, attempts.batchId))
    .where(eq(attempts.orderHash, orderHash));
  return attempt;
}
