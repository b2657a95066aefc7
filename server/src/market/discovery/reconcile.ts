/** The relations of an event as read now against those that are stored: which are new, the same, over or void. */

import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { Relation } from '@dutchbook/engine/relation/relation.ts';
import {
  AS_LISTED,
  differencesBetween,
  isAsListed,
  type Snapshot,
  snapshotOf,
} from '@dutchbook/engine/relation/snapshot.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import { inArray, type SQL, sql } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import { recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { pauseFound } from '../opportunities/found.ts';
import { standingReverse } from '../relations/reverse.ts';
import { relations, relationTemplates } from '../relations/table.ts';
import { type Contradicted, voidContradicted } from './contradicted.ts';
import { type Judged, judgeHuman } from './human-relations.ts';
import {
  addRelations,
  endRelations,
  indexed,
  isWithin,
  type NewRelation,
  type StoredRelation,
  storedTexts,
  touchRelations,
  trustedOf,
  updateRelation,
  type Voided,
  voidRelation,
  writeTexts,
} from './relation-rows.ts';

type Template = typeof relationTemplates.$inferSelect;
/** The changes of one event's relations, recorded with the others at the end of the transaction. */
export type Reconciled = {
  eventId: EventId;
  eventTitle: string;
  voided: readonly Voided[];
  contradicted: readonly Contradicted[];
  /** New ones. */
  added: readonly string[];
  /** New ones that an approved series covers. */
  approved: readonly { id: string; by: string }[];
  paused: readonly string[];
};

/** `relations`: as they are read of the event now. */
export type ReadEvent = { event: CatalogueEvent; relations: readonly Relation[] };

/**
 * Adds the relations of events that were not known before: nothing else can be stored about them. The caller holds the lock of
 * `humanRelations`.
 */
export async function addNewEvents(tx: Db, runtime: Runtime, read: readonly ReadEvent[]): Promise<Reconciled> {
  const templates = await templatesOf(
    tx,
    read.flatMap(({ relations: own }) => own),
  );
  const fresh: (NewRelation & { event: CatalogueEvent; eventTitle: string })[] = [];
  for (const { event, relations: own } of read) {
    for (const relation of own) {
      const template = await approvalOf(tx, templates, relation);
      fresh.push({ event, eventTitle: event.title, relation, snapshot: AS_LISTED, template });
    }
  }
  const added = await addRelations(tx, runtime, fresh);
  const resolved = added.filter((_, place) =>
    fresh[place]?.event.members.some((member) => member.resolvedValue !== null),
  );
  const contradicted =
    resolved.length === 0 ? [] : await voidContradicted(tx, runtime, inArray(relations.id, resolved));
  const approved = approvedOf(fresh, added);
  return { eventId: '', eventTitle: '', voided: [], contradicted, added, approved, paused: [] };
}

/**
 * Judges the relations of one event anew, under the lock of `humanRelations`, and by what has become of its members those with other events.
 * `before`: the event as it was stored until now, null where it was not.
 */
export async function reconcileEvent(
  tx: Db,
  runtime: Runtime,
  { event, relations: read }: ReadEvent,
  before: CatalogueEvent | null,
): Promise<Reconciled> {
  const related = await tx.select().from(relations).where(isOf(event.id)).orderBy(relations.id).for('update');
  const human = related.filter(isHuman);
  const own = related.filter((row) => isWithin(row, event.id));
  const others = related.filter((row) => row.endedAt === null && !own.includes(row));
  await touchRelations(
    tx,
    runtime,
    others.map(({ id }) => id),
  );
  const changes = await reconcile(tx, runtime, [event], {
    ...{ read, before, stored: own, isOfOneEvent: true },
    human: await judgeHuman(tx, runtime, human),
  });
  // Resolutions of other events were judged when those were read.
  if (event.members.every(({ resolvedValue }) => resolvedValue === null)) return { ...changes, contradicted: [] };
  return { ...changes, ...(await contradictedBy(tx, runtime, changes, isOf(event.id))) };
}

