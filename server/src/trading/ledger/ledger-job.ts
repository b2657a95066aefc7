/** The ledger job: posts what older versions recorded, seals, and compares with the venue. One engine of all does. */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { VenueTrading } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type Compared, compareWithVenue, lastCheck } from './compare.ts';
import { openFeeHolding } from './hold-fees.ts';
import { postOlderFills } from './post-fills.ts';
import { postOlderGas } from './post-gas.ts';
import { sealEntries, writeDownHead } from './seal.ts';

const LOOK_EVERY_MS = 1000;
const SEAL_EVERY_MS = 10_000;
const COMPARE_EVERY_MS = 60_000;
const OPEN_EVERY_MS = 5000;

type ChainLoopParts = {
  runtime: Runtime;
  partitions: Pick<Partitions, 'held' | 'onChange'>;
  account: Compared['account'];
  catalogue: Compared['catalogue'];
  /** Null where the venue is read only: there is nothing to compare with. */
  trading: VenueTrading | null;
  chain: VenueChain | null;
};

export function startLedgerJob({
  runtime,
  partitions,
  account,
  catalogue,
  trading,
  chain,
}: ChainLoopParts): () => Promise<void> {
  const { db, clock, timers, log } = runtime;
  const failures = openFailureLog(log, 'warn', 'ledger not kept, repeated every second');
  const holdFees = trading && openFeeHolding({ runtime, trading, catalogue });
  let isStopped = false;
  let isGasPosted = false;
  let sealAt: number = clock.now();
  let compareAt: number = clock.now();

  async function keep(): Promise<void> {
    const now = clock.now();
    if (now >= sealAt) {
      await postOlder();
      await sealEntries(runtime);
      await writeDownHead(runtime);
      sealAt = now + SEAL_EVERY_MS;
    }
    if (trading !== null && now >= compareAt && !isStopped) compareAt = await compare(trading, now);
    if (!isStopped) await holdFees?.();
  }

  async function postOlder(): Promise<void> {
    while (!isStopped && (await postOlderFills(db)));
    if (isGasPosted) return;
    await postOlderGas(db);
    isGasPosted = true;
  }

  /** @returns when it is to be compared again */
  async function compare(venue: VenueTrading, now: Instant): Promise<number> {
    const isDone = await compareWithVenue({ runtime, account, catalogue, trading: venue, chain });
    const isOpening = !isDone && (await lastCheck(db)) === null;
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
