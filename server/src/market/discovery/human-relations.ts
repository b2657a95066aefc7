/** Relations that a user has stated: added on request, and judged anew when the venue changes one of their members. */

import type { HumanKind } from '@dutchbook/contract/discovery/decisions.ts';
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import {
  humanFingerprint,
  humanRelation,
  problemsOf,
  type Statement,
  withoutLost,
} from '@dutchbook/engine/relation/human-relation.ts';
import { differencesBetween, snapshotOf } from '@dutchbook/engine/relation/snapshot.ts';
import type { MarketId } from '@dutchbook/units/ids.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import { Invalid, Refusal } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { nextVersion } from '../relations/next-version.ts';
import { relations } from '../relations/table.ts';
import { addRelations, hashOf, type StoredRelation, type Voided, voidRelation } from './relation-rows.ts';
import { catalogueEvents, catalogueMarkets } from './table.ts';

const MARKETS = ['body', 'market_ids'] as const;
const PROBLEMS_MAX = 20;

/** The body of `contract.addRelation`. */
type Asked = { kind: HumanKind; market_ids: readonly string[]; title: string | null; note: string };

/** Stores it as proposed. @returns its id. @throws Refusal 422 that names each market that cannot be a member, or what says the same */
export async function addHumanRelation(runtime: Runtime, actor: Actor, asked: Asked): Promise<string> {
  const { kind, market_ids: marketIds, title, note } = asked;
  const statement: Statement = { kind, marketIds, title, note, by: actor.email ?? '' };
  return runtime.db.transaction(async (tx) => {
    await lock(tx, 'humanRelations');
    const events = await eventsOfMarkets(tx, marketIds);
    const problems = problemsOf(statement, events).slice(0, PROBLEMS_MAX);
    if (problems.length > 0)
      throw new Refusal(
        422,
        problems.map(({ place, reason }) => ({ loc: [...MARKETS, place], msg: reason, type: 'value_error' })),
      );
    const relation = humanRelation(statement, events);
    const same = await sameRelation(tx, kind, marketIds);
    if (same !== null)
      throw new Invalid([...MARKETS], `These markets are a relation already: "${same.title}", ${same.state}`);
    const eventTitle = titleOf(events, relation.members[0]?.eventId);
    const snapshot = snapshotOf(relation.members, events);
    const [id = ''] = await addRelations(tx, runtime, [
      { eventTitle, relation: { ...relation, key: keyOf(relation.key) }, snapshot },
    ]);
    await runtime.pubsub.publish(tx, 'relations_changed');
    await recordAction(tx, runtime, actor, {
      action: 'relation.added',
      object: id,
      after: { kind, market_ids: marketIds, title: relation.title, note },
    });
    return id;
  });
}

/** `ended`: ids of those all of whose events are closed. */
export type Judged = { voided: readonly Voided[]; ended: readonly string[] };

/** Judges stated relations by the venue's current word on their members; `rows` are locked. */
export async function judgeHuman(tx: Db, runtime: Runtime, rows: readonly StoredRelation[]): Promise<Judged> {
  const ids = new Set(rows.flatMap(({ members }) => members.map(({ eventId }) => eventId)));
  const events = new Map((await eventsById(tx, [...ids])).map((event) => [event.id, withoutLost(event)]));
  const voided: Voided[] = [];
  const ended: string[] = [];
  for (const row of rows) {
    const own = [...new Set(row.members.map(({ eventId }) => eventId))].flatMap((id) => events.get(id) ?? []);
    if (own.every(({ closed }) => closed)) {
      ended.push(row.id);
      continue;
    }
    if (row.endedAt !== null)
      await tx
        .update(relations)
        .set({ endedAt: null, updatedAt: nextVersion(runtime) })
        .where(eq(relations.id, row.id));
    const fingerprint = hashOf(humanFingerprint(row.kind, row.members, own));
    if (fingerprint === row.fingerprint) continue;
    const snapshot = snapshotOf(row.members, own);
    const differences = differencesBetween(row.trusted, snapshot);
    if (differences.length === 0)
      await tx
        .update(relations)
        .set({ fingerprint, updatedAt: nextVersion(runtime) })
        .where(eq(relations.id, row.id));
    else if (await voidRelation(tx, runtime, row, { fingerprint, snapshot }, differences))
      voided.push({ id: row.id, title: row.title, differences });
  }
  return { voided, ended };
}

/** A stored relation of this kind between these markets, by any author; a ladder also has to have their order. */
async function sameRelation(tx: Db, kind: HumanKind, marketIds: readonly MarketId[]) {
  const wanted = JSON.stringify(marketIds.map((marketId) => ({ marketId })));
  const rows = await tx
    .select({ title: relations.title, state: relations.state, members: relations.members })
    .from(relations)
    .where(
      and(
        eq(relations.kind, kind),
        sql`${relations.members} @> ${wanted}::jsonb`,
        sql`jsonb_array_length(${relations.members}) = ${marketIds.length}`,
      ),
    );
  const isSame = ({ members }: Pick<StoredRelation, 'members'>) =>
    kind !== 'ladder' || members.every(({ marketId }, place) => marketId === marketIds[place]);
  return rows.find(isSame) ?? null;
}

async function eventsOfMarkets(tx: Db, marketIds: readonly MarketId[]): Promise<CatalogueEvent[]> {
  const rows = await tx
    .selectDistinct({ eventId: catalogueMarkets.eventId })
    .from(catalogueMarkets)
    .where(inArray(catalogueMarkets.id, [...marketIds]));
  return eventsById(
    tx,
    rows.map(({ eventId }) => eventId),
  );
}

/** Events as read last; those that the venue no longer lists are closed. */
async function eventsById(tx: Db, ids: readonly string[]): Promise<CatalogueEvent[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ event: catalogueEvents.event, closed: catalogueEvents.closed })
    .from(catalogueEvents)
    .where(inArray(catalogueEvents.id, [...ids]))
    .orderBy(catalogueEvents.id);
  return rows.map(({ event, closed }) => ({ ...event, closed }));
}

function titleOf(events: readonly CatalogueEvent[], id: string | undefined): string {
  return events.find((event) => event.id === id)?.title ?? '';
}

/** An index has no room for the ids of hundreds of markets. */
function keyOf(statement: string): string {
  return `human:${hashOf(statement)}`;
}
