/** Runs a batch's steps at each venue independently: a venue that does not answer holds up only its own orders. */
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { type BatchState, loadBatch } from '../../orders/batch-state.ts';

export type VenueLanes = {
  /** Whether something is under way at the venue of this id. */
  isBusyAt: (id: string) => boolean;
  isBusy: () => boolean;
  /**
   * Does the work at the venue of each of these. Of a batch at one venue it resolves when that is done; else as soon as something is
   * done at one of its venues, or a moment later, when there may be something to do at another: with the batch as it is then.
   */
  each: <Item>(
    items: readonly Item[],
    idOf: (item: Item) => string,
    work: (some: readonly Item[]) => Promise<BatchState>,
  ) => Promise<BatchState>;
  /** Resolves when something is done at one of the venues that was not answered yet, or a moment later. */
  next: () => Promise<BatchState>;
  /** Resolves when nothing is under way any more, however it ended. */
  ended: () => Promise<void>;
};

/** While a venue does not answer, how soon it is looked up what else is to be done by then. */
const LOOK_AGAIN_MS = 250;

export function openLanes(
  { db, timers }: Pick<Runtime, 'db' | 'timers'>,
  batchId: string,
  orders: readonly { tokenId: string }[],
): VenueLanes {
  const isAtOne = new Set(orders.map(({ tokenId }) => venueOf(tokenId))).size <= 1;
  const running = new Map<VenueName, Promise<void>>();
  const failures: unknown[] = [];
  let done = 0;
  let known = 0;

  const begin = (venue: VenueName, work: () => Promise<unknown>) => {
    const lane = work()
      .then(
        () => {},
        (error: unknown) => void failures.push(error),
      )
      .finally(() => {
        running.delete(venue);
        done += 1;
      });
    running.set(venue, lane);
  };
  /** Several write beside one another, so that only the database says how the batch stands. */
  const stateNow = async () => {
    if (failures.length > 0) throw failures.shift();
    known = done;
    const state = await loadBatch(db, batchId);
    if (state === null) throw new Error(`batch ${batchId} has a lease but no row`);
    return state;
  };
  const next = async () => {
    if (done === known) {
      const { promise: passed, resolve } = Promise.withResolvers<void>();
      const stop = timers.after(LOOK_AGAIN_MS, resolve);
      await Promise.race([...running.values(), passed]);
      stop();
    }
    return await stateNow();
  };

  return {
    isBusyAt: (id) => running.has(venueOf(id)),
    isBusy: () => running.size > 0,
    each: async (items, idOf, work) => {
      if (isAtOne) return await work(items);
      for (const [venue, some] of Map.groupBy(items, (item) => venueOf(idOf(item)))) begin(venue, () => work(some));
      return await next();
    },
    next,
    ended: async () => void (await Promise.all(running.values())),
  };
}
