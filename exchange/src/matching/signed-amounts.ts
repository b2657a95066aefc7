import { isOnTick, PRICE_ONE, type Price, type Tick } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { pricePerShare, type Usd } from '@dutchbook/units/usd.ts';
import type { IncomingOrder, Quantity, Side } from './order.ts';

export type TimeInForce = 'GTC' | 'GTD' | 'FOK' | 'FAK';

/** The two amounts that an order signs, in micro units: what the maker gives and what it takes. */
export interface SignedAmounts {
  readonly side: Side;
  readonly makerAmount: number;
  readonly takerAmount: number;
}

/** The order that signed amounts stand for. */
export interface Terms {
  readonly limit: Price;
  readonly quantity: Quantity;
  /** Signed size in shares: what `original_size` shows. For a dollar order, the shares at its limit. */
  readonly shares: Shares;
}

/** The unrounded signed price, as a refusal quotes it. */
export function signedPrice({ side, makerAmount, takerAmount }: SignedAmounts): Price {
  return side === 'BUY'
    ? pricePerShare(makerAmount as Usd, takerAmount as Shares, 'down')
    : pricePerShare(takerAmount as Usd, makerAmount as Shares, 'down');
}

/** Client libraries truncate the shares of a dollar order to this many micro units at worst. */
const AMOUNT_ROUNDING_MICRO = 100;

/**
 * Limit and quantity of signed amounts, or undefined when their price is not on the grid strictly between 0 and 1.
 * A resting order (GTC, GTD) buys exactly its shares; an immediate buy (FOK, FAK) spends exactly its dollars.
 */
export function termsOf(amounts: SignedAmounts, timeInForce: TimeInForce, tick: Tick): Terms | undefined {
  const { side, makerAmount, takerAmount } = amounts;
  if (makerAmount <= 0 || takerAmount <= 0) return undefined;
  const dollars = (side === 'BUY' ? makerAmount : takerAmount) as Usd;
  const shares = (side === 'BUY' ? takerAmount : makerAmount) as Shares;
  const isImmediate = timeInForce === 'FOK' || timeInForce === 'FAK';
  const limit = gridPrice(dollars, shares, tick, isImmediate ? AMOUNT_ROUNDING_MICRO : 0);
  if (limit === undefined) return undefined;
  const quantity: Quantity =
    isImmediate && side === 'BUY' ? { kind: 'dollars', usd: dollars } : { kind: 'shares', shares };
  return { limit, quantity, shares };
}

/** What happens to the unmatched part of an order of this type. */
export function remainderOf(timeInForce: TimeInForce): IncomingOrder['remainder'] {
  if (timeInForce === 'FOK') return 'kills the whole order';
  return timeInForce === 'FAK' ? 'dies' : 'rests';
}

function gridPrice(dollars: Usd, shares: Shares, tick: Tick, toleranceMicroUsd: number): Price | undefined {
  const exact = (dollars / shares) * PRICE_ONE;
  const nearest = (Math.round(exact / tick) * tick) as Price;
  if (!isOnTick(nearest, tick) || nearest < tick || nearest > PRICE_ONE - tick) return undefined;
  const difference = BigInt(dollars) * BigInt(PRICE_ONE) - BigInt(nearest) * BigInt(shares);
  const magnitude = difference < 0n ? -difference : difference;
  return magnitude <= BigInt(toleranceMicroUsd) * BigInt(PRICE_ONE) ? nearest : undefined;
}
