/** Finds markets of the catalogue by what a trader types: words in any order, ids, or the address of a page. */
import type { EventId } from '@dutchbook/units/ids.ts';
import { and, eq, isNotNull, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { LastingCounts } from './lasting-counts.ts';
import { listedWords, marketListings } from './table.ts';
import { mayBeMistyped, nameInAddress, slipsBetween, slipsMax, type Wanted, wantedWords } from './words.ts';

export type ListingQuery = { search?: string; event?: EventId; skip: number; limit: number };
export type FoundListing = Pick<typeof marketListings.$inferSelect, 'id' | 'listing' | 'leftOut' | 'closed'>;
export type FoundListings = { data: FoundListing[]; count: number; left_out: { data: FoundListing[]; count: number } };

/** More words than these leave few markets. */
const BROAD_WORDS_MAX = 2;
/** As many words as a mistyped one may stand for. */
const MEANT_MAX = 5;

/**
 * The best matches first: a market named by its address or id, those that have all words whole, those that have their beginnings; of
 * equal ones the open first, then by what is traded in them. Closed ones are found by words alone.
 */
export async function findListings(db: Db, query: ListingQuery, counts?: LastingCounts): Promise<FoundListings> {
  const search = query.search?.trim() ?? '';
  const named = search === '' ? undefined : await namedBy(db, search);
  if (named !== undefined) return read(db, query, { where: named, whole: null, isOpen: false });
  const wanted = wantedWords(nameInAddress(search) ?? search);
  if (wanted.length === 0) return search === '' ? read(db, query, ALL_OPEN, counts) : NONE;
  const found = await read(db, query, matchOf(wanted));
  if (found.count + found.left_out.count > 0 || query.skip > 0) return found;
  const meant = await meantBy(db, wanted);
  return meant === null ? found : read(db, query, matchOf(meant));
}

/** `whole`: of which those come first; null where none does. `isBroad`: a large part of all markets may match. */
type Match = { where: SQL | undefined; whole: SQL | null; isBroad?: boolean; isOpen: boolean };

const ALL_OPEN: Match = { where: undefined, whole: null, isOpen: true };
/** The order of the index over open markets. */
const MOST_TRADED = [sql`${marketListings.dollars} desc nulls last`, marketListings.eventId, marketListings.id];
const NONE: FoundListings = { data: [], count: 0, left_out: { data: [], count: 0 } };

/** Matches a search that is an id, or the name in an address; undefined where nothing has it. */
async function namedBy(db: Db, search: string): Promise<SQL | undefined> {
  const name = nameInAddress(search) ?? search;
  if (/\s/.test(name)) return undefined;
  const { id, slug, eventSlug } = marketListings;
  const [ofMarket, ofEvent] = [sql`${or(eq(id, name), eq(slug, name))}`, sql`${eq(eventSlug, name)}`];
  const [row] = rowsOf<{ of_market: boolean; of_event: boolean }>(
    await db.execute(sql`select exists (select from ${marketListings} where ${ofMarket}) as of_market,
      exists (select from ${marketListings} where ${ofEvent}) as of_event`),
  );
  if (row?.of_market === true) return ofMarket;
  return row?.of_event === true ? ofEvent : undefined;
}

function matchOf(wanted: readonly Wanted[]): Match {
  const { words } = marketListings;
  const any = wanted.map((each) => `(${each.map(termOf).join(' | ')})`).join(' & ');
  const whole = wanted.map((each) => `'${each[0]?.word}'`).join(' & ');
  return {
    where: sql`${words} @@ ${any}::tsquery`,
    whole: sql`${words} @@ ${whole}::tsquery`,
    isBroad: wanted.length <= BROAD_WORDS_MAX,
    isOpen: false,
  };
}

/** Words are of letters and figures alone. */
function termOf({ word, isPrefix }: Wanted[number]): string {
  return `'${word}'${isPrefix ? ':*' : ''}`;
}

async function read(
  db: Db,
  { event, skip, limit }: ListingQuery,
  match: Match,
  lasting?: LastingCounts,
): Promise<FoundListings> {
  const { id, eventId, listing, leftOut, closed } = marketListings;
  const isOpen = not(closed);
  const matching = and(match.where, event === undefined ? undefined : eq(eventId, event));
  // An event is shown whole, which is what is open of it.
  const hasClosed = !match.isOpen && event === undefined;
  const shown = hasClosed ? matching : and(matching, isOpen);
  const countAll = async () => {
    const [counts = { tradable: 0, others: 0 }] = await db
      .select({
        tradable: sql`count(*) filter (where ${isNull(leftOut)})`.mapWith(Number),
        others: sql`count(*) filter (where ${isNotNull(leftOut)} and ${isOpen})`.mapWith(Number),
      })
      .from(marketListings)
      .where(shown);
    return counts;
  };
  const page = (where: SQL | undefined, from: number) => {
    const first = match.whole === null ? [] : [sql`(${match.whole}) desc`];
    return db
      .select({ id, listing, leftOut, closed })
      .from(marketListings)
      .where(where)
      .orderBy(...first, ...(hasClosed ? [closed] : []), ...MOST_TRADED)
      .limit(limit)
      .offset(from);
  };
  const tradablePage = async () => {
    const found = and(shown, isNull(leftOut));
    if (match.whole === null || match.isBroad !== true) return await page(found, skip);
    // For a word that a third of all markets have, read the most traded ones by the index before looking at all.
    const best = await db
      .select({ id, listing, leftOut, closed })
      .from(marketListings)
      .where(and(found, match.whole, isOpen))
      .orderBy(...MOST_TRADED)
      .limit(limit)
      .offset(skip);
    return best.length === limit ? best : await page(found, skip);
  };
  const [{ tradable, others }, data] = await Promise.all([
    lasting?.(event ?? '', countAll) ?? countAll(),
    tradablePage(),
  ]);
  return {
    data,
    count: tradable,
    left_out: {
      data: others === 0 ? [] : await page(and(matching, isOpen, isNotNull(leftOut)), 0),
      count: others,
    },
  };
}

/** The search with the words that were meant in place of those that no market has; null where nothing was mistyped. */
async function meantBy(db: Db, wanted: readonly Wanted[]): Promise<Wanted[] | null> {
  const others = await Promise.all(
    wanted.map(async ([first]) => (first !== undefined && mayBeMistyped(first.word) ? wordsLike(db, first.word) : [])),
  );
  if (others.every((words) => words.length === 0)) return null;
  return wanted.map((each, place) => {
    const words = others[place] ?? [];
    return words.length === 0 ? each : words.map((word) => ({ word, isPrefix: false }));
  });
}

/** Mistyped beyond the first letter, or with the first two exchanged; those with the fewest slips. None where a word begins like it. */
async function wordsLike(db: Db, word: string): Promise<string[]> {
  const [first = '', second = ''] = word;
  const slips = slipsMax(word);
  const rows = await db
    .select()
    .from(listedWords)
    .where(
      and(
        or(beginsWith(first), beginsWith(`${second}${first}`)),
        sql`length(${listedWords.word}) between ${word.length - slips} and ${word.length + slips}`,
        sql`not exists (select from ${listedWords} where ${beginsWith(word)})`,
      ),
    );
  return rows
    .map((row) => ({ word: row.word, slips: slipsBetween(word, row.word) }))
    .filter((other) => other.slips <= slips)
    .sort((one, other) => one.slips - other.slips)
    .slice(0, MEANT_MAX)
    .map((other) => other.word);
}

function rowsOf<Row>(answer: unknown): Row[] {
  return (answer as { rows: Row[] }).rows;
}

/** As the index on words orders them, in any collation: `\uffff` lies behind all letters. */
function beginsWith(word: string): SQL {
  return sql`(${listedWords.word} collate "C") between ${word} and ${`${word}\uffff`}`;
}
