/** One process at work on batches: who it is, what it trades with, and what its steps need of it. */
import { isActive } from '@dutchbook/engine/batch/life.ts';
import type { Soundness } from '@dutchbook/engine/risk/context.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Venue, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { Quotes, StreamHub, TradingControls } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import type { Account } from '../account.ts';
import { attemptsOf, type BatchState, hasEnded, positionsOf } from './batch-state.ts';
import type { Inquiries } from './inquiries.ts';
import type { StepTools } from './placing-steps.ts';
import { publishBatch } from './publish.ts';
import { reassess } from './reassess.ts';
import { judgeRetry } from './retry.ts';
import type { LevelsOf } from './simulated-batch.ts';

/** A sell order that has waited for longer than this is not what somebody saw and decided any more. */
const SALE_AGE_MAX_MS = 30_000;

export type PlacingParts = {
  world: World;
  venue: Venue;
  quotes: Quotes;
  stream: StreamHub;
  account: Account;
  controls: TradingControls;
  soundness: () => Soundness;
};

/** One process at work: who it is, how it trades, and what it has asked the venue. */
export type Worker = { parts: PlacingParts; trading: VenueTrading; owner: string; inquiries: Inquiries };

/** What the steps on one batch need of the process that takes them. */
export function stepTools({ parts, trading }: Worker): StepTools {
  const { world, venue, controls } = parts;
  return {
    world,
    trading,
    armed: () => controls.current().armed,
    marketsById: (ids) => venue.catalogue.marketsById(ids),
    refusals: (state) => refusalsOf(parts, state),
    publish: (batchId) => tellTabs(parts, batchId),
  };
}

async function refusalsOf(parts: PlacingParts, state: BatchState): Promise<string[]> {
  const { batch } = state;
  if (!isActive(batch.status)) return [];
  if (batch.retryCount === 0) return await reassess(parts, state);
  const verdict = await judgeRetry(parts, state);
  return verdict.kind === 'refused' ? verdict.reasons : [];
}

/** Sell orders of which nothing has left, and nothing may any more: a batch can have newer ones beside them. */
export function outdatedSales(state: BatchState, now: Instant): string[] {
  return state.sales
    .filter(({ createdAt }) => now - createdAt > SALE_AGE_MAX_MS)
    .filter((sale) => !hasEnded(state, sale))
    .filter(({ id }) => attemptsOf(state, id).every(({ status }) => status === 'prepared'))
    .map(({ id }) => id);
}

export function saleDecidedAt({ sales }: BatchState): Instant {
  return Math.max(...sales.map(({ createdAt }) => createdAt)) as Instant;
}

export async function levelsFor({ quotes }: PlacingParts, state: BatchState): Promise<LevelsOf> {
  const quoted = await quotes.fresh(positionsOf(state));
  const books = new Map(quoted.flatMap(({ tokenId, book }) => (tokenId === null ? [] : [[tokenId, book] as const])));
  return (tokenId, side) => books.get(tokenId)?.[side === 'buy' ? 'asks' : 'bids'] ?? [];
}

/** Nobody's view of a batch may hold up the work on it. */
export async function tellTabs({ world, stream, quotes }: PlacingParts, batchId: string): Promise<void> {
  await publishBatch(world.db, stream, batchId, quotes).catch((error: unknown) =>
    world.log.warn({ err: error, batchId }, 'the open tabs were not told of a batch'),
  );
}
