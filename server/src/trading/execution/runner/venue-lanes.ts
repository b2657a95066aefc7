/** What a batch does at several venues goes on at each by itself: one that does not answer holds up nothing but its own orders. */
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, loadBatch } from '../../orders/batch-state.ts';

export type VenueLanes = {
  /** Whether something is under way at the venue of this id. */
  isBusyAt: (id: string) => boolean;
  isBusy: () => boolean;
  /**
   * Does the work at the venue of each of these. Of a batch at one venue it resolves when that is done; else as soon as something is
   * done at one of its venues, with the batch as it is then.
   */
  each: <Item>(
    items: readonly Item[],
    idOf: (item: Item) => string,
    work: (some: readonly Item[]) => Promise<BatchState>,
  ) => Promise<BatchState>;
  /** Resolves when something is done at one of the venues, after `ms` at the latest. */
  next: (ms: number) => Promise<BatchState>;
  /** Resolves when nothing is under way any more, however it ended. */
  ended: () => Promise<void>;
};

export function openLanes(
  { db, timers }: Pick<Runtime, 'db' | 'timers'>,
  batchId: string,
  orders: readonly { tokenId: string }[],
): VenueLanes {
  const isAtOne = new Set(orders.map(({ tokenId }) => venueOf(tokenId))).size <= 1;
  const running = new Map<VenueName, Promise<void>>();
  const failures: unknown[] = [];

  const begin = (venue: VenueName, work: () => Promise<unknown>) => {
    const lane = work()
      .then(
        () => {},
        (error: unknown) => void failures.push(error),
      )
      .finally(() => running.delete(venue));
    running.set(venue, lane);
  };
  /** Several write beside one another, so that only the database says how the batch stands. */
  const stateNow = async () => {
    if (failures.length > 0) throw failures.shift();
    const state = await loadBatch(db, batchId);
    if (state === null) throw new Error(`batch ${batchId} has a lease but no row`);
    return state;
  };

  return {
    isBusyAt: (id) => running.has(venueOf(id)),
    isBusy: () => running.size > 0,
    each: async (items, idOf, work) => {
      if (isAtOne) return await work(items);
      for (const [venue, some] of Map.groupBy(items, (item) => venueOf(idOf(item)))) begin(venue, () => work(some));
      await Promise.race(running.values());
      return await stateNow();
    },
    next: async (ms) => {
      const { promise: passed, resolve } = Promise.withResolvers<void>();
      const stop = timers.after(ms, resolve);
      await Promise.race([...running.values(), passed]);
      stop();
      return await stateNow();
    },
    ended: async () => void (await Promise.all(running.values())),
  };
}
