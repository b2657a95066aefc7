/** Follows the books of every relation that is this process's, judges whole groups of frames, and reports what pays. */
import { mayTrade } from '@dutchbook/engine/relation/relation.ts';
import { Screen } from '@dutchbook/engine/relation/screen.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { sliced } from '../../platform/runtime/slices.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { JournaledRelation } from '../decision-journal/journaled.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import type { ActiveBatchOf } from '../opportunities/store.ts';
import type { BatchesSince } from '../relations/hits.ts';
import { presentRelationRow } from '../relations/present.ts';
import {
  type RelationDistance,
  type RelationPrices,
  type StoredRelation,
  writeRelationPrices,
} from '../relations/store.ts';
import { createRoster, type Followed, type Roster } from './followed.ts';
import { type FoundOpportunities, openFoundOpportunities } from './found.ts';
import { type Lifetimes, openLifetimes } from './lifetimes.ts';
import { followRelations } from './relation-changes.ts';
import type { WatchedDiscoverySettings } from './settings.ts';
import { type Assessed, assessRelation, type BookOf, pricedBy, profitNow, type Watched } from './watched.ts';
import { type WatchedTokens, watchTokens } from './watched-tokens.ts';

const READ_MS = 2000;
const FLUSH_MS = 2000;
const MINUTE_MS = 60_000;
/** What an earlier run has left open is paused where it does not pay by then. */
const LEFT_OPEN_AFTER_MS = 30_000;
/** Members assessed per tick of the event loop. */
const MEMBERS_PER_SLICE = 400;

export type WatchParts = {
  runtime: Runtime;
  venue: Pick<Venue, 'openMarketStream'>;
  partitions: Partitions;
  settings: WatchedDiscoverySettings;
  stream: StreamHub;
  live: Pick<LivePrices, 'adopt' | 'rowsNow'>;
  activeBatchOf: ActiveBatchOf;
  batchesSince: BatchesSince;
  journal: DecisionJournal;
};

export type RelationWatch = {
  bookOf: BookOf;
  watches: (relationId: string) => boolean;
  tokens: WatchedTokens;
  stop: () => Promise<void>;
};

export async function startWatch(parts: WatchParts): Promise<RelationWatch> {
  const { runtime, venue, partitions, journal } = parts;
  const { clock, timers, log, pubsub } = runtime;
  const screen = new Screen();
  const found = openFoundOpportunities(parts);
  const lifetimes = openLifetimes({ ...parts, found });
  /** Whole groups of frames: every quote is taken over before any relation is judged. */
  const judge = (tokenIds: readonly string[]) => {
    for (const tokenId of tokenIds) roster.quote(tokenId);
    screen.judge({ onPaying, onGone });
    tokens.changed(tokenIds);
  };
  const books = venue.openMarketStream({ onBooks: judge, onTrust: judge, onTick: () => {}, onResolved: () => {} });
  const bookOf: BookOf = (tokenId) => {
    const held = books.book(tokenId);
    if (held === undefined || held.trust === 'stale') return undefined;
    return { book: held.book, ageMs: elapsedMs(held.receivedAt, clock.now()) };
  };
  const tokens = watchTokens(books, clock);
  const roster = createRoster(screen, tokens, bookOf);
  const watching: Watching = { roster, found, lifetimes, bookOf };
  const onPaying = (id: string) => notePaying(parts, watching, id);
  const onGone = (id: string) => {
    const one = roster.get(id);
    if (one !== undefined) one.isPaying = false;
    lifetimes.gone(id);
  };
  const leave = (id: string) => {
    if (roster.get(id) !== undefined && partitions.owns(id)) journal.note('relation', id, null);
    else journal.leave('relation', id);
    roster.leave(id);
    lifetimes.leave(id);
    found.leave(id);
  };
  const take = (next: Watched) => {
    const { id, endedAt, state } = next.row;
    const isWatched = endedAt === null && (state === 'proposed' || state === 'approved');
    if (isWatched && partitions.owns(id)) {
      roster.follow(next, clock.now());
      journal.note('relation', id, journaledRelation(next));
      lifetimes.adopt(id);
    } else {
      // Open pages are notified; they would otherwise show the last watched state.
      if (roster.get(id) !== undefined) publish(parts, next.row);
      leave(id);
    }
    judge([]);
  };

  const changes = followRelations(runtime, partitions.held);
  const read = oneAtATime(() =>
    changes.read(take).catch((error: unknown) => log.warn({ err: error }, 'relations not read, repeated')),
  );
  const readGained = (gained: readonly number[]) => {
    for (const { row } of roster.all()) if (!partitions.owns(row.id)) leave(row.id);
    changes.gain(gained);
    void read();
  };
  const flush = () => writeTouched(parts, watching);
  journal.onRetell(function* () {
    for (const one of roster.all()) yield { topic: 'relation', subject: one.row.id, data: journaledRelation(one) };
  });
  await read();
  const stops = [
    pubsub.subscribe('relations_changed', () => void read()),
    timers.every(READ_MS, read),
    timers.every(FLUSH_MS, flush),
    partitions.onChange(readGained),
  ];
  return {
    bookOf,
    watches: (relationId) => roster.get(relationId) !== undefined,
    tokens: tokens.tokens,
    stop: async () => {
      for (const stop of stops) stop();
      await read.ended();
      await found.allStored();
      await flush();
      await books.close();
    },
  };
}

