/** Follows the books of every relation that is this process's. */

import type { BookOf } from '@dutchbook/engine/desk/watched-relation.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { elapsedMs } from '@dutchbook/units/instant.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { JournaledRelation } from '../decision-journal/journaled.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import type { ActiveBatchOf } from '../opportunities/store.ts';
import type { HitEnds } from '../relations/hits.ts';
import { followRelations } from './relation-changes.ts';
import { rulesOf, type WatchedDiscoverySettings } from './settings.ts';
import type { Watched } from './watched.ts';
import { publishRelation, WatchedRelations } from './watched-relations.ts';
import { type WatchedTokens, watchTokens } from './watched-tokens.ts';

const READ_MS = 2000;
const FLUSH_MS = 2000;

export type WatchParts = {
  runtime: Runtime;
  venue: Pick<Venue, 'openMarketStream'>;
  partitions: Partitions;
  settings: WatchedDiscoverySettings;
  stream: StreamHub;
  live: Pick<LivePrices, 'adopt' | 'rowsNow'>;
  activeBatchOf: ActiveBatchOf;
  hitEnds: HitEnds;
  journal: DecisionJournal;
};

export type RelationWatch = {
  bookOf: BookOf;
  watches: (relationId: string) => boolean;
  tokens: WatchedTokens;
  stop: () => Promise<void>;
};

export async function startWatch(parts: WatchParts): Promise<RelationWatch> {
  const { runtime, venue, partitions, journal, settings } = parts;
  const { clock, timers, log, pubsub } = runtime;
  const books = venue.openMarketStream({
    ...{ onBooks: takeBooks, onTrust: takeBooks, onTick: () => {}, onResolved: () => {} },
  });
  const bookOf: BookOf = (tokenId) => {
    const held = books.book(tokenId);
    if (held === undefined || held.trust === 'stale') return undefined;
    return { book: held.book, ageMs: elapsedMs(held.receivedAt, clock.now()) };
  };
  const tokens = watchTokens(books, clock);
  const watched = new WatchedRelations(parts, bookOf, tokens);
  function takeBooks(tokenIds: readonly TokenId[]) {
    watched.process({ kind: 'books', tokenIds });
    tokens.changed(tokenIds);
  }
  const leave = (id: string) => {
    if (watched.get(id) !== undefined && partitions.owns(id)) journal.note('relation', id, null);
    else journal.leave('relation', id);
    watched.process({ kind: 'removed', id });
  };
  const take = (next: Watched) => {
    const { id, endedAt, state } = next.row;
    const isWatched = endedAt === null && (state === 'proposed' || state === 'approved');
    if (isWatched && partitions.owns(id)) {
      journal.note('relation', id, journaledRelation(next));
      watched.follow(next);
    } else {
      // Open pages are notified; they would otherwise show the last watched state.
      if (watched.get(id) !== undefined) publishRelation(parts, next.row);
      leave(id);
    }
  };

  const changes = followRelations(runtime, partitions.held);
  const read = oneAtATime(() =>
    changes.read(take).catch((error: unknown) => log.warn({ err: error }, 'relations not read, repeated')),
  );
  const readGained = (gained: readonly number[]) => {
    for (const { id } of [...watched.all()]) if (!partitions.owns(id)) leave(id);
    changes.gain(gained);
    void read();
  };
  journal.onRetell(function* () {
    for (const one of watched.all()) yield { topic: 'relation', subject: one.id, data: journaledRelation(one) };
  });
  await read();
  const stops = [
    pubsub.subscribe('relations_changed', () => void read()),
    settings.onChange(() => watched.process({ kind: 'rules', rules: rulesOf(settings.current()) })),
    timers.every(READ_MS, read),
    timers.every(FLUSH_MS, watched.flush),
    partitions.onChange(readGained),
  ];
  return {
    bookOf,
    watches: (relationId) => watched.get(relationId) !== undefined,
    tokens: tokens.tokens,
    stop: async () => {
      for (const stop of stops) stop();
      await read.ended();
      await watched.allStored();
      await watched.flush();
      await books.close();
    },
  };
}

function journaledRelation({ row, members }: Watched): JournaledRelation {
  const { kind, basis, state, isComplete, isVoidSafe, title } = row;
  const known = members.map((member, index) => ({ ...row.members[index], ...member })) as JournaledRelation['members'];
  return { kind, basis, state, isComplete, isVoidSafe, title, members: known };
}
