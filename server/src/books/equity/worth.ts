/** What the account is worth now: cash by the ledger, whole sets at what they pay, other shares at the bid. */
import { bestBid } from '@dutchbook/engine/book/book.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { type EquityPoint, type LoosePosition, worthOf } from '@dutchbook/engine/ledger/equity.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { resolvedValueOf } from '@dutchbook/engine/opportunity/value.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { isOfOurDollars, type LedgerAccount } from '@dutchbook/units/ledger-kinds.ts';
import { PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { LiveQuote, Quotes } from '../../market/markets/live-quotes.ts';
import { inOneSnapshot } from '../../platform/database/locks.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { ledgerBeganAt, readBalances } from '../../trading/ledger/balances.ts';
import { presentRun } from '../../trading/under-way/start-overs.ts';
import { type LooseShares, readLocked, readLooseShares, readRedeemable } from '../../trading/under-way/whole-sets.ts';

export type WorthParts = { runtime: Pick<Runtime, 'db' | 'clock'>; quotes: Quotes };

export type Worth = EquityPoint & {
  unpriced: number;
  /** Part of what is locked: what resolved markets pay and was not redeemed. */
  redeemable: Usd;
  /** When the present run began; null of the first one. */
  runSince: Instant | null;
  /** When the present run began, the first one with the ledger; null until it has been compared with the venue once. */
  beganAt: Instant | null;
};

/** Cash and holdings are of one moment; the bids are those of the moment after. */
export async function readWorth({ runtime: { db, clock }, quotes }: WorthParts): Promise<Worth> {
  const { balances, locked, redeemable, loose, beganAt, run } = await inOneSnapshot(db, async (tx) => ({
    balances: await readBalances(tx),
    locked: await readLocked(tx),
    redeemable: await readRedeemable(tx),
    loose: await readLooseShares(tx),
    beganAt: await ledgerBeganAt(tx),
    run: await presentRun(tx),
  }));
  const dollarsOf = (isWanted: (account: LedgerAccount) => boolean) =>
    balances
      .filter(({ account, unit }) => unit === USD_UNIT && isWanted(account))
      .reduce((sum, { amount }) => sum + amount, 0) as Usd;
  const { worth, unpriced } = worthOf(await priceLoose(quotes, loose));
  return {
    at: clock.now(),
    cash: dollarsOf(isOfOurDollars),
    locked,
    redeemable,
    shares: worth,
    paidIn: (run.earnedBefore - dollarsOf((account) => account === 'outside' || account === 'unnamed')) as Usd,
    unpriced,
    runSince: run.since,
    beganAt: run.since ?? beganAt,
  };
}

export type PricedShares = LooseShares & LoosePosition;

/** At the bids. */
export async function priceLoose(quotes: Quotes, loose: readonly LooseShares[]): Promise<PricedShares[]> {
  if (loose.length === 0) return [];
  const positions = loose.map(({ position }, place) => ({ leg: place + 1, ...position }));
  const quoted = await freshOrCurrent(quotes, positions);
  return loose.map((each, place) => ({ ...each, price: priceOf(each, quoted[place]) }));
}

/** A book that is fresh and has no bids says that nothing is paid for them now. */
function priceOf({ resolvedValue, position }: LooseShares, quote: LiveQuote | undefined): Price | null {
  const resolved = resolvedValue ?? resolvedValueOf({ market: quote?.market, outcome: position.outcome });
  if (resolved !== null) return resolved;
  return quote?.book === undefined || quote.feed === 'stale' ? null : (bestBid(quote.book) ?? PRICE_ZERO);
}

async function freshOrCurrent(quotes: Quotes, positions: readonly Position[]): Promise<LiveQuote[]> {
  try {
    return await quotes.fresh(positions, 'display');
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    return quotes.current(positions);
  }
}
