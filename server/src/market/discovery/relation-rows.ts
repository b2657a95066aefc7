/** Writes relations as read from the venue. */
import { createHash } from 'node:crypto';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import {
  AS_LISTED,
  type Difference,
  isAsListed,
  type Snapshot,
  snapshotOf,
} from '@dutchbook/engine/relation/snapshot.ts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { insertOf, insertWith } from '../../platform/database/many-rows.ts';
import { inPartitionOf } from '../../platform/engines/division.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { nextVersion } from '../relations/next-version.ts';
import { NO_PRICES } from '../relations/store.ts';
import { relationPrices, relations, type relationTemplates } from '../relations/table.ts';

export type StoredRelation = typeof relations.$inferSelect;
type Template = typeof relationTemplates.$inferSelect;

/** `template`: the approval of its series, where there is one. */
export type NewRelation = { relation: Relation; snapshot: Snapshot; template?: Template | undefined };
type AddedRelation = NewRelation & { eventTitle: string };
export type Texts = Pick<StoredRelation, 'snapshot' | 'trusted'>;

/** A relation that has become void. */
export type Voided = { id: string; title: string; differences: readonly Difference[] };

/** Rows per statement. */
const ROWS_TOGETHER = 100;
/** A third of a page, less what stands around it. */
const INDEXED_BYTES_MAX = 2600;
/** Four bytes each at most, beside an id. */
const TITLE_LENGTH_MAX = 600;

/** Read from one event alone, whose row in the catalogue has what it depends on. */
export function isWithin({ basis, members }: Pick<Relation, 'basis' | 'members'>, eventId: string): boolean {
  return basis !== 'human' && members.every((member) => member.eventId === eventId);
}

/** The trusted version in full. `before`: the event of a relation within it as it was stored when the relation was read last; null where there is none. */
export function trustedOf({ members, trusted }: StoredRelation, before: CatalogueEvent | null): Snapshot {
  return isAsListed(trusted) && before !== null ? snapshotOf(members, [before]) : trusted;
}

/** The stored texts of both versions; `differences` lies between them. */
export function storedTexts(
  { snapshot, trusted }: Texts,
  differences: readonly Difference[],
  isOfOneEvent: boolean,
): Texts {
  if (!isOfOneEvent) return { snapshot, trusted };
  return { snapshot: AS_LISTED, trusted: differences.length === 0 ? AS_LISTED : trusted };
}

/** Stores relations that were not known, without prices as yet. @returns their ids, in their order */
export async function addRelations(tx: Db, runtime: Runtime, added: readonly AddedRelation[]): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < added.length; from += ROWS_TOGETHER) {
    const some = added.slice(from, from + ROWS_TOGETHER).map((each) => rowOf(runtime, each));
    ids.push(...some.map(({ id }) => id));
    const prices = some.map(({ id }) => ({ relationId: id, ...NO_PRICES }));
    // The first version that is read is the trusted one.
    await tx.execute(insertWith(relations, some, relations.trusted, sql`${sql.identifier(relations.snapshot.name)}`));
    await tx.execute(insertOf(relationPrices, prices));
  }
  return ids;
}

function rowOf(
  runtime: Runtime,
  { eventTitle, relation, snapshot, template }: AddedRelation,
): Omit<StoredRelation, 'trusted'> {
  const now = runtime.clock.now();
  const eventId = relation.members[0]?.eventId ?? '';
  return {
    id: inPartitionOf(eventId, runtime.random.uuid()),
    createdAt: now,
    updatedAt: now,
    state: template === undefined ? 'proposed' : 'approved',
    eventId,
    eventTitle: eventTitle.slice(0, TITLE_LENGTH_MAX).toWellFormed(),
    ...readFields(relation),
    decidedBy: template?.approvedBy ?? null,
    decidedAt: template?.approvedAt ?? null,
    bySeries: template !== undefined,
    reason: null,
    snapshot: isWithin(relation, eventId) ? AS_LISTED : snapshot,
    endedAt: null,
  };
}

/**
 * As it is read now; void where that is not what was trusted. An earlier release may have put the same rules into another fingerprint: what
 * no field of differs is no other relation. @returns what differs where it has just become void
 */
export async function updateRelation(
  tx: Db,
  runtime: Runtime,
  row: StoredRelation,
  { relation, differences, texts }: { relation: Relation; differences: Difference[]; texts: Texts },
): Promise<Difference[] | null> {
  const read = readFields(relation);
  if (read.fingerprint === row.fingerprint || row.state === 'rejected' || differences.length === 0) {
    await tx
      .update(relations)
      .set({ ...read, ...texts, endedAt: null, updatedAt: nextVersion(runtime) })
      .where(eq(relations.id, row.id));
    return null;
  }
  const isNew = await voidRelation(tx, runtime, row, { ...read, ...texts, endedAt: null }, differences);
  return isNew ? differences : null;
}

/** @returns whether it was not void before */
export async function voidRelation(
  tx: Db,
  runtime: Runtime,
  row: StoredRelation,
  change: Partial<StoredRelation>,
  differences: readonly Difference[],
): Promise<boolean> {
  const fields = [...new Set(differences.map(({ field }) => field))];
  const reason = `Changed after it was read: ${fields.length === 0 ? 'its members' : fields.join(', ')}`;
  const state = row.state === 'rejected' ? 'rejected' : 'void';
  await tx
    .update(relations)
    .set({ ...change, state, reason: state === 'void' ? reason : row.reason, updatedAt: nextVersion(runtime) })
    .where(eq(relations.id, row.id));
  return row.state === 'proposed' || row.state === 'approved';
}

/** Writes the texts of a relation that is no longer read from the venue. */
export async function writeTexts(tx: Db, id: string, texts: Texts): Promise<void> {
  await tx.update(relations).set(texts).where(eq(relations.id, id));
}

export async function endRelations(tx: Db, runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(relations)
    .set({ endedAt: runtime.clock.now(), updatedAt: nextVersion(runtime) })
    .where(and(inArray(relations.id, [...ids]), isNull(relations.endedAt)));
}

/** Followers read the fees and ends of their members anew. */
export async function touchRelations(tx: Db, runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(relations)
    .set({ updatedAt: nextVersion(runtime) })
    .where(inArray(relations.id, [...ids]));
}

export function hashOf(fingerprintText: string): string {
  return createHash('sha256').update(fingerprintText).digest('hex');
}

/** The text as stored and compared: itself where an index has room for it, else its hash. */
export function indexed<Text extends string | null>(text: Text): Text | string {
  return text === null || Buffer.byteLength(text) <= INDEXED_BYTES_MAX ? text : hashOf(text);
}

function readFields({ fingerprintText, members, readFrom, template, ...rest }: Relation) {
  const fingerprint = hashOf(fingerprintText);
  return { ...rest, members: [...members], readFrom: [...readFrom], template: indexed(template), fingerprint };
}
