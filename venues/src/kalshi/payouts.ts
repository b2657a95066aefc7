import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, PRICE_ZERO, type Price, priceFromNumber } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, sharesFromText } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { type VenuePayout, VenueUnavailable } from '../venue.ts';
import { pages, type ReadingContext, secondsText } from './account-lists.ts';
import { isFinal, yesPays } from './catalogue/listed-market.ts';
import { marketsNamed } from './catalogue/pages.ts';
import { marketIdOf, tokenIdOf } from './ids.ts';
import { readTime, settlementsPage, type WireMarket, type WireSettlement, wireMarket } from './wire.ts';

const SETTLEMENTS = {
  path: '/portfolio/settlements',
  shape: settlementsPage,
  rowsOf: (page: { settlements: WireSettlement[] | null }) => page.settlements,
};
const CENT = 10_000;
/** Payouts older than this do not change, and the venue may list their markets in history only. */
const FINAL_AFTER_MS = 7 * 86_400_000;

/** The venue pays by itself what has ended, market by market and in whole cents; the shares are gone then. */
export async function payouts(context: ReadingContext, since: Instant | null): Promise<VenuePayout[]> {
  const query = since === null ? {} : { min_ts: secondsText(since) };
  const rows = await pages(context, SETTLEMENTS, query, 'following');
  const now = context.runtime.now();
  const dated = rows.map((row) => ({ row, paidAt: paidAtOf(row) }));
  const recent = dated.filter(({ paidAt }) => elapsedMs(paidAt, now) < FINAL_AFTER_MS);
  const markets = await marketsOf(
    context,
    recent.map(({ row }) => row.ticker),
  );
  return dated.map(({ row, paidAt }) => payoutOf(row, paidAt, markets.get(row.ticker) ?? null));
}

function paidAtOf({ settled_time: text }: WireSettlement): Instant {
  const at = readTime(text);
  if (at === null) throw new VenueUnavailable('a settlement came without its time');
  return at;
}

async function marketsOf({ api }: ReadingContext, tickers: readonly string[]): Promise<Map<string, WireMarket>> {
  if (tickers.length === 0) return new Map();
  const raws = await marketsNamed(api, [...new Set(tickers)], 'following');
  return new Map(
    raws.flatMap((raw) => {
      const { data } = wireMarket.safeParse(raw);
      return data === undefined ? [] : [[data.ticker, data] as const];
    }),
  );
}

/** A market that the venue lists no more is over. */
function payoutOf(row: WireSettlement, paidAt: Instant, market: WireMarket | null): VenuePayout {
  const yes = yesPaid(row, market);
  const outcomes = [
    { tokenId: tokenIdOf(row.ticker, 'yes'), shares: sharesFromText(row.yes_count_fp), pays: yes },
    { tokenId: tokenIdOf(row.ticker, 'no'), shares: sharesFromText(row.no_count_fp), pays: (PRICE_ONE - yes) as Price },
  ];
  return {
    marketId: marketIdOf(row.ticker),
    outcomes: outcomes.filter(({ shares }) => shares > SHARES_ZERO),
    dollars: (row.revenue * CENT) as Usd,
    fee: usdFromText(row.fee_cost),
    paidAt,
    isProvisional: market !== null && !isFinal(market),
  };
}

/** The market says a fraction exactly, the settlement in whole cents. */
function yesPaid({ market_result: result, value }: WireSettlement, market: WireMarket | null): Price {
  if (result === 'yes') return PRICE_ONE;
  if (result === 'no') return PRICE_ZERO;
  const exact = market === null ? null : yesPays(market);
  if (exact !== null) return exact;
  if (value == null) throw new VenueUnavailable('a settlement by a fraction came without the fraction');
  return priceFromNumber(value / 100);
}
