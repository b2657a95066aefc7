import type { Timers } from './runtime.ts';

export type SlotLimits = { perUser: number; inAll: number; waitingPerUser: number; waitMs: number };

/** Counts against its user and against all users. Releasing it again has no effect. */
export type Slot = { releaseShared: () => void; release: () => void };

export type Slots = {
  /** Waits for a free slot. Null where the queue is full, the wait was too long, or the caller hung up. */
  take: (userId: string, gone: AbortSignal) => Promise<Slot | null>;
  isUsedUpBy: (userId: string) => boolean;
};

type Waiting = { userId: string; begin: (slot: Slot | null) => void };

/** Over all users, so that the queue is bounded in memory. */
const WAITING_MAX = 200;

/** Limits how much of a kind of work runs at once, for each user and in all; further work waits in a short queue. */
export function openSlots(timers: Pick<Timers, 'after'>, limits: SlotLimits): Slots {
  let inAll = 0;
  const ofUsers = new Map<string, number>();
  const queue = new Set<Waiting>();

  const isUsedUpBy = (userId: string) => (ofUsers.get(userId) ?? 0) >= limits.perUser;
  const isFree = (userId: string) => inAll < limits.inAll && !isUsedUpBy(userId);

  function occupy(userId: string): Slot {
    inAll += 1;
    ofUsers.set(userId, (ofUsers.get(userId) ?? 0) + 1);
    const releaseShared = once(() => {
      inAll -= 1;
      beginNext();
    });
    const releaseOfUser = once(() => {
      const left = (ofUsers.get(userId) ?? 1) - 1;
      if (left === 0) ofUsers.delete(userId);
      else ofUsers.set(userId, left);
    });
    return {
      releaseShared,
      release: () => {
        releaseOfUser();
        releaseShared();
        beginNext();
      },
    };
  }

  function beginNext(): void {
    for (const waiting of queue) if (isFree(waiting.userId)) waiting.begin(occupy(waiting.userId));
  }

  function isQueueFull(userId: string): boolean {
    const own = [...queue].filter((waiting) => waiting.userId === userId).length;
    return own >= limits.waitingPerUser || queue.size >= WAITING_MAX;
  }

  return {
    isUsedUpBy,
    take: (userId, gone) => {
      if (gone.aborted) return Promise.resolve(null);
      if (isFree(userId)) return Promise.resolve(occupy(userId));
      if (isQueueFull(userId)) return Promise.resolve(null);
      return new Promise((resolve) => {
        const end = () => waiting.begin(null);
        const stopWaiting = timers.after(limits.waitMs, end);
        const waiting: Waiting = {
          userId,
          begin: (slot) => {
            queue.delete(waiting);
            stopWaiting();
            gone.removeEventListener('abort', end);
            resolve(slot);
          },
        };
        queue.add(waiting);
        gone.addEventListener('abort', end);
      });
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
