import type { MarketId, VenueName } from '@dutchbook/units/ids.ts';
import { type AnyColumn, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { isAnyAt } from '../../platform/database/columns.ts';
import { holds, idBeginsWith } from '../../platform/database/find.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { marketNames } from '../markets/table.ts';
import { MARKET_IDS, opportunities } from './table.ts';

/**
 * A text that is looked for, and the markets that it finds; null where they are more than are looked up one by one: then
 * all opportunities are read instead.
 */
export type Find = { q: string; marketIds: readonly MarketId[] | null };

/** Up to this many markets, the opportunities of 100,000 are found in 0.1 to 0.2 s; reading all takes 0.6 s. */
const MARKETS_MAX = 300;

/** `undefined` where nothing is looked for. */
export async function openFind(db: Db, q: string | undefined): Promise<Find | undefined> {
  return q === undefined ? undefined : { q, marketIds: await findMarkets(db, q) };
}

async function findMarkets(db: Db, q: string): Promise<readonly string[] | null> {
  const named = await db
    .select({ id: marketNames.marketId })
    .from(marketNames)
    .where(isNamed(q))
    .limit(MARKETS_MAX + 1);
  return named.length > MARKETS_MAX ? null : named.map(({ id }) => id);
}

/** Whether the id of a market begins so. */
export function marketIdBeginsWith(marketId: AnyColumn, { q }: Find): SQL {
  return beginsWith(marketId, q);
}

/** The ids of the opportunities that `q` finds, as a term: to await a query of Drizzle's is to run it. */
export async function findOpportunities(db: Db, q: string): Promise<SQL> {
  return sql`${foundOpportunities(db, { q, marketIds: await findMarkets(db, q) })}`;
}

/** The ids of the opportunities with a position at the venue, as a term. */
export function opportunitiesAt(venue: VenueName): SQL {
  return sql`select ${opportunities.id} from ${opportunities} where ${isAnyAt(MARKET_IDS, venue)}`;
}

/**
 * The ids of the opportunities that are found: by the beginning of their id or of a market's, by what a market or its event
 * is called, by source or source details.
 */
export function foundOpportunities(db: Db, find: Find): SQLWrapper {
  const ids = (where: SQL | undefined) => db.select({ id: opportunities.id }).from(opportunities).where(where);
  const byText = ids(or(holds(opportunities.source, find), holds(opportunities.sourceDetails, find)));
  const byMarket = ids(isAboutFound(db, find));
  const byId = idBeginsWith(opportunities.id, find);
  return byId === undefined ? unionAll(byText, byMarket) : unionAll(byText, byMarket, ids(byId));
}

function isAboutFound(db: Db, { q, marketIds }: Find): SQL {
  if (marketIds === null) {
    const named = db.select({ id: marketNames.marketId }).from(marketNames).where(isNamed(q));
    return sql`exists (select from unnest(${MARKET_IDS}) as about(id) where about.id in ${named})`;
  }
  // A market that the venue does not list has no name, but an id.
  const ids = JSON.stringify([...marketIds, q]);
  return sql`${MARKET_IDS} && array(select json_array_elements_text(${ids}::json))`;
}

function isNamed(q: string): SQL | undefined {
  const find = { q, marketIds: null };
  return or(
    holds(marketNames.question, find),
    holds(marketNames.eventTitle, find),
    beginsWith(marketNames.marketId, q),
  );
}

function beginsWith(text: AnyColumn, q: string): SQL {
  return sql`starts_with(lower(${text}), lower(${q}))`;
}
