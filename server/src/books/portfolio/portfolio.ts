/** What the account holds by our fills and by the venue's own word, what it is worth now, and the ways out. */
import type { Holding, Portfolio } from '@dutchbook/contract/portfolio.ts';
import { bestBid } from '@dutchbook/engine/book/book.ts';
import { worthOf } from '@dutchbook/engine/ledger/equity.ts';
import { takerFee } from '@dutchbook/engine/opportunity/fee.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { resolvedValueOf } from '@dutchbook/engine/opportunity/value.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { addShares, SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, pricePerShare, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type Venue, type VenuePosition, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import {
  type CashUnderWay,
  type HeldToken,
  readHeldTokens,
  readUnderWay,
  type UnderWay,
} from '../../trading/under-way/held-tokens.ts';
import { reserveWhatIsBehind } from '../../trading/under-way/reserved-sums.ts';
import { spendableCash } from '../../trading/under-way/spendable.ts';
import { type LooseShares, readLockedSets, readLooseShares } from '../../trading/under-way/whole-sets.ts';
import { type Account, CASH_MAX_AGE_MS } from '../../trading/venue-desk/account.ts';
import { priceLoose } from '../equity/worth.ts';
import { eventWorth } from './event-worth.ts';
import { type EventSources, type OwnToken, type PresentedEvent, presentEvents } from './present-events.ts';

/** A venue may list no position below a tenth of a share. */
const LISTED_FROM = 100_000;
/** However many look, the venue is asked no more often. */
const HOLDS_MS = 1000;

type Parts = {
  runtime: Pick<Runtime, 'db' | 'clock'>;
  quotes: Quotes;
  desks: { all: readonly PortfolioDesk[] };
  catalogue: EventSources['catalogue'];
};

export type PortfolioDesk = {
  name: VenueName;
  account: Pick<Account, 'refresh'>;
  trading: Pick<NonNullable<Venue['trading']>, 'positions'> | null;
  chain: EventSources['chain'];
};

/** @returns what reads it: calls within a second are given one answer */
export function openPortfolio(parts: Parts): () => Promise<Portfolio> {
  const { clock } = parts.runtime;
  let known: { at: number; reply: Promise<Portfolio> } | null = null;
  return () => {
    const now = clock.now();
    if (known !== null && now >= known.at && now - known.at <= HOLDS_MS) return known.reply;
    const reply = readPortfolio(parts);
    known = { at: now, reply };
    reply.catch(() => {
      if (known?.reply === reply) known = null;
    });
    return reply;
  };
}

type Held = {
  /** Null where none of our batches bought it. */
  ours: HeldToken | null;
  /** Null where the venue holds nothing of it, or did not say. */
  venue: VenuePosition | null;
  position: Position;
};

/** What a venue says itself. `listed`: null while it does not say. */
type VenueWord = { name: VenueName; reading: CashReading | null; listed: readonly VenuePosition[] | null };

async function readPortfolio({ runtime: { db, clock }, quotes, desks, catalogue }: Parts): Promise<Portfolio> {
  const errors = new Set<string>();
  await reserveWhatIsBehind(db);
  const [{ ours, underWay, locked, loose }, words] = await Promise.all([
    inOneSnapshot(db, async (tx) => ({
      ours: await readHeldTokens(tx),
      underWay: await readUnderWay(tx),
      locked: await readLockedSets(tx),
      loose: await readLooseShares(tx),
    })),
    Promise.all(desks.all.map((desk) => readVenue(desk, errors))),
  ]);
  const listed = words.flatMap((word) => word.listed ?? []);
  const answering = new Set(words.flatMap((word) => (word.listed === null ? [] : word.name)));
  const held = together(ours, listed);
  const [quoted, priced] = await Promise.all([quotesOf(quotes, errors, held), priceLoose(quotes, loose)]);
  const looseOf = looseShares(loose);
  const holdings = held.map((each, place) =>
    presentHolding(each, quoted[place], {
      hasAnswered: answering.has(venueOf(each.position.marketId)),
      leaving: underWay.leaving,
      looseOf,
    }),
  );
  const valued = holdings.filter(({ value_usd, shares }) => value_usd !== null && shares > 0);
  const sum = (amounts: readonly (Usd | null)[]) =>
    amounts.reduce((total: Usd, usd) => addUsd(total, usd ?? USD_ZERO), USD_ZERO);
  const byVenue = await Promise.all(
    words.map((word) => cashAt(db, word, underWay.at(word.name), redeemableOf(held, quoted, word))),
  );
  const events = await eventsOf(
    { catalogue, desks },
    errors,
    holdings,
    held.flatMap((each, place) => ownToken(each, quoted[place])),
    new Map(quoted.flatMap(titleOfEvent)),
  );
  const worthOfEvent = eventWorth(holdings, locked, priced);
  return {
    cash: { ...totalOf(byVenue), by_venue: byVenue },
    value_usd: sum(valued.map(({ value_usd }) => value_usd)),
    cost_usd: sum(holdings.map(({ cost_usd }) => cost_usd)),
    unrealised_usd: sum(valued.map(({ unrealised_usd }) => unrealised_usd)),
    locked_usd: sum(locked.map(({ usd }) => usd)),
    loose_usd: worthOf(priced).worth,
    unvalued: holdings.filter(({ value_usd, shares }) => value_usd === null && shares > 0).length,
    holdings,
    events: events.map((event) => ({ ...event, ...worthOfEvent(event.event_id) })),
    venue_error: errors.size === 0 ? null : [...errors].join(' '),
    read_at: clock.now(),
  };
}

async function readVenue({ name, account, trading }: PortfolioDesk, errors: Set<string>): Promise<VenueWord> {
  const [reading, listed] = await Promise.all([
    account.refresh(CASH_MAX_AGE_MS.display),
    answerOr(null, errors, async () => (await trading?.positions('display')) ?? null),
  ]);
  return { name, reading, listed };
}

type VenueCash = Portfolio['cash']['by_venue'][number];

async function cashAt(
  db: Runtime['db'],
  { name, reading }: VenueWord,
  { inOrders, settling }: CashUnderWay,
  redeemable: Usd | null,
): Promise<VenueCash> {
  return {
    venue: name,
    free_usd: await spendableCash(db, reading, { venue: name }),
    in_orders_usd: inOrders,
    settling_usd: settling,
    redeemable_usd: redeemable,
    read_at: reading?.at ?? null,
    ...pocketsOf(reading?.pockets),
  };
}

/** Cash that lies in one place is told already. */
function pocketsOf(pockets: CashReading['pockets']): Pick<VenueCash, 'pockets'> {
  if (pockets === undefined || pockets.size < 2) return {};
  return { pockets: [...pockets].map(([name, free_usd]) => ({ name, free_usd })) };
}

/** Null where one venue does not say; read when the oldest of them said so. */
function totalOf(all: readonly VenueCash[]): Omit<Portfolio['cash'], 'by_venue'> {
  const sum = (of: (cash: VenueCash) => Usd | null) =>
    all
      .map(of)
      .reduce((total, usd) => (total === null || usd === null ? null : addUsd(total, usd)), USD_ZERO as Usd | null);
  const readAt = all.map(({ read_at }) => read_at).filter((at) => at !== null);
  return {
    free_usd: sum(({ free_usd }) => free_usd),
    in_orders_usd: sum(({ in_orders_usd }) => in_orders_usd) ?? USD_ZERO,
    settling_usd: sum(({ settling_usd }) => settling_usd) ?? USD_ZERO,
    redeemable_usd: sum(({ redeemable_usd }) => redeemable_usd),
    read_at: readAt.length < all.length || readAt.length === 0 ? null : (Math.min(...readAt) as Instant),
  };
}

/** Quotes of the positions; of a venue that does not answer, its last known ones. */
async function quotesOf(
  quotes: Quotes,
  errors: Set<string>,
  held: readonly Held[],
): Promise<(LiveQuote | undefined)[]> {
  const quoted: (LiveQuote | undefined)[] = held.map(() => undefined);
  const venues = Map.groupBy(held.entries(), ([, { position }]) => venueOf(position.marketId));
  const asked = [...venues.values()].map(async (own) => {
    const positions = own.map(([, { position }]) => position);
    const found = await answerOr(null, errors, () => quotes.fresh(positions, 'display'));
    for (const [nth, quote] of (found ?? quotes.current(positions)).entries()) {
      const place = own[nth]?.[0];
      if (place !== undefined) quoted[place] = quote;
    }
  });
  await Promise.all(asked);
  return quoted;
}

/**
 * In the order of the holdings. While a venue does not say what its contracts make of an event, the other ways out are shown.
 */
async function eventsOf(
  { catalogue, desks }: Pick<Parts, 'catalogue' | 'desks'>,
  errors: Set<string>,
  holdings: readonly Holding[],
  tokens: readonly OwnToken[],
  titles: ReadonlyMap<string, string>,
): Promise<PresentedEvent[]> {
  const venues = Map.groupBy(holdings, ({ market_id }) => venueOf(market_id));
  const presented = await Promise.all(
    [...venues].map(async ([venue, own]) => {
      const chain = desks.all.find(({ name }) => name === venue)?.chain ?? null;
      const known = tokens.filter(({ market }) => venueOf(market.id) === venue);
      const answered = await answerOr(null, errors, () => presentEvents({ catalogue, chain }, own, known, titles));
      return answered ?? (await presentEvents({ catalogue, chain: null }, own, known, titles));
    }),
  );
  const events = new Map(presented.flat().map((event) => [event.event_id, event]));
  return [...new Set(holdings.map(({ event_id }) => event_id))].flatMap((id) => events.get(id) ?? []);
}

function titleOfEvent(quote: LiveQuote | undefined): (readonly [string, string])[] {
  const event = quote?.market?.event;
  return event ? [[event.id, event.title]] : [];
}

/** A venue that does not answer says nothing, and the rest is still worth reading. */
async function answerOr<Answer>(otherwise: Answer, errors: Set<string>, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    errors.add(`The venue did not answer: ${error.message}.`);
    return otherwise;
  }
}

