import type { RelationMoment, readRelationMoments } from '@dutchbook/contract/flight-recorder.ts';
import { assessRelation } from '@dutchbook/engine/desk/watched-relation.ts';
import type { RelationMember } from '@dutchbook/engine/relation/relation.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type * as z from 'zod/mini';
import type { JournaledMember, JournaledRelation } from '../../../market/decision-journal/journaled.ts';
import { type JournalRow, journalAt, journalBetween } from '../../../market/decision-journal/read.ts';
import { readCatalogueEvents } from '../../../market/discovery/relation-changes.ts';
import { watchedOf } from '../../../market/discovery/watched.ts';
import { readRelation, type StoredRelation } from '../../../market/relations/store.ts';
import { NotFound } from '../../../platform/http/errors.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { findRecords } from '../find-records.ts';
import { collectMoments, type Span } from './collect.ts';
import type { Past } from './opportunity-moments.ts';
import { byMoment, type PastBooks, withTail } from './past-books.ts';
import { withJournal } from './with-journal.ts';

type RelationMoments = z.output<typeof readRelationMoments.reply>;
type Stood = Pick<JournaledRelation, 'kind' | 'isComplete' | 'isVoidSafe' | 'members'>;

/** @throws NotFound */
export async function relationMoments(
  { db, recordings }: Pick<Past, 'db' | 'recordings'>,
  id: string,
  asked: Span,
  signal: AbortSignal,
): Promise<RelationMoments> {
  const row = await readRelation(db, id);
  if (row === null) throw new NotFound('Relation not found');
  const { venue, folder } = recordings;
  const rows: JournalRow[] = [];
  for await (const row of journalBetween(db, venue, asked.from, asked.until, { relation: [id] })) rows.push(row);
  const then = (await journalAt(db, venue, asked.from, { relation: [id] })).relation.get(id);
  let stood = then ?? rows.map(relationIn).find((one) => one !== null) ?? (await standsNow(db, row));
  const { members } = stood;
  const tokensOf = (of: Stood) => JSON.stringify(of.members.map(({ tokenId }) => tokenId));
  const change = rows.find((row) => {
    const next = relationIn(row);
    return next !== null && tokensOf(next) !== tokensOf(stood);
  });
  // Its members were others from then on, whose books the next answer has.
  const span = change === undefined ? asked : { ...asked, until: instantFromMs(change.at - 1) };
  const recordedUntil = await recordings.recordedUntil();
  const tokenIds = members.map(({ tokenId }) => tokenId);
  const read = { folder, tokenIds: new Set(tokenIds.filter((tokenId) => tokenId !== null)), ...span };
  const steps = withJournal(
    byMoment(findRecords(read), signal),
    rows.filter(({ at }) => at <= span.until),
    span.from,
    (row) => {
      stood = relationIn(row) ?? stood;
    },
  );
  const collected = await collectMoments(steps, tokenIds, span, (books, at) => sayRelation(row, stood, books, at));
  const next = collected.next ?? change?.at ?? null;
  return {
    legs: members.map(({ marketId, name, outcomes, tokenId }, index) => ({
      ...{ leg: index + 1, market_id: marketId, market_name: name },
      ...{ outcome: outcomes[0] ?? 'Yes', token_id: tokenId },
    })),
    moments: collected.moments,
    unknown: withTail(collected.unknown, { from: span.from, until: next ?? span.until, recordedUntil }),
    next,
  };
}

function relationIn(row: JournalRow): JournaledRelation | null {
  return row.topic === 'relation' ? row.data : null;
}

/** What has resolved since was not resolved while its book was recorded. */
async function standsNow(db: Db, row: StoredRelation): Promise<Stood> {
  const events = await readCatalogueEvents(db, [row]);
  const { members } = watchedOf(row, events);
  return {
    ...row,
    members: members.map((watched, index): JournaledMember => {
      const { eventId, role } = row.members[index] as RelationMember;
      const member = events.get(eventId)?.members.find(({ marketId }) => marketId === watched.marketId);
      return { ...watched, eventId, role, tokenId: member?.tokenIds[0] ?? null, resolved: null };
    }),
  };
}

function sayRelation(
  row: StoredRelation,
  stood: Stood,
  books: PastBooks,
  now: Instant,
): Omit<RelationMoment, 'at' | 'legs'> {
  const { kind, isComplete, isVoidSafe, members } = stood;
  const { distance, profit, size } = assessRelation(
    { row: { ...row, kind, isComplete, isVoidSafe, members: [...members] }, members },
    (tokenId) => {
      const book = books.trust(tokenId) === 'stale' ? undefined : books.book(tokenId);
      return book && { book, ageMs: books.ageMs(tokenId, now) ?? 0 };
    },
  );
  const isPaying = distance !== null && distance < 0;
  return { distance_usd: distance, profit_usd: isPaying ? profit : null, size: isPaying ? size : null };
}
