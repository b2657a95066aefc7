/** Finds the batch of an order that a venue reports, and wakes it: the batch reads what became of the order. */
import type { OrderName } from '@dutchbook/units/ids.ts';
import { sql } from 'drizzle-orm';
import { executeNamed } from '../../../platform/database/named.ts';
import type { Partitions } from '../../../platform/engines/partitions.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { AttemptRecord } from '../../orders/batch-state.ts';
import { attempts, batches } from '../../orders/table.ts';
import type { OrderPolls } from '../recovery/polls.ts';

export type PlacedOrders = {
  /**
   * Has an order polled and its batch woken. False if the product has not placed it. `isGone`: the venue says that it was canceled.
   */
  poll: (orderHash: OrderName, isGone?: boolean) => Promise<boolean>;
  /** Attempts that this process has recorded just now, and that are about to leave. */
  note: (opportunityId: string, attempts: readonly Pick<AttemptRecord, 'id' | 'batchId' | 'orderHash'>[]) => void;
  forget: () => void;
};

/** The venue tells of a match once for each order and each step of its way: what comes together is read once. */
const GATHER_MS = 20;
/** Orders kept in memory: the oldest go, and are read again if the venue reports them. */
const KNOWN_MAX = 10_000;

type PlacedAttempt = { id: string; batchId: string; opportunityId: string };

export function openPlacedOrders(
  { db, timers }: Pick<Runtime, 'db' | 'timers'>,
  partitions: Pick<Partitions, 'owns'>,
  polls: OrderPolls,
  wake: (batchId: string) => void,
): PlacedOrders {
  // The venue speaks of an order many times, at once too, and whose it is never changes.
  const known = new Map<string, Promise<PlacedAttempt | undefined>>();
  const remember = (orderHash: OrderName, attempt: Promise<PlacedAttempt | undefined>) => {
    known.set(orderHash, attempt);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size > KNOWN_MAX) known.delete(oldest);
  };
  const gathered = new Set<string>();
  function wakeSoon(batchId: string): void {
    if (gathered.has(batchId)) return;
    gathered.add(batchId);
    timers.after(GATHER_MS, () => {
      gathered.delete(batchId);
      wake(batchId);
    });
  }
  return {
    forget: () => known.clear(),
    note(opportunityId, attempts) {
      for (const { id, batchId, orderHash } of attempts)
        remember(orderHash, Promise.resolve({ id, batchId, opportunityId }));
    },
    async poll(orderHash, isGone = false) {
      const asked = known.get(orderHash) ?? readAttempt(db, orderHash);
      remember(orderHash, asked);
      const attempt = await asked.catch((error: unknown) => {
        known.delete(orderHash);
        throw error;
      });
      if (!attempt) {
        known.delete(orderHash);
        return false;
      }
      if (partitions.owns(attempt.opportunityId)) {
        polls.noteNotified(attempt.id, isGone);
        wakeSoon(attempt.batchId);
      }
      return true;
    },
  };
}

async function readAttempt(db: Runtime['db'], orderHash: OrderName): Promise<PlacedAttempt | undefined> {
  const [attempt] = await executeNamed<PlacedAttempt>(
    db,
    sql`select a.id, a.batch_id as "batchId", b.opportunity_id as "opportunityId"
      from ${attempts} a join ${batches} b on b.id = a.batch_id where a.order_hash = ${orderHash}`,
  );
  return attempt;
}