/** Ours first; then what the venue holds and none of our batches bought. */
function together(ours: readonly HeldToken[], venues: readonly VenuePosition[]): Held[] {
  const listed = new Map(venues.map((position) => [position.tokenId, position]));
  const known = new Set(ours.map(({ tokenId }) => tokenId));
  const own = ours.map((token) => ({ ours: token, venue: listed.get(token.tokenId) ?? null, ...token }));
  const others = venues
    .filter(({ tokenId, shares }) => !known.has(tokenId) && shares > 0)
    .map((position) => ({ ours: null, venue: position, ...position }));
  return [...own, ...others].map(({ ours: token, venue, marketId, outcome }, place) => ({
    ours: token,
    venue,
    position: { leg: place + 1, marketId, outcome },
  }));
}

type HoldingParts = {
  hasAnswered: boolean;
  leaving: UnderWay['leaving'];
  looseOf: ReadonlyMap<string, Shares>;
};

const positionKey = ({ marketId, outcome }: Omit<Position, 'leg'>) => JSON.stringify([marketId, outcome]);

/** Shares that no whole set needs, by position. */
function looseShares(loose: readonly LooseShares[]): ReadonlyMap<string, Shares> {
  const sums = new Map<string, Shares>();
  for (const { position, shares } of loose) {
    const key = positionKey(position);
    sums.set(key, addShares(sums.get(key) ?? SHARES_ZERO, shares));
  }
  return sums;
}

