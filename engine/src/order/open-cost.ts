/** The open cost of held shares: the part that may still come back, or be lost. */
import type { Price } from '@dutchbook/units/price.ts';
import { LEAST_SIZE, roundSharesDown, type Shares } from '@dutchbook/units/shares.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { costOfPart } from './under-way.ts';

/** A venue may have taken a part of what was bought as its fee: a twentieth at most. */
const FEE_PART_MAX = 20;

/**
 * Whether more is held, by its fills, than the venue may have taken as its fee and than no order could sell. An answer of
 * the venue that tells of less is not believed then.
 */
export function holdsMoreThanFees({ held, bought }: { held: Shares; bought: Shares }): boolean {
  return held * FEE_PART_MAX > bought && roundSharesDown(held, LEAST_SIZE) > 0;
}

/** An order's purchases and holding. `cost`: of all that it bought, with fees. `resolvedValue`: what a share pays, once that is known. */
export type HeldByOrder = { held: Shares; bought: Shares; cost: Usd; resolvedValue: Price | null };

export function mayStillPay({ held, bought, resolvedValue }: Omit<HeldByOrder, 'cost'>): boolean {
  return resolvedValue !== 0 && holdsMoreThanFees({ held, bought });
}

/**
 * The open cost of each order of a batch. Shares of a market that has resolved against them are lost already; a batch of which nothing
 * may still pay has nothing open, whatever its fills leave. Open exposure and *Bound Now* are sums of these.
 */
export function openCosts(orders: readonly HeldByOrder[]): Usd[] {
  const isOpen = orders.some(mayStillPay);
  return orders.map(({ held, bought, cost, resolvedValue }) =>
    !isOpen || held === 0 || resolvedValue === 0 ? USD_ZERO : costOfPart(cost, held, bought),
  );
}
