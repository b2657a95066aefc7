/** The relations of an event as read now against those that are stored: which are new, the same, over or void. */
import { createHash } from 'node:crypto';
import type { EventFacts } from '@dutchbook/engine/relation/event-facts.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import { type Difference, differencesBetween, type Snapshot, snapshotOf } from '@dutchbook/engine/relation/snapshot.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { recordAction, THE_SYSTEM } from '../audit/record.ts';
import { recordNotification } from '../notifications/record.ts';
import { pauseFound } from '../opportunities/found.ts';
import { relationPrices, relations, relationTemplates } from '../relations/table.ts';
import type { Db, Runtime } from '../runtime.ts';

type StoredRelation = typeof relations.$inferSelect;
type Template = typeof relationTemplates.$inferSelect;
type Voided = { id: string; title: string; differences: readonly Difference[] };

/** What has become of the relations of one event, to be recorded with the others at the end of the transaction. */
export type Reconciled = {
  eventId: string;
  eventTitle: string;
  voided: readonly Voided[];
  /** New ones that an approved series covers. */
  approved: readonly { id: string; by: string }[];
  paused: readonly string[];
};

/** Judges the relations of one event alone anew. */
export async function reconcileEvent(
  tx: Db,
  runtime: Runtime,
  event: EventFacts,
  read: readonly Relation[],
): Promise<Reconciled> {
  const stored = await tx.select().from(relations).where(eq(relations.eventId, event.id)).for('update');
  const own = stored.filter(({ members }) => members.every(({ eventId }) => eventId === event.id));
  const others = await tx
    .select({ id: relations.id })
    .from(relations)
    .where(
      and(sql`${relations.members} @> ${JSON.stringify([{ eventId: event.id }])}::jsonb`, isNull(relations.endedAt)),
    );
  // Whoever follows one reads the fees and ends of its members anew.
  await touch(
    tx,
    runtime,
    others.map(({ id }) => id),
  );
  return reconcile(tx, runtime, [event], read, own);
}

/** Judges the relations between events on one variable anew; `stored` are those that were read between them before. */
export async function reconcileAcross(
  tx: Db,
  runtime: Runtime,
  events: readonly EventFacts[],
  read: readonly Relation[],
): Promise<Reconciled> {
  const ids = events.map(({ id }) => id);
  const stored = await tx.select().from(relations).where(inArray(relations.eventId, ids)).for('update');
  const across = stored.filter(({ members }) => members.some(({ eventId }) => eventId !== members[0]?.eventId));
  return reconcile(tx, runtime, events, read, across);
}

async function reconcile(
  tx: Db,
  runtime: Runtime,
  events: readonly EventFacts[],
  read: readonly Relation[],
  stored: readonly StoredRelation[],
): Promise<Reconciled> {
  const [first] = events;
  const known = new Map(stored.map((row) => [row.key, row]));
  const templates = await templatesOf(tx, read);
  const voided: Voided[] = [];
  const ended: string[] = [];
  const approved: { id: string; by: string }[] = [];
  for (const relation of read) {
    const row = known.get(relation.key);
    known.delete(relation.key);
    const snapshot = snapshotOf(relation.members, events);
    if (row === undefined) {
      const template = relation.template === null ? undefined : templates.get(relation.template);
      const id = await addRelation(tx, runtime, { relation, snapshot, template, event: first });
      if (template !== undefined) approved.push({ id, by: template.approvedBy });
      continue;
    }
    const differences = await updateRelation(tx, runtime, row, relation, snapshot);
    if (differences !== null) voided.push({ id: row.id, title: row.title, differences });
  }
  for (const row of known.values()) {
    const snapshot = snapshotOf(row.members, events);
    const differences = differencesBetween(row.trusted, snapshot);
    const isOver = events.some(({ closed }) => closed) || differences.length === 0;
    if (isOver) ended.push(row.id);
    else if (await voidRelation(tx, runtime, row, { snapshot }, differences))
      voided.push({ id: row.id, title: row.title, differences });
  }
  await endRelations(tx, runtime, ended);
  const paused = await pauseFound(tx, runtime, [...ended, ...voided.map(({ id }) => id)]);
  return { eventId: first?.id ?? '', eventTitle: first?.title ?? '', voided, approved, paused };
}

