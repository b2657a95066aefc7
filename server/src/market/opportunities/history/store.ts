/** The points of an opportunity's price history: what may become one, and reading them. */
import { isPriceError } from '@dutchbook/contract/opportunities.ts';
import { HISTORY_DAYS, RECENT_POINTS, RECENT_SPACING_MS } from '@dutchbook/contract/valuation.ts';
import { type Instant, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { and, asc, desc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { insertOf, setExcluded } from '../../../platform/database/many-rows.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import type { StoredOpportunity } from '../store.ts';
import { opportunities, opportunityPrices } from '../table.ts';
import { keptUntil } from './days.ts';
import { pricePoints } from './table.ts';

export type PricePoint = typeof pricePoints.$inferSelect;

/** The values of a point. */
export type PointValues = Pick<PricePoint, 'currentPrice' | 'profitPercentage' | 'targetPrice'>;

/** Points of one opportunity are at least this far apart, except where its trigger goes on or off. */
export const POINT_SPACING_MS = 10_000;
/**
 * Smaller moves add no point: a tenth of a cent, the smallest tick there is, and a tenth of a percent. Of what moves
 * by less with each change of a book the points would be the most that the database holds.
 */
export const POINT_STEP = { price: 1_000 as Price, percent: 100_000 as Percent };

/** Today and one day before. */
const RECENT_DAYS = 1;

/** The point of a row. With an error the price is the last one known, and not current. */
export function pointOf({ currentPrice, profitPercentage, targetPrice, lastError }: StoredOpportunity): PointValues {
  const isPriced = !isPriceError(lastError);
  return {
    currentPrice: isPriced ? currentPrice : null,
    profitPercentage: isPriced ? profitPercentage : null,
    targetPrice,
  };
}

/**
 * Adds to the history those of the rows that have changed and are due: a row
 * is passed over where its last point is younger than the spacing or says the same, within the step. A trigger that has gone on or off
 * always gets its point. `tx` has written the rows before, and so holds them: two processes cannot both add a point.
 *
 * @returns the ids of those that were added
 */
export async function recordPricePoints(tx: Db, rows: readonly StoredOpportunity[]): Promise<Set<string>> {
  const added = new Set<string>();
  // Most last points are of these days. To look for all of them in the partitions of the whole history takes a third more for each point.
  const older = await addPoints(tx, rows, RECENT_DAYS, added);
  if (older.size > 0) {
    const left = rows.filter(({ id }) => older.has(id));
    await addPoints(tx, left, HISTORY_DAYS, added);
  }
  return added;
}

/** Adds to `added`. @returns the ids of those whose last point was not found within so many days, while there are older ones */
async function addPoints(
  tx: Db,
  rows: readonly StoredOpportunity[],
  days: number,
  added: Set<string>,
): Promise<Set<string>> {
  const checked = rows.flatMap(({ lastChecked }) => lastChecked ?? []);
  if (checked.length === 0) return new Set();
  const latest = instantFromMs(Math.max(...checked));
  const answer = await tx.execute(newPoints(JSON.stringify(rows.map(wirePoint)), keptUntil(latest, days), days));
  const older = new Set<string>();
  for (const { id, is_added } of (answer as unknown as { rows: { id: string; is_added: boolean }[] }).rows)
    (is_added ? added : older).add(id);
  return older;
}

/** The statement that adds the point at which the row's trigger went on or off, for the transaction that records that. */
export function edgeInsert(row: StoredOpportunity, at: Instant): SQL {
  const point = { ...pointOf(row), triggered: row.triggered, isEdge: true };
  return sql`${insertOf(pricePoints, [{ ...point, opportunityId: row.id, at }])} ${OR_SAYS_SO_NOW}`;
}

const { currentPrice, profitPercentage, targetPrice, triggered, isEdge } = pricePoints;
const OR_SAYS_SO_NOW = sql`on conflict (opportunity_id, at) do update set
  ${setExcluded([currentPrice, profitPercentage, targetPrice, triggered, isEdge])}`;

/** `kept`: where the last points are looked for, so many days. Answers which were added, and of which none was found there. */
function newPoints(rows: string, kept: SQL, days: number): SQL {
  const isOlder = days < HISTORY_DAYS ? sql`last_at is null` : sql`false`;
  return sql`
    with judged as (
      select v.*, o.triggered, last.at as last_at, last.current_price as last_price, last.target_price as last_target,
        last.profit_percentage as last_profit, o.triggered is distinct from coalesce(last.triggered, false) as is_edge
      from (
        select distinct on (id) * from json_to_recordset(${rows}::json) as v(id uuid,
          at timestamp(3) with time zone, current_price bigint, target_price bigint, profit_percentage bigint)
        order by id, at desc
      ) v
      join ${opportunityPrices} o on o.opportunity_id = v.id
      left join lateral (
        select p.* from ${pricePoints} p where p.opportunity_id = v.id and ${kept} order by p.at desc limit 1
      ) last on true
    ), added as (
      insert into ${pricePoints} (opportunity_id, at, current_price, target_price, profit_percentage, triggered, is_edge)
      select id, greatest(at, last_at + interval '1 millisecond'), current_price, target_price, profit_percentage, triggered, is_edge
      from judged
      where not ${isOlder} and (last_at is null or is_edge or (
        at >= last_at + ${POINT_SPACING_MS} * interval '1 millisecond'
        and (target_price <> last_target or ${isMoved('current_price', 'last_price', POINT_STEP.price)}
          or ${isMoved('profit_percentage', 'last_profit', POINT_STEP.percent)})
      ))
      returning opportunity_id
    )
    select opportunity_id as id, true as is_added from added
    union all select id, false from judged where ${isOlder}`;
}

function isMoved(now: string, before: string, step: number): SQL {
  return sql.raw(`coalesce(abs(${now} - ${before}) >= ${step}, ${now} is distinct from ${before})`);
}

/** The points since then, oldest first, led by the one that stood at that moment. */
export async function readPricePoints(db: Db, opportunityId: string, since: Instant): Promise<PricePoint[]> {
  const own = eq(pricePoints.opportunityId, opportunityId);
  const standing = await db
    .select()
    .from(pricePoints)
    .where(and(own, lte(pricePoints.at, since), keptUntil(since)))
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

/**
 * How the profit stood at each of the last instants: as many looks into the index of these hours, however long a history is, and one
 * into those of the days before.
 */
export async function readRecent(db: Db, ids: readonly string[], now: Instant): Promise<Recent[]> {
  const first = instantFromMs(now - (RECENT_POINTS - 1) * RECENT_SPACING_MS);
  const moment = sql`${instantToIso(now)}::timestamptz - moment.back * ${RECENT_SPACING_MS}::int * interval '1 millisecond'`;
  const newest = (where: SQL) => sql`left join lateral (
      select at, profit_percentage from ${pricePoints} where opportunity_id = o.id and ${where} order by at desc limit 1
    )`;
  const answer = await db.execute(sql`
    select o.id, array_agg(case when p.at is null then standing.profit_percentage else p.profit_percentage end
      order by moment.back desc) as profits
    from json_array_elements_text(${JSON.stringify(ids)}::json) as asked(id)
    join ${opportunities} o on o.id = asked.id::uuid
    ${newest(sql`at <= ${instantToIso(first)}::timestamptz and ${keptUntil(first)}`)} standing on true
    cross join generate_series(0, ${RECENT_POINTS - 1}::int) as moment(back)
    ${newest(sql`at > ${instantToIso(first)}::timestamptz and at <= ${instantToIso(now)}::timestamptz and at <= ${moment}`)} p on true
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
