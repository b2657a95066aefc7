import type { SortOrder } from '@dutchbook/contract/listing.ts';
import type {
  PairView,
  RELATION_SORTS,
  RelationBasis,
  RelationKind,
  RelationState,
} from '@dutchbook/contract/relations.ts';
import { mayTrade } from '@dutchbook/engine/relation/relation.ts';
import type { EventId, VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import {
  type AnyColumn,
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias, QueryBuilder, unionAll } from 'drizzle-orm/pg-core';
import { isAnyAt } from '../../platform/database/columns.ts';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import { oldestFirst } from '../../platform/database/oldest-first.ts';
import {
  indexOrder,
  isDeep,
  knownFirst,
  orderedBy,
  type Part,
  textInsensitive,
} from '../../platform/database/ordering.ts';
import { inPartitions } from '../../platform/engines/in-partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { opportunities } from '../opportunities/table.ts';
import type { LastingCounts } from '../search/lasting-counts.ts';
import { relationDistances, relationFollows, relationHits, relationPrices, relations } from './table.ts';

const { relationId: _id, ...PRICES } = getTableColumns(relationPrices);
/** The open opportunity, else the one that was open last. */
const OPPORTUNITY_ID = sql<string | null>`(
  select ${opportunities.id} from ${opportunities} where ${opportunities.relationId} = ${relations.id}
  order by ${opportunities.active} desc, ${opportunities.updatedAt} desc limit 1)`;
/** While it pays. */
const PAYING_SINCE = sql<Instant | null>`(
  select ${relationHits.firstAt} from ${relationHits} where ${relationHits.relationId} = ${relations.id} and ${relationHits.endedAt} is null
  order by ${relationHits.firstAt} limit 1)`.mapWith(relationHits.firstAt);
/** The rules of all members, twice: more than all else, and of use on its page alone. */
const { snapshot, trusted, ...OWN } = getTableColumns(relations);
const STORED = { ...OWN, ...PRICES, opportunityId: OPPORTUNITY_ID, payingSince: PAYING_SINCE };

type Texts = 'snapshot' | 'trusted';
/** A relation as stored, with what was found out last about its prices. */
export type StoredRelation = Omit<typeof relations.$inferSelect, Texts> &
  Omit<typeof relationPrices.$inferSelect, 'relationId'> & {
    opportunityId: string | null;
    /** Start of the current time in which it pays; null while it does not. */
    payingSince: Instant | null;
  };
/** A relation with the texts it depends on. */
export type WholeRelation = StoredRelation & Pick<typeof relations.$inferSelect, Texts>;

export type RelationPrices = typeof relationPrices.$inferSelect;
export type RelationDistance = typeof relationDistances.$inferSelect;

/** The prices of a relation without any book. */
export const NO_PRICES = { profit: USD_ZERO, size: SHARES_ZERO, quoted: 0, hits: 0 };

type RelationSort = (typeof RELATION_SORTS)[number];

const SORT_COLUMNS = {
  id: relations.id,
  created_at: relations.createdAt,
  updated_at: relations.updatedAt,
  kind: relations.kind,
  basis: relations.basis,
  state: relations.state,
  event_id: relations.eventId,
  event_title: textInsensitive(relations.eventTitle),
  title: textInsensitive(relations.title),
  members: sql`jsonb_array_length(${relations.members})`,
  quoted: relationPrices.quoted,
  is_complete: relations.isComplete,
  is_void_safe: relations.isVoidSafe,
  may_trade: relations.state,
  distance: relationPrices.distance,
  direction: relationPrices.direction,
  limited_by: textInsensitive(relationPrices.limitedBy),
  profit_usd: relationPrices.profit,
  size: relationPrices.size,
  distance_with_voids: relationPrices.distanceWithVoids,
  oldest_book_ms: relationPrices.oldestBookMs,
  opportunity_id: OPPORTUNITY_ID,
  first_hit_at: relationPrices.firstHitAt,
  last_hit_at: relationPrices.lastHitAt,
  paying_since: PAYING_SINCE,
  hits: relationPrices.hits,
} satisfies Record<RelationSort, AnyColumn | SQL>;

export type RelationFilter = {
  q?: string | undefined;
  kind?: RelationKind | undefined;
  basis?: RelationBasis | undefined;
  state?: RelationState | undefined;
  needsApproval?: boolean | undefined;
  minProfit?: Usd | undefined;
  /** Only relations that this user follows, or does not. */
  followed?: { by: string; is: boolean } | undefined;
  /** With a member there. */
  venue?: VenueName | undefined;
  /** All where it is left out. */
  pairs?: PairView | undefined;
};

export type RelationPage = {
  skip: number;
  limit: number;
  sortBy: RelationSort;
  sortOrder: SortOrder;
  isCompleteFirst?: boolean;
};

/** Lists watched relations; ended ones are left out. */
export async function listRelations(
  db: Db,
  filter: RelationFilter,
  page: RelationPage,
  counts: LastingCounts = (_key, count) => count(),
): Promise<{ rows: StoredRelation[]; count: number }> {
  const rows = await pageOfRelations(db, filter, page);
  const countAll = async () => ({ all: await countRelations(db, filter) });
  const key = JSON.stringify(filter);
  return { rows, count: await countWithPage(page, rows.length, async () => (await counts(key, countAll)).all) };
}

async function countRelations(db: Db, filter: RelationFilter): Promise<number> {
  if (filter.pairs !== 'by_event')
    return await db.$count(sql`${relations} join ${relationPrices} on ${OF_RELATION}`, matching(filter));
  // One pair of each event is listed; counting them needs no look-up of which.
  const listedAs = sql`case when ${IS_PAIR} then 'event ' || ${relations.eventId} else ${relations.id}::text end`;
  const [counted] = await db
    .select({ count: sql`count(distinct ${listedAs})`.mapWith(Number) })
    .from(relations)
    .innerJoin(relationPrices, OF_RELATION)
    .where(satisfies(filter));
  return counted?.count ?? 0;
}

/** The statement that reads a page. */
export function pageOfRelations(
  db: Db,
  filter: RelationFilter,
  page: RelationPage,
): Pick<PromiseLike<StoredRelation[]>, 'then'> & SQLWrapper {
  const { skip, limit, sortBy, sortOrder, isCompleteFirst = false } = page;
  const value = SORT_COLUMNS[sortBy];
  const found = matching(filter);
  const part = ({ among, order }: Part) =>
    stored(db)
      .where(and(among, found))
      .orderBy(...order);
  const ordered = ALWAYS_KNOWN.has(sortBy) ? indexOrder : orderedBy;
  const order = [...(isCompleteFirst ? COMPLETE_FIRST : []), ...ordered(value, sortOrder, relations.id)];
  if (isDeep(skip)) {
    const ids = db
      .select({ id: relations.id })
      .from(relations)
      .innerJoin(relationPrices, OF_RELATION)
      .where(found)
      .orderBy(...order)
      .offset(skip)
      .limit(limit);
    return part({ among: inArray(relations.id, ids), order });
  }
  if (isCompleteFirst || !(sortBy === 'distance' || sortBy === 'last_hit_at'))
    return part({ order }).offset(skip).limit(limit);
  const { known, unknown } = knownFirst(SORT_COLUMNS[sortBy], indexOrder(value, sortOrder, relationPrices.relationId));
  const end = skip + limit;
  return unionAll(part(known).limit(end), part(unknown).limit(end)).offset(skip).limit(limit);
}

/** All that are watched, oldest first. */
export function pagesOfRelations(db: Db, filter: RelationFilter): AsyncGenerator<StoredRelation[]> {
  return oldestFirst(relations, ({ after, order, limit }) =>
    stored(db)
      .where(and(matching(filter), after))
      .orderBy(...order)
      .limit(limit),
  );
}

/** Texts that are no column as they are sorted by, and never null. */
const ALWAYS_KNOWN: ReadonlySet<RelationSort> = new Set(['event_title', 'title']);

const OF_RELATION = eq(relationPrices.relationId, relations.id);
const IS_PAIR = sql`${relations.kind} = 'pair'`;
/** What pays, then sets that are complete. */
const COMPLETE_FIRST = [
  sql`(${relationPrices.profit} > 0) desc`,
  sql`(${relations.isComplete} and not ${IS_PAIR}) desc`,
];

function stored(db: Db) {
  return db.select(STORED).from(relations).innerJoin(relationPrices, OF_RELATION).$dynamic();
}

export async function readRelation(db: Db, id: string): Promise<WholeRelation | null> {
  const [row] = await db
    .select({ ...STORED, snapshot, trusted })
    .from(relations)
    .innerJoin(relationPrices, OF_RELATION)
    .where(eq(relations.id, id));
  return row ?? null;
}

/** Locked until the transaction ends, so that of two decisions the later one sees the earlier one. */
export async function lockRelation(tx: Db, id: string): Promise<typeof relations.$inferSelect | null> {
  const [row] = await tx.select().from(relations).where(eq(relations.id, id)).for('update');
  return row ?? null;
}

/** Whether its hits may become opportunities, which stays so until the transaction ends. */
export async function mayTradeUntilEnd(tx: Db, id: string, kindsOn: Parameters<typeof mayTrade>[1]): Promise<boolean> {
  const { kind, basis, state, endedAt } = relations;
  const [row] = await tx
    .select({ kind, basis, state, endedAt })
    .from(relations)
    .where(eq(relations.id, id))
    .for('share');
  return row !== undefined && row.endedAt === null && mayTrade(row, kindsOn);
}

export async function isFollowedBy(db: Db, userId: string, relationId: string): Promise<boolean> {
  return (
    (await db.$count(
      relationFollows,
      and(eq(relationFollows.userId, userId), eq(relationFollows.relationId, relationId)),
    )) > 0
  );
}

type RelationVersion = Pick<StoredRelation, 'id' | 'updatedAt' | 'eventId'>;

/** Which of the relations in these partitions have changed since an instant, inclusive, in the order of their ids. */
export async function changedRelations(
  db: Db,
  since: Instant | null,
  partitions: readonly number[] | null,
  after: string | null,
  limit: number,
): Promise<RelationVersion[]> {
  if (partitions?.length === 0) return [];
  return db
    .select({ id: relations.id, updatedAt: relations.updatedAt, eventId: relations.eventId })
    .from(relations)
    .where(
      and(
        since === null ? isNull(relations.endedAt) : gte(relations.updatedAt, since),
        inPartitions(relations.id, partitions),
        after === null ? undefined : gt(relations.id, after),
      ),
    )
    .orderBy(asc(relations.id))
    .limit(limit);
}

export async function relationsById(db: Db, ids: readonly string[]): Promise<StoredRelation[]> {
  return stored(db).where(isAmong(ids)).orderBy(asc(relations.id));
}

/**
 * One parameter for all of them: to put thousands into a statement takes longer than the database over the rows. The planner takes an array
 * that is selected for ten values, and finds them by the index; for hundreds, as it would, it reads tables of tens of thousands of rows whole.
 */
function isAmong(ids: readonly string[]): SQL {
  return sql`${relations.id} = any(array(select unnest(${`{${ids.join()}}`}::uuid[])))`;
}

/** Writes prices and points of the plot together; what has been deleted since is passed over. */
export async function writeRelationPrices(
  db: Db,
  prices: readonly RelationPrices[],
  points: readonly RelationDistance[],
): Promise<void> {
  if (prices.length === 0) return;
  await db.transaction(async (tx) => {
    const there = await keepUntilEnd(
      tx,
      prices.map(({ relationId }) => relationId),
    );
    const rows = prices.filter(({ relationId }) => there.has(relationId));
    if (rows.length === 0) return;
    await tx.execute(
      sql`${insertOf(relationPrices, rows)} on conflict (relation_id) do update set ${setExcluded(Object.values(PRICES))}`,
    );
    const plotted = points.filter(({ relationId }) => there.has(relationId));
    if (plotted.length > 0)
      await tx.execute(sql`${insertOf(relationDistances, plotted)} on conflict (relation_id, at) do update
        set distance = least(relation_distances.distance, excluded.distance), profit = greatest(relation_distances.profit, excluded.profit)`);
  });
}

/** Locks the relations that exist among the ids until the transaction ends, and returns them. */
export async function keepUntilEnd(tx: Db, ids: readonly string[]): Promise<Set<string>> {
  const known = await tx.select({ id: relations.id }).from(relations).where(isAmong(ids)).for('key share');
  return new Set(known.map(({ id }) => id));
}

/** Points of the plot, oldest first; of more the newest. */
export async function readDistances(db: Db, relationId: string, limit: number): Promise<RelationDistance[]> {
  const rows = await db
    .select()
    .from(relationDistances)
    .where(eq(relationDistances.relationId, relationId))
    .orderBy(sql`${relationDistances.at} desc`)
    .limit(limit);
  return rows.reverse();
}

/** The condition of a filtered list. */
function matching(filter: RelationFilter): SQL | undefined {
  return and(satisfies(filter), shownOfPairs(filter));
}

const other = alias(relations, 'other');
const otherPrices = alias(relationPrices, 'other_prices');

function shownOfPairs(filter: RelationFilter): SQL | undefined {
  if (filter.pairs === 'left_out') return or(ne(relations.kind, 'pair'), gt(relationPrices.profit, USD_ZERO));
  if (filter.pairs !== 'by_event') return undefined;
  const nearest = new QueryBuilder()
    .select({ id: other.id })
    .from(other)
    .innerJoin(otherPrices, eq(otherPrices.relationId, other.id))
    .where(
      and(
        satisfies(filter, { relations: other, relationPrices: otherPrices }),
        eq(other.kind, 'pair'),
        eq(other.eventId, relations.eventId),
      ),
    )
    .orderBy(sql`${otherPrices.distance} asc nulls last`, asc(other.id))
    .limit(1);
  return or(ne(relations.kind, 'pair'), sql`${relations.id} = (${nearest})`);
}

/** Whether a relation itself satisfies `filter`, whichever others are shown; `of` are the tables it is read from. */
function satisfies(
  { q, kind, basis, state, needsApproval, venue, minProfit, followed }: RelationFilter,
  of: { relations: typeof relations | typeof other; relationPrices: typeof relationPrices | typeof otherPrices } = {
    relations,
    relationPrices,
  },
): SQL | undefined {
  const { id, eventId, eventTitle, title, members } = of.relations;
  const follows = (by: string) =>
    sql`exists (select from ${relationFollows} where ${relationFollows.relationId} = ${id} and ${relationFollows.userId} = ${by})`;
  return and(
    isNull(of.relations.endedAt),
    kind && eq(of.relations.kind, kind),
    basis && eq(of.relations.basis, basis),
    state && eq(of.relations.state, state),
    needsApproval === undefined ? undefined : needsApproval ? waits(of) : sql`not ${waits(of)}`,
    minProfit === undefined ? undefined : gte(of.relationPrices.profit, minProfit),
    venue && isAnyAt(marketIdsOf(members), venue),
    followed && (followed.is ? follows(followed.by) : sql`not ${follows(followed.by)}`),
    q === undefined
      ? undefined
      : or(
          sql`strpos(lower(${eventTitle}), lower(${q})) > 0`,
          sql`strpos(lower(${title}), lower(${q})) > 0`,
          eq(eventId, q as EventId),
          sql`${members} @> ${JSON.stringify([{ marketId: q }])}::jsonb`,
        ),
  );
}

/** Whether a relation waits for approval: enforced and declared ones trade with their kind, parsed and human ones once approved. */
function waits({ relations: of }: { relations: typeof relations | typeof other }): SQL {
  return sql`(${of.state} = 'proposed' and ${of.basis} in ('parsed', 'human'))`;
}

function marketIdsOf(members: SQLWrapper): SQL {
  return sql`(select array_agg(member ->> 'marketId') from jsonb_array_elements(${members}) as member)`;
}
