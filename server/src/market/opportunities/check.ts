import type { LiveQuote, Quotes } from '../markets/live-quotes.ts';
import { positionsOf } from './identity.ts';
import type { LivePrices } from './live-prices.ts';
import type { StoredOpportunity } from './store.ts';

export type CheckParts = { quotes: Pick<Quotes, 'fresh'>; live: Pick<LivePrices, 'revalue' | 'flush'> };

export type Checked = { row: StoredOpportunity; quotes: LiveQuote[] };

/**
 * Prices opportunities against markets and books asked for now, all of them in one go, and stores what came out.
 * `mayTrigger` is what sets a check apart from a mere update of prices. Throws VenueUnavailable; then nothing is
 * concluded and the rows stay as they are. So they do while `record` has not been written: what a check triggers is
 * committed by itself.
 */
export async function checkOpportunities(
  { quotes, live }: CheckParts,
  rows: readonly StoredOpportunity[],
  mayTrigger: boolean,
  record: () => Promise<void> = async () => {},
): Promise<Checked[]> {
  const positions = rows.map((row) => positionsOf(row.marketCombinations));
  const fresh = await quotes.fresh(positions.flat(), 'display');
  await record();
  const checked: Checked[] = [];
  let start = 0;
  for (const [index, row] of rows.entries()) {
    const own = fresh.slice(start, start + (positions[index]?.length ?? 0));
    start += own.length;
    checked.push({ row: await live.revalue(row, own, { asked: true, mayTrigger }), quotes: own });
  }
  await live.flush();
  return checked;
}
