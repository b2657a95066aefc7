/** The cost of one leg against its prediction, and the parts of the difference. */
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, pricePerShare, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { totalSize } from '../book/walk.ts';
import { dollarsOf, type Fill, standingFills } from '../order/fill.ts';

/**
 * What a share cost on average in the book as an attempt was signed: of all that its order is for, and of what it is for
 * itself. Null where the book had too little, or was not kept.
 */
export type SignedPrices = { id: string; bookPriceOfOrder: Price | null; bookPrice: Price | null };

/** `expectedPrice`: what the plan expected to pay on average for a share. */
export type PredictedLeg = { expectedPrice: Price; attempts: readonly SignedPrices[]; fills: readonly Fill[] };

/**
 * Of the standing fills, before fees. The three parts add up to `paid` less what the filled shares cost at the expected price:
 * what the book had moved when the order was signed; what signing for another size made of it, which a retry does; and what
 * came after that, with all of what was signed when the book was not kept.
 */
export type LegResult = {
  filled: Shares;
  averagePrice: Price | null;
  paid: Usd;
  fee: Usd;
  movedBeforeSend: Usd;
  sizeAdded: Usd;
  movedInFlight: Usd;
};

export function legResult({ expectedPrice, attempts, fills }: PredictedLeg): LegResult {
  const standing = standingFills(fills);
  const signed = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const filled = totalSize(standing);
  const paid = dollarsOf(standing);
  const sum = (of: (fill: Fill) => Usd) => standing.reduce((total, fill) => addUsd(total, of(fill)), USD_ZERO);
  const movedBeforeSend = sum(({ size, attemptId }) => moved(size, expectedPrice, priceOfOrder(signed.get(attemptId))));
  const sizeAdded = sum(({ size, attemptId }) => {
    const attempt = signed.get(attemptId);
    return moved(size, priceOfOrder(attempt), attempt?.bookPrice ?? null);
  });
  return {
    filled,
    averagePrice: filled === 0 ? null : pricePerShare(paid, filled, 'up'),
    paid,
    fee: sum(({ fee }) => fee),
    movedBeforeSend,
    sizeAdded,
    movedInFlight: (paid - notional(filled, expectedPrice, 'up') - movedBeforeSend - sizeAdded) as Usd,
  };
}

/** Where the book had too little for the whole order, what was signed of it says how far it had moved. */
function priceOfOrder(signed: SignedPrices | undefined): Price | null {
  return signed?.bookPriceOfOrder ?? signed?.bookPrice ?? null;
}

function moved(size: Shares, from: Price | null, to: Price | null): Usd {
  return from === null || to === null ? USD_ZERO : notional(size, (to - from) as Price, 'down');
}
