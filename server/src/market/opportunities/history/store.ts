/** The points of an opportunity's price history: what may become one, and reading them. */
import { isPriceError } from '@dutchbook/contract/opportunities.ts';
import { RECENT_POINTS, RECENT_SPACING_MS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { and, asc, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { insertOf, setExcluded } from '../../../platform/database/many-rows.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import type { StoredOpportunity } from '../store.ts';
import { opportunities, opportunityPrices } from '../table.ts';
import { pricePoints } from './table.ts';

export type PricePoint = typeof pricePoints.$inferSelect;

/** What a point says of the price. */
export type PointValues = Pick<PricePoint, 'currentPrice' | 'profitPercentage' | 'targetPrice'>;

/** Points of one opportunity are at least this far apart, except where its trigger goes on or off. */
export const POINT_SPACING_MS = 10_000;
/**
 * What is nearer to the last point says the same: a tenth of a cent, the smallest tick there is, and a tenth of a percent. Of what moves
 * by less with each change of a book the points would be the most that the database holds.
 */
export const POINT_STEP = { price: 1_000 as Price, percent: 100_000 as Percent };

/** What a row says of its price. An error of the price means that this is the last one known, and not one of now. */
export function pointOf({ currentPrice, profitPercentage, targetPrice, lastError }: StoredOpportunity): PointValues {
  const isPriced = !isPriceError(lastError);
  return {
    currentPrice: isPriced ? currentPrice : null,
    profitPercentage: isPriced ? profitPercentage : null,
    targetPrice,
  };
}

/**
 * Adds to the history, in one statement, those of the rows that have changed and are due: a row
 * is passed over where its last point is younger than the spacing or says the same, within the step. A trigger that has gone on or off
 * always gets its point. `tx` has written the rows before, and so holds them: two processes cannot both add a point.
 *
 * @returns the ids of those that were added
 */
export async function recordPricePoints(tx: Db, rows: readonly StoredOpportunity[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const added = await tx
    .insert(pricePoints)
    .select(newPoints(JSON.stringify(rows.map(wirePoint))))
    .returning({ id: pricePoints.opportunityId });
  return new Set(added.map(({ id }) => id));
}

/** The statement that adds the point at which the row's trigger went on or off, for the transaction that records that. */
export function edgeInsert(row: StoredOpportunity, at: Instant): SQL {
  const point = { ...pointOf(row), triggered: row.triggered, isEdge: true };
  return sql`${insertOf(pricePoints, [{ ...point, opportunityId: row.id, at }])} ${OR_SAYS_SO_NOW}`;
}

const { currentPrice, profitPercentage, targetPrice, triggered, isEdge } = pricePoints;
const OR_SAYS_SO_NOW = sql`on conflict (opportunity_id, at) do update set
  ${setExcluded([currentPrice, profitPercentage, targetPrice, triggered, isEdge])}`;

/** The values of a point in the order of the table's columns. */
function newPoints(rows: string): SQL {
  return sql`
    select v.id, greatest(v.at, last.at + interval '1 millisecond'), v.current_price, v.target_price,
      v.profit_percentage, o.triggered, edge.is_edge
    from (
      select distinct on (id) * from json_to_recordset(${rows}::json) as v(id uuid,
        at timestamp(3) with time zone, current_price bigint, target_price bigint, profit_percentage bigint)
      order by id, at desc
    ) v
    join ${opportunityPrices} o on o.opportunity_id = v.id
    left join lateral (
      select p.* from ${pricePoints} p where p.opportunity_id = v.id order by p.at desc limit 1
    ) last on true
    cross join lateral (select o.triggered is distinct from coalesce(last.triggered, false) as is_edge) edge
    where last.at is null or edge.is_edge or (
      v.at >= last.at + ${POINT_SPACING_MS} * interval '1 millisecond'
      and (v.target_price <> last.target_price or ${isMoved('current_price', POINT_STEP.price)}
        or ${isMoved('profit_percentage', POINT_STEP.percent)})
    )`;
}

function isMoved(column: 'current_price' | 'profit_percentage', step: number): SQL {
  const [now, before] = [sql.raw(`v.${column}`), sql.raw(`last.${column}`)];
  return sql`coalesce(abs(${now} - ${before}) >= ${sql.raw(String(step))}, ${now} is distinct from ${before})`;
}

/** The points since then, oldest first, led by the one that stood at that moment. */
export async function readPricePoints(db: Db, opportunityId: string, since: Instant): Promise<PricePoint[]> {
  const own = eq(pricePoints.opportunityId, opportunityId);
  const standing = await db
    .select()
    .from(pricePoints)
    .where(and(own, lte(pricePoints.at, since)))
    .orderBy(desc(pricePoints.at))
    .limit(1);
  const later = await db
    .select()
    .from(pricePoints)
    .where(and(own, gt(pricePoints.at, since)))
    .orderBy(asc(pricePoints.at));
  return [...standing, ...later];
}

type Recent = { opportunity_id: string; profit_percentages: (Percent | null)[] };

/** How the profit stood at each of the last instants: as many looks into the index, however long a history is. */
export async function readRecent(db: Db, ids: readonly string[], now: Instant): Promise<Recent[]> {
  const answer = await db.execute(sql`
    select o.id, array_agg(p.profit_percentage order by moment.back desc) as profits
    from json_array_elements_text(${JSON.stringify(ids)}::json) as asked(id)
    join ${opportunities} o on o.id = asked.id::uuid
    cross join generate_series(0, ${RECENT_POINTS - 1}::int) as moment(back)
    left join lateral (
      select profit_percentage from ${pricePoints}
      where opportunity_id = o.id
        and at <= ${instantToIso(now)}::timestamptz - moment.back * ${RECENT_SPACING_MS}::int * interval '1 millisecond'
      order by at desc limit 1
    ) p on true
    group by o.id`);
  const { rows } = answer as unknown as { rows: { id: string; profits: (string | null)[] }[] };
  return rows.map(({ id, profits }) => ({
    opportunity_id: id,
    profit_percentages: profits.map((profit) => (profit === null ? null : (Number(profit) as Percent))),
  }));
}

function wirePoint(row: StoredOpportunity): Record<string, unknown> {
  const { currentPrice, targetPrice, profitPercentage } = pointOf(row);
  return {
    id: row.id,
    at: row.lastChecked === null ? null : instantToIso(row.lastChecked),
    current_price: currentPrice,
    target_price: targetPrice,
    profit_percentage: profitPercentage,
  };
}