function presentHolding(
  { ours, venue, position }: Held,
  quote: LiveQuote | undefined,
  { hasAnswered, leaving, looseOf }: HoldingParts,
) {
  const shares = ours?.shares ?? SHARES_ZERO;
  const cost = ours?.cost ?? USD_ZERO;
  const bid = quote?.feed === 'stale' || quote?.book === undefined ? null : bestBid(quote.book);
  const resolved = resolvedValueFor({ ours, venue, position }, quote);
  const price = resolved ?? bid;
  const value = price === null ? null : notional(shares, price, 'down');
  const isListed = hasAnswered && shares >= LISTED_FROM;
  const venueShares = venue?.shares ?? (isListed ? SHARES_ZERO : null);
  const tokenId = ours?.tokenId ?? venue?.tokenId ?? '';
  return {
    token_id: tokenId,
    market_id: position.marketId,
    market_name: quote?.market?.question ?? ours?.marketName ?? position.marketId,
    outcome: position.outcome,
    event_id: quote?.market?.event?.id ?? position.marketId,
    shares,
    settling_shares: ours?.settling ?? SHARES_ZERO,
    in_sale_shares: ours?.inSale ?? SHARES_ZERO,
    set_shares: Math.max(0, shares - (looseOf.get(positionKey(position)) ?? 0)) as Shares,
    ...keptBy(ours),
    venue_shares: venueShares,
    external_shares: Math.max(0, (venueShares ?? 0) - shares - (leaving.get(tokenId) ?? 0)) as Shares,
    cost_usd: cost,
    average_cost: shares === 0 ? null : pricePerShare(cost, shares, 'up'),
    best_bid: resolved === null ? bid : null,
    value_usd: value,
    sale_fee_usd: saleFeeOf(shares, { resolved, bid, market: quote?.market }),
    unrealised_usd: value === null ? null : subtractUsd(value, cost),
    ...payingOf(quote?.market),
    resolved_value: resolved,
    announced_value: announcedValueOf(quote?.market, position.outcome),
    batch_ids: ours?.batchIds ?? [],
    batch_names: ours?.batchNames ?? [],
  };
}

