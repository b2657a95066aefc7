/** Keeps the levels that practice has taken from the venue's books. */

import type { Side } from '@dutchbook/engine/book/level.ts';
import { type TakenLevel, withoutTaken } from '@dutchbook/engine/practice/taken-levels.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { LiveQuote } from '../../market/markets/live-quotes.ts';
import { insertOf, setExcluded } from '../../platform/database/many-rows.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { practiceTaken } from './table.ts';

/** A level whose size has not changed for this long is offered to practice again. */
const KEPT_MS = 30 * 86_400_000;

export const tokensOf = (quotes: readonly LiveQuote[]) => quotes.flatMap(({ tokenId }) => tokenId ?? []);

export async function readTaken(db: Db, tokenIds: readonly TokenId[]): Promise<TakenLevel[]> {
  if (tokenIds.length === 0) return [];
  return await db
    .select()
    .from(practiceTaken)
    .where(inArray(practiceTaken.tokenId, [...tokenIds]));
}

/** The query for them, for a statement that is sent among others; `takenIn` reads its rows. */
export function takenQuery(tokenIds: readonly TokenId[]): SQL {
  return sql`select token_id, side, price::text, shown::text, taken::text from practice_taken
    where token_id = any(${sql.param(tokenIds)}::text[])`;
}

export type TakenRow = { token_id: string; side: Side; price: string; shown: string; taken: string };

export function takenIn(rows: readonly TakenRow[]): TakenLevel[] {
  return rows.map(({ token_id: tokenId, side, ...amounts }) => {
    const [price, shown, taken] = [amounts.price, amounts.shown, amounts.taken].map(Number);
    return { tokenId, side, price, shown, taken } as TakenLevel;
  });
}

/** The quotes with what practice has left of their books. */
export async function asPracticeLeavesThem<Quote extends LiveQuote>(
  db: Db,
  quotes: readonly Quote[],
): Promise<Quote[]> {
  return leftOf(quotes, await readTaken(db, tokensOf(quotes)));
}

export function leftOf<Quote extends LiveQuote>(quotes: readonly Quote[], taken: readonly TakenLevel[]): Quote[] {
  return quotes.map((quote) => {
    const { tokenId, book } = quote;
    return tokenId === null || book === undefined ? quote : { ...quote, book: withoutTaken(tokenId, book, taken) };
  });
}

/** `tx` holds the lock on spending, under which `taken` was read. */
export async function recordTaken(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  taken: readonly TakenLevel[],
): Promise<void> {
  const now = clock.now();
  await tx.delete(practiceTaken).where(lt(practiceTaken.at, instantFromMs(now - KEPT_MS)));
  if (taken.length === 0) return;
  // The last row of a level counts.
  const byLevel = new Map(taken.map((level) => [`${level.tokenId} ${level.side} ${level.price}`, level]));
  const rows = [...byLevel.values()].map((level) => ({ ...level, at: now }));
  const { shown, taken: size, at } = practiceTaken;
  await tx.execute(sql`${insertOf(practiceTaken, rows)}
    on conflict (token_id, side, price) do update set ${setExcluded([shown, size, at])}`);
}
