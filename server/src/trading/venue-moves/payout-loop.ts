/**
 * Follows what a venue without contracts does to shares by itself: what it pays for markets that have ended, and the shares of both
 * outcomes that it nets. One engine of all does.
 */
import { type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type Venue, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import { isLeader } from '../../platform/engines/leader.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { bookDoneByVenue } from '../chain-steps/book.ts';
import { type OrderLot, readLots } from '../chain-steps/free-lots.ts';
import { unbookedSubmissions } from '../chain-steps/store.ts';
import { type BatchPublisher, openBatchPublisher } from '../execution/runner/publish-batch.ts';
import type { VenueDesk } from '../venue-desk/desks.ts';
import { heldAt, nettedMarkets, recordNetted, recordPayout } from './book-payouts.ts';
import { correctPayout } from './correct-payout.ts';
import { announcedPayouts, duePayouts, notePayouts } from './payouts.ts';

const FOLLOW_EVERY_MS = 2_000;
const READ_EVERY_MS = 10_000;
/** A venue can list a payout later than it was made. */
const OVERLAP_MS = 3_600_000;

export type PayoutParts = {
  runtime: Runtime;
  name: VenueName;
  trading: Pick<VenueTrading, 'payouts' | 'positions'>;
  catalogue: Pick<Venue['catalogue'], 'marketsById'>;
  publisher: BatchPublisher;
};

type StartedParts = Pick<PayoutParts, 'runtime'> & {
  desk: Pick<VenueDesk, 'name' | 'trading'>;
  venue: Pick<Venue, 'catalogue'>;
  quotes: Pick<Quotes, 'current'>;
  stream: StreamHub;
  partitions: Pick<Partitions, 'held' | 'onChange'>;
};

/** @returns what ends it */
export function startFollowingPayouts(parts: StartedParts): () => Promise<void> {
  const { runtime, partitions, desk, venue } = parts;
  const { name, trading } = desk;
  if (!trading?.payouts || !runtime.config.roles.has('engine')) return async () => {};
  const failures = openFailureLog(runtime.log, 'warn', 'payouts of the venue not followed, repeated');
  const loop = openPayoutLoop({
    ...{ runtime, name, trading, catalogue: venue.catalogue, publisher: openBatchPublisher(parts) },
  });
  const work = oneAtATime(async () => {
    if (!isLeader(partitions)) return;
    try {
      await loop();
      failures.succeeded();
    } catch (error) {
      failures.failed(error);
    }
  });
  const stops = [runtime.timers.every(FOLLOW_EVERY_MS, work), partitions.onChange(() => void work())];
  return async () => {
    for (const stop of stops) stop();
    await work.ended();
  };
}

/** @returns what does all that is due once. Throws VenueUnavailable. */
export function openPayoutLoop(parts: PayoutParts): () => Promise<void> {
  const { runtime, name } = parts;
  const booking = { runtime, publisher: parts.publisher, owner: runtime.random.uuid() };
  let readAt: Instant | null = null;
  return async () => {
    const lots = (await readLots(runtime.db, 'held')).filter(({ tokenId }) => venueOf(tokenId) === name);
    try {
      await recordAllNetted(parts, lots);
      if (readAt === null || runtime.clock.now() - readAt >= READ_EVERY_MS) readAt = await read(parts, lots, readAt);
    } catch (error) {
      // Payouts that were read before are booked all the same.
      await book(booking, name);
      throw error instanceof VenueUnavailable ? error : new Error('payouts were not read', { cause: error });
    }
    await book(booking, name);
  };
}

async function recordAllNetted({ runtime, name, trading, catalogue }: PayoutParts, lots: readonly OrderLot[]) {
  const markets = await nettedMarkets(catalogue, lots);
  if (markets.length === 0) return;
  const held: ReadonlyMap<TokenId, OrderLot['held']> = await heldAt(trading);
  for (const marketId of markets) await recordNetted(runtime, name, marketId, held);
}

/** @returns when it began to read */
async function read(parts: PayoutParts, lots: readonly OrderLot[], before: Instant | null): Promise<Instant> {
  const { runtime, name, trading, catalogue } = parts;
  const startedAt = runtime.clock.now();
  const since = before === null ? null : instantFromMs(Math.max(0, before - OVERLAP_MS));
  const announced = await announcedPayouts(catalogue, lots);
  const paid = (await trading.payouts?.(since)) ?? [];
  const names = new Map(lots.map(({ marketId, marketName }) => [marketId, marketName]));
  await notePayouts(runtime, name, [...announced, ...paid], (marketId) => names.get(marketId) ?? marketId);
  return startedAt;
}

type BookingParts = { runtime: Runtime; owner: string; publisher: BatchPublisher };

async function book(parts: BookingParts, name: VenueName): Promise<void> {
  const { db } = parts.runtime;
  for (const payout of await duePayouts(db, name)) {
    if (payout.submissionId !== null) await correctPayout(parts, payout);
    else for (const id of await recordPayout(parts.runtime, payout)) await parts.publisher.publish(id);
  }
  for (const submission of await unbookedSubmissions(db, name))
    if (submission.row.byVenue) await bookDoneByVenue(parts, submission);
}