function journaledRelation({ row, members }: Watched): JournaledRelation {
  const { kind, basis, state, isComplete, isVoidSafe, title } = row;
  const known = members.map((member, index) => ({ ...row.members[index], ...member })) as JournaledRelation['members'];
  return { kind, basis, state, isComplete, isVoidSafe, title, members: known };
}

type Watching = { roster: Roster; found: FoundOpportunities; lifetimes: Lifetimes; bookOf: BookOf };

function notePaying(parts: WatchParts, { roster, found, lifetimes, bookOf }: Watching, id: string): void {
  const one = roster.get(id);
  if (one === undefined || !parts.settings.current().enabled) return;
  const assessed = assessRelation(one, bookOf);
  // What has resolved may contradict a relation, so that no state price is left and no basket either.
  if (assessed.distance === null || assessed.distance >= 0) return;
  if (lifetimes.pays(one, assessed)) {
    const now = parts.runtime.clock.now();
    one.row = { ...one.row, hits: one.row.hits + 1, firstHitAt: one.row.firstHitAt ?? now, lastHitAt: now };
  }
  if (!one.isPaying) show(parts, one, assessed);
  one.isPaying = true;
  one.isTouched = true;
  if (assessed.found.length > 0) one.isAccountedFor = true;
  found.note(one, assessed.found, (basket) => profitNow(one, basket, bookOf));
}

/** Shows and stores what books that have changed say of relations, and pauses what does not pay any more. */
async function writeTouched(parts: WatchParts, { roster, found, lifetimes, bookOf }: Watching): Promise<void> {
  const now = parts.runtime.clock.now();
  const slices = sliced(MEMBERS_PER_SLICE);
  const prices: RelationPrices[] = [];
  const points: RelationDistance[] = [];
  for (const one of roster.all()) {
    if (isLeftOpen(one, now)) {
      one.isAccountedFor = true;
      found.pause(one.row.id);
    }
    if (!one.isTouched && !one.isPaying) continue;
    one.isTouched = false;
    const assessed = assessRelation(one, bookOf);
    if (one.isPaying) {
      one.row = { ...one.row, lastHitAt: now };
      lifetimes.pays(one, assessed);
      found.note(one, assessed.found, (basket) => profitNow(one, basket, bookOf));
    }
    const isChanged = show(parts, one, assessed);
    await slices.spend(one.members.length);
    if (!isChanged && !one.isPaying) continue;
    one.isWritten = true;
    prices.push(pricesOf(one.row));
    points.push(...nextPoint(one, now));
  }
  found.sweep((relationId, basket) => {
    const one = roster.get(relationId);
    const form = parts.settings.current();
    const isFound = one !== undefined && form.enabled && mayTrade(one.row, form);
    return isFound && profitNow(one, basket, bookOf) > 0;
  });
  await writeRelationPrices(parts.runtime.db, prices, points);
  await lifetimes.write();
}

function isLeftOpen({ isAccountedFor, isPaying, followedAt, row }: Followed, now: Instant): boolean {
  return !isAccountedFor && !isPaying && row.opportunityId !== null && elapsedMs(followedAt, now) >= LEFT_OPEN_AFTER_MS;
}

/** @returns whether it says something else than before */
function show(parts: WatchParts, one: Followed, assessed: Assessed): boolean {
  const before = one.row;
  one.row = pricedBy(before, assessed);
  const isChanged = !one.isWritten || SHOWN.some((field) => before[field] !== one.row[field]);
  if (isChanged) publish(parts, one.row);
  return isChanged;
}

const SHOWN = ['distance', 'profit', 'size', 'quoted', 'limitedBy', 'hits'] as const;

function publish({ stream, settings }: WatchParts, row: StoredRelation): void {
  const change = { type: 'relation', id: row.id, data: presentRelationRow(row, settings.current()) } as const;
  stream.publish({ topic: 'relations', ...change });
  stream.publish({ topic: `relation:${row.id}`, ...change });
}

function pricesOf(row: StoredRelation): RelationPrices {
  const { id, distance, distanceWithVoids, direction, limitedBy, profit, size, quoted, oldestBookMs } = row;
  const { firstHitAt, lastHitAt, hits, basket } = row;
  const stood = { distance, distanceWithVoids, direction, limitedBy, profit, size, quoted, oldestBookMs };
  return { relationId: id, ...stood, firstHitAt, lastHitAt, hits, basket };
}

/** The nearest of each minute. */
function nextPoint(one: Followed, now: Instant): RelationDistance[] {
  const { id, distance, profit } = one.row;
  if (distance === null) return [];
  const at = (now - (now % MINUTE_MS)) as Instant;
  if (one.point?.at === at && one.point.distance <= distance) return [];
  one.point = { relationId: id, at, distance, profit };
  return [one.point];
}