/** Judges the relations between events anew that are read as `read` is: of those that are stored between them, by their keys, `which` are. */
export async function reconcileAcross(
  tx: Db,
  runtime: Runtime,
  events: readonly CatalogueEvent[],
  read: readonly Relation[],
  which: (key: string) => boolean,
): Promise<Reconciled> {
  await lock(tx, 'humanRelations');
  const ids = events.map(({ id }) => id);
  const stored = await tx.select().from(relations).where(inArray(relations.eventId, ids)).for('update');
  const across = stored.filter((row) => !isHuman(row) && !isWithin(row, row.eventId) && which(row.key));
  const changes = await reconcile(tx, runtime, events, {
    ...{ read, before: null, stored: across, isOfOneEvent: false },
    human: { voided: [], ended: [] },
  });
  return { ...changes, ...(await contradictedBy(tx, runtime, changes, inArray(relations.id, [...changes.added]))) };
}

/** A relation stated by a user is read from nothing that could leave it out. */
function isHuman({ basis }: StoredRelation): boolean {
  return basis === 'human';
}

/** Relations with a member in the event. */
function isOf(eventId: EventId): SQL {
  return sql`${relations.members} @> ${JSON.stringify([{ eventId }])}::jsonb`;
}

async function contradictedBy(
  tx: Db,
  runtime: Runtime,
  { paused }: Pick<Reconciled, 'paused'>,
  which: SQL,
): Promise<Pick<Reconciled, 'contradicted' | 'paused'>> {
  const contradicted = await voidContradicted(tx, runtime, which);
  const ids = contradicted.map(({ id }) => id);
  return { contradicted, paused: [...paused, ...(await pausedOf(tx, runtime, ids))] };
}

async function pausedOf(tx: Db, runtime: Runtime, relationIds: readonly string[]): Promise<string[]> {
  return (await pauseFound(tx, runtime, relationIds)).map(({ id }) => id);
}

/** `stored`: the relations that `read` is compared with. `isOfOneEvent`: whether all of both are within one event, stored as `before` until now. */
type Reading = {
  read: readonly Relation[];
  stored: readonly StoredRelation[];
  human: Judged;
  before: CatalogueEvent | null;
  isOfOneEvent: boolean;
};

async function reconcile(
  tx: Db,
  runtime: Runtime,
  events: readonly CatalogueEvent[],
  { read, stored, human, before, isOfOneEvent }: Reading,
): Promise<Omit<Reconciled, 'contradicted'>> {
  const [first] = events;
  const known = new Map(stored.map((row) => [row.key, row]));
  const templates = await templatesOf(tx, read);
  const voided = [...human.voided];
  const ended = [...human.ended];
  const fresh: NewRelation[] = [];
  const compare = (row: StoredRelation, snapshot: Snapshot) => {
    const trusted = trustedOf(row, before);
    const differences = differencesBetween(trusted, snapshot);
    return { differences, texts: storedTexts({ snapshot, trusted }, differences, isOfOneEvent) };
  };
  for (const relation of read) {
    const row = known.get(relation.key);
    known.delete(relation.key);
    const snapshot = snapshotOf(relation.members, events);
    if (row === undefined) {
      fresh.push({ relation, snapshot, template: await approvalOf(tx, templates, relation) });
      continue;
    }
    const { differences, texts } = compare(row, snapshot);
    if ((await updateRelation(tx, runtime, row, { relation, differences, texts })) !== null)
      voided.push({ id: row.id, title: row.title, differences });
  }
  for (const row of known.values()) {
    const { differences, texts } = compare(row, snapshotOf(row.members, events));
    const isOver = row.endedAt !== null || events.some(({ closed }) => closed) || differences.length === 0;
    // The catalogue no longer has the version that was trusted.
    if (isOver && isAsListed(row.trusted) && differences.length > 0) await writeTexts(tx, row.id, texts);
    // The end of a relation that is not read again is not published.
    if (row.endedAt !== null) continue;
    if (isOver) ended.push(row.id);
    else if (await voidRelation(tx, runtime, row, texts, differences))
      voided.push({ id: row.id, title: row.title, differences });
  }
  const eventTitle = first?.title ?? '';
  const added = await addRelations(
    tx,
    runtime,
    fresh.map((each) => ({ ...each, eventTitle })),
  );
  const approved = approvedOf(fresh, added);
  await endRelations(tx, runtime, ended);
  const paused = await pausedOf(tx, runtime, [...ended, ...voided.map(({ id }) => id)]);
  return { eventId: first?.id ?? '', eventTitle, voided, added, approved, paused };
}

