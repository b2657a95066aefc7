/**
 * A stop that cannot be stored takes what rests off the venue all the same: the process knows by itself what it has resting at the
 * venue. Nothing is booked by that. Once the database answers, the batch runner reads at the venue what became of them.
 */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import { type AttemptStatus, awaitsOutcome } from '@dutchbook/engine/order/life.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import { batchSubject, tradingSubject } from '../../../platform/http/stops.ts';
import { openFailureLog } from '../../../platform/runtime/failure-log.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import type { AttemptRecord, BatchState } from '../../orders/batch-state.ts';
import { callsOf, mayLeave } from './venue-pace.ts';

const EVERY_MS = 1000;
/** The batches noted longest ago go first. */
const BATCHES_MAX = 10_000;

export type RestingHere = {
  /** As it was read last; of a batch that is only simulated, or has ended with no sale that waits, nothing is kept. */
  note: (state: BatchState) => void;
  noteStarted: (batchId: string, attempts: readonly Pick<AttemptRecord, 'orderHash'>[]) => void;
  /** The hashes of orders that may rest, of those batches. */
  of: (isWanted: (batchId: string) => boolean) => Set<string>;
};

export function openRestingHere(): RestingHere {
  const known = new Map<string, readonly string[]>();
  const keep = (batchId: string, hashes: readonly string[]) => {
    known.delete(batchId);
    if (hashes.length > 0) known.set(batchId, hashes);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size > BATCHES_MAX) known.delete(oldest);
  };
  return {
    note({ batch, orders, sales, attempts }) {
      const buys = isActive(batch.status) ? orders : [];
      const placed = batch.simulated ? [] : [...buys, ...sales.filter(({ waits }) => waits)].map(({ id }) => id);
      const resting = attempts.filter(({ orderId, status }) => placed.includes(orderId) && mayRest(status));
      keep(
        batch.id,
        resting.map(({ orderHash }) => orderHash),
      );
    },
    noteStarted: (batchId, attempts) =>
      keep(
        batchId,
        attempts.map(({ orderHash }) => orderHash),
      ),
    of: (isWanted) => new Set([...known].flatMap(([batchId, hashes]) => (isWanted(batchId) ? hashes : []))),
  };
}

function mayRest(status: AttemptStatus): boolean {
  return awaitsOutcome(status) || status === 'prepared' || status === 'open' || status === 'delayed';
}

/** Returns what ends it. */
export function cancelWhileHeld(
  runtime: Runtime,
  { name, trading }: { name: VenueName; trading: VenueTrading },
  placed: Pick<RestingHere, 'of'>,
): () => void {
  const { config, stops, timers, log, clock } = runtime;
  const failures = openFailureLog(log, 'warn', 'orders of a stop that is not stored yet were not canceled');
  return timers.every(EVERY_MS, async () => {
    const isHalted = stops.isHeldAlone(tradingSubject(config.venueMode, name));
    const stopped = placed.of((batchId) => isHalted || stops.isHeldAlone(batchSubject(batchId)));
    if (stopped.size === 0) return;
    try {
      const resting = (await trading.openOrders()).filter(({ orderHash }) => stopped.has(orderHash));
      const calls = callsOf('held stops', 'cancel', resting);
      if (resting.length > 0 && mayLeave({ paceOf: () => trading.pace }, calls, clock))
        await trading.cancelOrders(resting.map(({ orderHash }) => orderHash));
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
}
