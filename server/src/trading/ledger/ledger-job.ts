/** The ledger job: posts what older versions recorded, seals, and compares with the venue. One engine of all does. */
import { elapsedMs, type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { type Compared, compareWithVenue, lastCheck } from './compare.ts';
import { openFeeHolding } from './hold-fees.ts';
import { postOlderFills } from './post-fills.ts';
import { postOlderGas } from './post-gas.ts';
import { sealEntries, writeDownHead } from './seal.ts';

const LOOK_EVERY_MS = 1000;
const SEAL_EVERY_MS = 10_000;
const COMPARE_EVERY_MS = 60_000;
/**
 * A difference is notified when two comparisons in a row find it equal: by the second, payouts and trades from before the first have
 * been read.
 */
const LEAST_APART_MS = 50_000;
const OPEN_EVERY_MS = 5000;
const ZERO = instantFromMs(0);

type ChainLoopParts = {
  runtime: Runtime;
  partitions: Pick<Partitions, 'held' | 'onChange'>;
  catalogue: Compared['catalogue'];
  /** The desks of all accounts; those of read-only venues have nothing to compare with. */
  desks: readonly LedgerDesk[];
};
type KeptDesk = { compared: Compared; holdFees: () => Promise<void>; compareAt: number };
type LedgerDesk = Pick<VenueDesk, 'name' | 'account' | 'trading' | 'chain' | 'moves'>;

export function startLedgerJob({ runtime, partitions, catalogue, desks }: ChainLoopParts): () => Promise<void> {
  const { db, clock, timers, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'ledger not kept, repeated every second');
  const kept = desks.flatMap(({ trading, ...desk }) => (trading === null ? [] : [keptDesk({ ...desk, trading })]));
  let isStopped = false;
  let isGasPosted = false;
  let sealAt: number = clock.now();

  async function keep(): Promise<void> {
    const now = clock.now();
    if (now >= sealAt) {
      await postOlder();
      await sealEntries(runtime);
      await writeDownHead(runtime);
      sealAt = now + SEAL_EVERY_MS;
    }
    const kepts = await Promise.allSettled(kept.map((desk) => keepDesk(desk, now)));
    for (const each of kepts) if (each.status === 'rejected') throw each.reason;
  }

  /** One venue that fails or is slow does not delay the comparison of the others. */
  async function keepDesk(desk: KeptDesk, now: Instant): Promise<void> {
    if (!isStopped && now >= desk.compareAt) desk.compareAt = await compare(desk.compared, now);
    if (!isStopped) await desk.holdFees();
  }

  function keptDesk({ name: venue, ...desk }: LedgerDesk & { trading: VenueTrading }): KeptDesk {
    const compared = { runtime, catalogue, venue, ...desk };
    return { compared, holdFees: openFeeHolding(compared), compareAt: clock.now() };
  }

  async function postOlder(): Promise<void> {
    while (!isStopped && (await postOlderFills(db)));
    if (isGasPosted) return;
    await postOlderGas(db);
    isGasPosted = true;
  }

  /** @returns when it is to be compared again */
  async function compare(compared: Compared, now: Instant): Promise<number> {
    // Another engine may have compared just before.
    const sinceMs = elapsedMs((await lastCheck(db, compared.venue))?.at ?? ZERO, now);
    if (sinceMs >= 0 && sinceMs < LEAST_APART_MS) return now + LEAST_APART_MS - sinceMs;
    const isDone = await compareWithVenue(compared);
    const isOpening = !isDone && (await lastCheck(db, compared.venue)) === null;
    return now + (isOpening ? OPEN_EVERY_MS : COMPARE_EVERY_MS);
  }

  const work = oneAtATime(async () => {
    if (isStopped || !isLeader(partitions)) return;
    try {
      await keep();
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stops = [timers.every(LOOK_EVERY_MS, work), partitions.onChange(() => void work())];
  void work();
  return async () => {
    isStopped = true;
    for (const stop of stops) stop();
    await work.ended();
  };
}