/** Tells people and the audit log, last in the transaction: one notification for all that is void of an event. */
export async function recordReconciled(tx: Db, runtime: Runtime, changes: readonly Reconciled[]): Promise<void> {
  await runtime.pubsub.publish(tx, 'relations_changed');
  for (const { eventId, eventTitle, voided, contradicted, added, paused } of changes) {
    // A new relation had no watcher.
    const notified = { voided, contradicted: contradicted.filter(({ id }) => !added.includes(id)) };
    const ids = [...notified.voided, ...notified.contradicted].map(({ id }) => id);
    if (ids.length === 0) continue;
    await recordNotification(tx, runtime, {
      type: 'relation_void',
      opportunityId: null,
      message: voidMessage(eventTitle, notified, paused.length),
      data: { event_id: eventId, relation_ids: ids, opportunity_ids: [...paused] },
    });
  }
  for (const { voided, contradicted, approved } of changes) {
    for (const { id, by } of approved)
      await recordAction(tx, runtime, THE_SYSTEM, {
        action: 'relation.approved',
        object: id,
        after: { series_approved_by: by },
      });
    for (const { id, differences } of voided)
      await recordAction(tx, runtime, THE_SYSTEM, {
        action: 'relation.voided',
        object: id,
        after: { fields: [...new Set(differences.map(({ field }) => field))] },
      });
    for (const { id, contradiction } of contradicted)
      await recordAction(tx, runtime, THE_SYSTEM, { action: 'relation.voided', object: id, after: { contradiction } });
  }
}

/** The approval of its series; none where what stands orders two of its members the other way round. */
async function approvalOf(
  tx: Db,
  templates: ReadonlyMap<string, Template>,
  relation: Relation,
): Promise<Template | undefined> {
  const template = templates.get(indexed(relation.template) ?? '');
  return template !== undefined && (await standingReverse(tx, relation)) === null ? template : undefined;
}

function approvedOf(fresh: readonly NewRelation[], added: readonly string[]): Reconciled['approved'] {
  return fresh.flatMap(({ template }, place) =>
    template === undefined ? [] : { id: added[place] ?? '', by: template.approvedBy },
  );
}

async function templatesOf(tx: Db, read: readonly Relation[]): Promise<Map<string, Template>> {
  const wanted = [...new Set(read.flatMap(({ template }) => indexed(template) ?? []))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.select().from(relationTemplates).where(inArray(relationTemplates.template, wanted));
  return new Map(rows.map((row) => [row.template, row]));
}

function voidMessage(
  eventTitle: string,
  { voided, contradicted }: Pick<Reconciled, 'voided' | 'contradicted'>,
  paused: number,
): string {
  const opportunities =
    paused === 0 ? '' : `, and ${paused === 1 ? 'its opportunity is' : `${paused} opportunities are`} paused`;
  const sentences = [
    ...(voided.length === 0 ? [] : [changedSentence(voided)]),
    ...(contradicted.length === 0 ? [] : [contradictedSentence(contradicted)]),
  ];
  return `${eventTitle}: ${sentences.join('. ')}${opportunities}`;
}

function changedSentence(voided: readonly Voided[]): string {
  const fields = [...new Set(voided.flatMap(({ differences }) => differences.map(({ field }) => field)))].join(', ');
  const what = voided.length === 1 ? `"${voided[0]?.title}" is` : `${voided.length} relations are`;
  return `the venue has changed ${fields || 'the members'}. ${what} void until a superuser approves what is said now`;
}

const CONTRADICTIONS_NAMED = 3;

function contradictedSentence(contradicted: readonly Contradicted[]): string {
  const words = [...new Set(contradicted.map(({ contradiction }) => contradiction))];
  const notified = words.slice(0, CONTRADICTIONS_NAMED).join('; ');
  const more = words.length > CONTRADICTIONS_NAMED ? `; and ${words.length - CONTRADICTIONS_NAMED} more` : '';
  const [first] = contradicted;
  const what =
    contradicted.length === 1 ? `"${first?.title}", which is` : `${contradicted.length} relations, which are`;
  return `${notified}${more}. This contradicts ${what} void`;
}
