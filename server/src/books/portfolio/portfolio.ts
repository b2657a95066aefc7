/** What the account holds by our fills and by the venue's own word, what it is worth now, and the ways out. */
import type { HeldEvent, Holding, Portfolio } from '@dutchbook/contract/portfolio.ts';
import { bestBid } from '@dutchbook/engine/book/book.ts';
import type { HeldToken as TokenOfEvent } from '@dutchbook/engine/exit/held-by-event.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { resolvedValueOf } from '@dutchbook/engine/opportunity/value.ts';
import type { Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, pricePerShare, subtractUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { type Venue, type VenuePosition, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type HeldToken, readHeldTokens, readUnderWay, type UnderWay } from '../../trading/under-way/held-tokens.ts';
import { spendableCash } from '../../trading/under-way/spendable.ts';
import { type Account, CASH_MAX_AGE_MS } from '../../trading/venue-desk/account.ts';
import { type EventSources, presentEvents } from './present-events.ts';

/** A venue may list no position below a tenth of a share. */
const LISTED_FROM = 100_000;
/** However many look, the venue is asked no more often. */
const HOLDS_MS = 1000;

type Parts = {
  runtime: Pick<Runtime, 'db' | 'clock'>;
  quotes: Quotes;
  account: Pick<Account, 'refresh'>;
  trading: Pick<NonNullable<Venue['trading']>, 'positions'> | null;
  venue: EventSources;
};

/** @returns what reads it: everybody who asks within a second is given the same */
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

async function readPortfolio({ runtime: { db, clock }, quotes, account, trading, venue }: Parts): Promise<Portfolio> {
  const [ours, underWay, reading] = await Promise.all([
    readHeldTokens(db),
    readUnderWay(db),
    account.refresh(CASH_MAX_AGE_MS.display),
  ]);
  const errors = new Set<string>();
  const venues = await answerOr(null, errors, async () => (await trading?.positions('display')) ?? null);
  const held = together(ours, venues ?? []);
  const positions = held.map(({ position }) => position);
  const found = await answerOr(null, errors, () => quotes.fresh(positions, 'display'));
  const quoted = found ?? quotes.current(positions);
  const holdings = held.map((each, place) =>
    presentHolding(each, quoted[place], { hasAnswered: venues !== null, leaving: underWay.leaving }),
  );
  const valued = holdings.filter(({ value_usd, shares }) => value_usd !== null && shares > 0);
  const sum = (amounts: readonly (Usd | null)[]) =>
    amounts.reduce((total: Usd, usd) => addUsd(total, usd ?? USD_ZERO), USD_ZERO);
  return {
    cash: {
      free_usd: await spendableCash(db, reading),
      in_orders_usd: underWay.inOrders,
      settling_usd: underWay.settling,
      redeemable_usd: redeemableOf(held, quoted, venues !== null),
      read_at: reading?.at ?? null,
    },
    value_usd: sum(valued.map(({ value_usd }) => value_usd)),
    cost_usd: sum(holdings.map(({ cost_usd }) => cost_usd)),
    unrealised_usd: sum(valued.map(({ unrealised_usd }) => unrealised_usd)),
    unvalued: holdings.filter(({ value_usd, shares }) => value_usd === null && shares > 0).length,
    holdings,
    events: await eventsOf(
      venue,
      errors,
      holdings,
      held.flatMap((each, place) => freeToLeave(each, quoted[place])),
    ),
    venue_error: errors.size === 0 ? null : [...errors].join(' '),
    read_at: clock.now(),
  };
}

/** While the venue does not say what its contracts make of an event, the other ways out are shown. */
async function eventsOf(
  venue: EventSources,
  errors: Set<string>,
  holdings: readonly Holding[],
  free: readonly TokenOfEvent[],
): Promise<HeldEvent[]> {
  const presented = await answerOr(null, errors, () => presentEvents(venue, holdings, free));
  return presented ?? presentEvents({ ...venue, chain: null }, holdings, free);
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
  const venueOf = new Map(venues.map((position) => [position.tokenId, position]));
  const known = new Set(ours.map(({ tokenId }) => tokenId));
  const own = ours.map((token) => ({ ours: token, venue: venueOf.get(token.tokenId) ?? null, ...token }));
  const others = venues
    .filter(({ tokenId, shares }) => !known.has(tokenId) && shares > 0)
    .map((position) => ({ ours: null, venue: position, ...position }));
  return [...own, ...others].map(({ ours: token, venue, marketId, outcome }, place) => ({
    ours: token,
    venue,
    position: { leg: place + 1, marketId, outcome },
  }));
}

function presentHolding(
  { ours, venue, position }: Held,
  quote: LiveQuote | undefined,
  { hasAnswered, leaving }: { hasAnswered: boolean; leaving: UnderWay['leaving'] },
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
    venue_shares: venueShares,
    external_shares: Math.max(0, (venueShares ?? 0) - shares - (leaving.get(tokenId) ?? 0)) as Shares,
    cost_usd: cost,
    average_cost: shares === 0 ? null : pricePerShare(cost, shares, 'up'),
    best_bid: resolved === null ? bid : null,
    value_usd: value,
    unrealised_usd: value === null ? null : subtractUsd(value, cost),
    ...payingOf(quote?.market),
    resolved_value: resolved,
    batch_ids: ours?.batchIds ?? [],
  };
}

/** When its dollars come, as far as the venue says. */
function payingOf(market: LiveQuote['market']): Pick<Holding, 'locked_until' | 'resolution'> {
  return { locked_until: market?.endDate ?? null, resolution: market?.resolution ?? null };
}

/** By the venue, else as it was found before, which holds while the venue does not answer or has not followed. */
function resolvedValueFor({ ours, venue, position }: Held, quote: LiveQuote | undefined): Price | null {
  return (
    venue?.resolvedValue ?? ours?.resolvedValue ?? resolvedValueOf({ market: quote?.market, outcome: position.outcome })
  );
}

/** Where the venue does not say what it holds, of what we have; null where that is nothing that is known to pay. */
function redeemableOf(
  held: readonly Held[],
  quoted: readonly (LiveQuote | undefined)[],
  hasAnswered: boolean,
): Usd | null {
  const redeemable = held.reduce((total, each, place) => {
    const shares = hasAnswered ? each.venue?.shares : each.ours?.shares;
    const value = resolvedValueFor(each, quoted[place]);
    return shares === undefined || value === null ? total : addUsd(total, notional(shares, value, 'down'));
  }, USD_ZERO);
  return hasAnswered || redeemable > 0 ? redeemable : null;
}

/** Settled, in no order, and still there: what a way out can be planned with. */
function freeToLeave({ ours, venue, position }: Held, quote: LiveQuote | undefined): TokenOfEvent[] {
  const isResolved = resolvedValueFor({ ours, venue, position }, quote) !== null;
  if (ours === null || quote?.market === undefined || quote.tokenId === null || isResolved) return [];
  const settled = ours.shares - ours.settling;
  const there = venue === null ? settled : Math.min(settled, venue.shares);
  const shares = Math.max(0, there - ours.inSale) as Shares;
  const bids = quote.feed === 'stale' ? null : (quote.book?.bids ?? null);
  return [{ market: quote.market, tokenId: quote.tokenId, shares, bids }];
}
