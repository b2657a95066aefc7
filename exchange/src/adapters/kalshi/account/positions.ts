import { addShares, type Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type Answer, ok, page } from '../answers.ts';
import type { Caller } from '../calls.ts';
import type { MarketOfVenue } from '../catalogue/listing.ts';
import type { Fill } from '../orders/fills.ts';
import { count, dollars, time } from '../text.ts';
import type { KalshiVenue } from '../venue.ts';
import { type AccountPart, limited, pocketsOf, visibleFills } from './account-part.ts';

type PositionsQuery = AccountPart & {
  readonly ticker?: string | undefined;
  readonly event_ticker?: string | undefined;
  readonly count_filter?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};

/** Answers with a member's positions in the asked markets, and in their events. */
export function positionsAnswer(
  venue: KalshiVenue,
  caller: Caller,
  query: PositionsQuery,
  isMeant: (market: MarketOfVenue) => boolean,
): Answer {
  const fills = visibleFills(venue, caller, query);
  const fillsIn = Map.groupBy(fills, tickerOf);
  const pockets = new Set(pocketsOf(caller, query));
  const seen = new Set(fills);
  const unseenIn = Map.groupBy(
    venue.fills.all.filter((fill) => pockets.has(fill.order.pocket) && !seen.has(fill)),
    tickerOf,
  );
  const held = venue
    .allMarkets()
    .filter((market) => fillsIn.has(market.ticker) && isMeant(market))
    .filter(({ ticker, event }) => isNamed(query.ticker, ticker) && isNamed(query.event_ticker, event.ticker))
    .flatMap((market) => {
      const holds = heldIn(venue, market, { pockets, unseen: unseenIn.get(market.ticker) ?? [] });
      return positionIn(market, fillsIn.get(market.ticker) ?? [], holds) ?? [];
    })
    .filter((position) => isCounted(position, query.count_filter));
  const { items, cursor } = page(held, query.cursor, limited(venue, query.limit));
  const events = [...Map.groupBy(items, ({ market }) => market.event.ticker)];
  return ok({
    market_positions: items.map(wireMarketPosition),
    event_positions: events.map(([ticker, of]) => wireEventPosition(ticker, of)),
    cursor,
  });
}

const tickerOf = ({ order }: Fill) => order.ticker;

/** Shares of pockets without fills that lagging reads do not show yet. */
function heldIn(
  venue: KalshiVenue,
  { ticker, event }: MarketOfVenue,
  { pockets, unseen }: { pockets: ReadonlySet<string>; unseen: readonly Fill[] },
): number {
  const here = [...pockets].filter((pocket) => pocket.endsWith(`#${event.series.shard}`));
  const now = here.reduce((sum, pocket) => sum + venue.position(pocket, ticker), 0);
  return unseen.reduce((sum, { order, size }) => sum - (order.side === 'bid' ? size : -size), now);
}

function isNamed(asked: string | undefined, name: string): boolean {
  return asked === undefined || asked === '' || asked === name;
}

/** Whether one of the fields in the filter is not zero. */
function isCounted({ held, traded }: Position, filter: string | undefined): boolean {
  const asked = filter?.split(',') ?? [];
  if (asked.length === 0 || filter === '') return true;
  return (asked.includes('position') && held !== 0) || (asked.includes('total_traded') && traded !== 0);
}

/** An account's position in a market, from its fills. Plus is YES, minus NO. */
export interface Position {
  readonly market: MarketOfVenue;
  readonly held: number;
  /** Cost of the held shares, at the average price of purchases on their side since it was last empty. */
  readonly cost: Usd;
  readonly realized: number;
  readonly traded: Usd;
  readonly bought: Shares;
  readonly fees: Usd;
  readonly last: Fill;
}

/** `holds`: what the account has now, which may be less where shares went without a trade. Null where nothing was ever traded. */
export function positionIn(market: MarketOfVenue, fills: readonly Fill[], holds: number): Position | null {
  const last = fills.at(-1);
  if (last === undefined) return null;
  let [held, cost, realized, traded, fees] = [0, 0, 0, 0, 0];
  let bought = 0 as Shares;
  for (const { order, size, yesPrice, fee } of fills) {
    const signed = order.side === 'bid' ? size : -size;
    const price = order.side === 'bid' ? yesPrice : 1_000_000 - yesPrice;
    const closed = held * signed < 0 ? Math.min(Math.abs(held), size) : 0;
    const costOfClosed = closed === 0 ? 0 : Math.round((cost * closed) / Math.abs(held));
    // The other outcome of a share that is held makes a dollar of both.
    realized += closed - Math.round((closed * price) / 1_000_000) - costOfClosed;
    cost += Math.round(((size - closed) * price) / 1_000_000) - costOfClosed;
    held += signed;
    bought = addShares(bought, (size - closed) as Shares);
    traded += Math.round((size * price) / 1_000_000);
    fees += fee;
  }
  const costOfHeld = held === 0 ? 0 : Math.round((cost * holds) / held);
  return {
    ...{ market, held: holds, realized, bought, last },
    ...{ cost: costOfHeld as Usd, traded: traded as Usd, fees: fees as Usd },
  };
}

export function wireMarketPosition({ market, held, cost, realized, traded, fees, last }: Position) {
  return {
    ticker: market.ticker,
    exchange_index: market.event.series.shard,
    total_traded_dollars: dollars(traded),
    position_fp: count(held),
    market_exposure_dollars: dollars(cost),
    realized_pnl_dollars: dollars(realized),
    fees_paid_dollars: dollars(fees),
    last_updated_ts: time(last.at),
  };
}

export function wireEventPosition(ticker: string, of: readonly Position[]) {
  const sum = (part: (position: Position) => number) => of.reduce((all, position) => all + part(position), 0);
  return {
    event_ticker: ticker,
    total_cost_dollars: dollars(sum(({ traded }) => traded)),
    total_cost_shares_fp: count(sum(({ bought }) => bought)),
    event_exposure_dollars: dollars(sum(({ cost }) => cost)),
    realized_pnl_dollars: dollars(sum(({ realized }) => realized)),
    fees_paid_dollars: dollars(sum(({ fees }) => fees)),
  };
}