/** Tells people and the audit log, last in the transaction: one notification for all that is void of an event. */
export async function recordReconciled(tx: Db, runtime: Runtime, changes: readonly Reconciled[]): Promise<void> {
  await runtime.pubsub.publish(tx, 'relations_changed');
  for (const { eventId, eventTitle, voided, paused } of changes) {
    if (voided.length === 0) continue;
    await recordNotification(tx, runtime, {
      type: 'relation_void',
      opportunityId: null,
      message: voidMessage(eventTitle, voided, paused.length),
      data: { event_id: eventId, relation_ids: voided.map(({ id }) => id), opportunity_ids: [...paused] },
    });
  }
  for (const { voided, approved } of changes) {
    for (const { id, differences } of voided) {
      await recordAction(tx, runtime, THE_SYSTEM, {
        action: 'relation.voided',
        object: id,
        after: { fields: [...new Set(differences.map(({ field }) => field))] },
      });
    }
    for (const { id, by } of approved)
      await recordAction(tx, runtime, THE_SYSTEM, {
        action: 'relation.approved',
        object: id,
        after: { series_approved_by: by },
      });
  }
}

async function templatesOf(tx: Db, read: readonly Relation[]): Promise<Map<string, Template>> {
  const wanted = [...new Set(read.flatMap(({ template }) => template ?? []))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.select().from(relationTemplates).where(inArray(relationTemplates.template, wanted));
  return new Map(rows.map((row) => [row.template, row]));
}

type Added = { relation: Relation; snapshot: Snapshot; template: Template | undefined; event: EventFacts | undefined };

async function addRelation(tx: Db, runtime: Runtime, { relation, snapshot, template, event }: Added): Promise<string> {
  const now = runtime.clock.now();
  const id = runtime.random.uuid();
  await tx.insert(relations).values({
    id,
    createdAt: now,
    updatedAt: now,
    state: template === undefined ? 'proposed' : 'approved',
    eventId: relation.members[0]?.eventId ?? '',
    eventTitle: event?.title ?? '',
    ...readFields(relation),
    decidedBy: template?.approvedBy ?? null,
    decidedAt: template?.approvedAt ?? null,
    bySeries: template !== undefined,
    reason: null,
    snapshot,
    trusted: snapshot,
    endedAt: null,
  });
  await tx.insert(relationPrices).values({ relationId: id, profit: USD_ZERO, size: SHARES_ZERO, quoted: 0, hits: 0 });
  return id;
}

/** @returns what differs where it has just become void */
async function updateRelation(
  tx: Db,
  runtime: Runtime,
  row: StoredRelation,
  relation: Relation,
  snapshot: Snapshot,
): Promise<Difference[] | null> {
  const read = readFields(relation);
  if (read.fingerprint === row.fingerprint || row.state === 'rejected') {
    await tx
      .update(relations)
      .set({ ...read, snapshot, endedAt: null, updatedAt: runtime.clock.now() })
      .where(eq(relations.id, row.id));
    return null;
  }
  const differences = differencesBetween(row.trusted, snapshot);
  const isNew = await voidRelation(tx, runtime, row, { ...read, snapshot }, differences);
  return isNew ? differences : null;
}

/** @returns whether it was not void before */
async function voidRelation(
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
    .set({ ...change, state, reason: state === 'void' ? reason : row.reason, updatedAt: runtime.clock.now() })
    .where(eq(relations.id, row.id));
  return row.state === 'proposed' || row.state === 'approved';
}

async function endRelations(tx: Db, runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const now = runtime.clock.now();
  await tx
    .update(relations)
    .set({ endedAt: now, updatedAt: now })
    .where(and(inArray(relations.id, [...ids]), isNull(relations.endedAt)));
}

async function touch(tx: Db, runtime: Runtime, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(relations)
    .set({ updatedAt: runtime.clock.now() })
    .where(inArray(relations.id, [...ids]));
}

function readFields({ fingerprintText, members, readFrom, ...rest }: Relation) {
  return {
    ...rest,
    members: [...members],
    readFrom: [...readFrom],
    fingerprint: createHash('sha256').update(fingerprintText).digest('hex'),
  };
}

function voidMessage(eventTitle: string, voided: readonly Voided[], paused: number): string {
  const fields = [...new Set(voided.flatMap(({ differences }) => differences.map(({ field }) => field)))].join(', ');
  const what = voided.length === 1 ? `"${voided[0]?.title}" is` : `${voided.length} relations are`;
  const opportunities =
    paused === 0 ? '' : `, and ${paused === 1 ? 'its opportunity is' : `${paused} opportunities are`} paused`;
  return `${eventTitle}: the venue has changed ${fields || 'the members'}. ${what} void until a superuser approves what is said now${opportunities}`;
}
