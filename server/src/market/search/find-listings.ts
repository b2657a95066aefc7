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

/** As many words as a mistyped one may stand for. */
const MEANT_MAX = 5;

/**
 * The best matches first: a market named by its address or id, those that have all words whole, those that have their beginnings; of
 * equal ones the open first, then by what is traded in them. Closed ones are found by words alone.
 */
export async function findListings(db: Db, query: ListingQuery, counts?: LastingCounts): Promise<FoundListings> {
  const search = query.search?.trim() ?? '';
  const named = search === '' ? undefined : await namedBy(db, search);
  if (named !== undefined) return read(db, query, { where: named, rank: [], isOpen: false });
  const wanted = wantedWords(nameInAddress(search) ?? search);
  if (wanted.length === 0) return search === '' ? read(db, query, ALL_OPEN, counts) : NONE;
  const found = await read(db, query, matchOf(wanted));
  if (found.count + found.left_out.count > 0 || query.skip > 0) return found;
  const meant = await meantBy(db, wanted);
  return meant === null ? found : read(db, query, matchOf(meant));
}

type Match = { where: SQL | undefined; rank: SQL[]; isOpen: boolean };

const ALL_OPEN: Match = { where: undefined, rank: [], isOpen: true };
const NONE: FoundListings = { data: [], count: 0, left_out: { data: [], count: 0 } };

/** What has exactly this id or name in an address; undefined where nothing has. */
async function namedBy(db: Db, search: string): Promise<SQL | undefined> {
  const name = nameInAddress(search) ?? search;
  if (/\s/.test(name)) return undefined;
  const { id, slug, eventSlug } = marketListings;
  for (const where of [or(eq(id, name), eq(slug, name)), eq(eventSlug, name)]) {
    const rows = await db.select({ id }).from(marketListings).where(where).limit(1);
    if (rows.length > 0) return where;
  }
  return undefined;
}

function matchOf(wanted: readonly Wanted[]): Match {
  const { words } = marketListings;
  const any = wanted.map((each) => `(${each.map(termOf).join(' | ')})`).join(' & ');
  const whole = wanted.map((each) => `'${each[0]?.word}'`).join(' & ');
  return { where: sql`${words} @@ ${any}::tsquery`, rank: [sql`(${words} @@ ${whole}::tsquery) desc`], isOpen: false };
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
  const { id, eventId, listing, leftOut, closed, dollars } = marketListings;
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
  const page = (where: SQL | undefined, from: number) =>
    db
      .select({ id, listing, leftOut, closed })
      .from(marketListings)
      .where(where)
      .orderBy(...match.rank, ...(hasClosed ? [closed] : []), sql`${dollars} desc nulls last`, eventId, id)
      .limit(limit)
      .offset(from);
  const [{ tradable, others }, data] = await Promise.all([
    lasting?.(event ?? '', countAll) ?? countAll(),
    page(and(shown, isNull(leftOut)), skip),
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
  let isCorrected = false;
  const meant: Wanted[] = [];
  for (const each of wanted) {
    const word = each[0]?.word ?? '';
    const others = mayBeMistyped(word) && !(await isBeginning(db, word)) ? await wordsLike(db, word) : [];
    isCorrected ||= others.length > 0;
    meant.push(others.length > 0 ? others.map((other) => ({ word: other, isPrefix: false })) : each);
  }
  return isCorrected ? meant : null;
}

async function isBeginning(db: Db, word: string): Promise<boolean> {
  const rows = await db.select().from(listedWords).where(beginsWith(word)).limit(1);
  return rows.length > 0;
}

/** Mistyped beyond the first letter, or with the first two exchanged; those with the fewest slips. */
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
      ),
    );
  return rows
    .map((row) => ({ word: row.word, slips: slipsBetween(word, row.word) }))
    .filter((other) => other.slips <= slips)
    .sort((one, other) => one.slips - other.slips)
    .slice(0, MEANT_MAX)
    .map((other) => other.word);
}

/** As the index on words orders them, in any collation: `\uffff` lies behind all letters. */
function beginsWith(word: string): SQL {
  return sql`(${listedWords.word} collate "C") between ${word} and ${`${word}\uffff`}`;
}