type Sale = { resolved: Price | null; bid: Price | null; market: LiveQuote['market'] };

/** Of selling at the bid; what has resolved is redeemed. */
function saleFeeOf(shares: Shares, { resolved, bid, market }: Sale): Usd | null {
  if (resolved !== null) return USD_ZERO;
  const schedule = market?.feeSchedule ?? null;
  return bid === null || schedule === null ? null : takerFee(shares, bid, schedule);
}

/** What batches that still buy keep of it. */
function keptBy(ours: HeldToken | null): Pick<Holding, 'buying_shares' | 'buying_batch_ids'> {
  return { buying_shares: ours?.buying ?? SHARES_ZERO, buying_batch_ids: ours?.buyingBatchIds ?? [] };
}

/** When its dollars come, as far as the venue says. */
function payingOf(market: LiveQuote['market']): Pick<Holding, 'locked_until' | 'resolution'> {
  return { locked_until: market?.endDate ?? null, resolution: market?.resolution ?? null };
}

/** What may still be changed of what its outcome pays. */
function announcedValueOf(market: LiveQuote['market'], outcome: string): Price | null {
  if (market?.isProvisional !== true) return null;
  return market.outcomes.find((each) => each.outcome === outcome)?.resolvedValue ?? null;
}

/** Resolved value by the venue, else the stored one, which holds while the venue does not answer or lags. */
function resolvedValueFor({ ours, venue, position }: Held, quote: LiveQuote | undefined): Price | null {
  return (
    venue?.resolvedValue ?? ours?.resolvedValue ?? resolvedValueOf({ market: quote?.market, outcome: position.outcome })
  );
}

/** Where the venue does not say what it holds, of what we have there; null where that is nothing that is known to pay. */
function redeemableOf(
  held: readonly Held[],
  quoted: readonly (LiveQuote | undefined)[],
  { name, listed }: VenueWord,
): Usd | null {
  const hasAnswered = listed !== null;
  const redeemable = held.reduce((total, each, place) => {
    if (venueOf(each.position.marketId) !== name) return total;
    const shares = hasAnswered ? each.venue?.shares : each.ours?.shares;
    const value = resolvedValueFor(each, quoted[place]);
    return shares === undefined || value === null ? total : addUsd(total, notional(shares, value, 'down'));
  }, USD_ZERO);
  return hasAnswered || redeemable > 0 ? redeemable : null;
}

/** What is ours and open; free is what has settled, is in no order and of no batch that still buys, and is still at the venue. */
function ownToken({ ours, venue, position }: Held, quote: LiveQuote | undefined): OwnToken[] {
  const isResolved = resolvedValueFor({ ours, venue, position }, quote) !== null;
  if (ours === null || quote?.market === undefined || quote.tokenId === null || isResolved) return [];
  const settled = ours.shares - ours.settling;
  const there = venue === null ? settled : Math.min(settled, venue.shares);
  const free = Math.max(0, there - ours.inSale - ours.buying) as Shares;
  const bids = quote.feed === 'stale' ? null : (quote.book?.bids ?? null);
  return [{ market: quote.market, tokenId: quote.tokenId, shares: ours.shares, free, bids }];
}
