/** What a set can surely pay at most, as far as the structure of its markets at the venue says so. */
import { PRICE_ONE, PRICE_ZERO, type Price } from '@dutchbook/units/price.ts';
import type { Place } from './return-on-time.ts';

/**
 * The least that a set pays over what may come true: each outcome of its one market, or each of its members of an event of which one
 * comes true at most. Null of markets that the venue does not bind to each other: what of them comes true together is not known here.
 */
export function paysAtMost(places: readonly Place[]): Price | null {
  const [first] = places;
  const outcomes = first?.market?.outcomes;
  if (first === undefined || outcomes === undefined) return null;
  if (places.every(({ marketId }) => marketId === first.marketId))
    return least(outcomes.map(({ tokenId }) => dollarsFor(places.filter((place) => place.tokenId === tokenId).length)));
  const event = first.market?.event;
  if (event?.negRisk !== true) return null;
  if (!places.every(({ market }) => market?.event?.id === event.id && market.outcomes.length === 2)) return null;
  const members = [...new Set(places.map(({ marketId }) => marketId))];
  return least(members.map((member) => dollarsFor(places.filter((place) => isPaid(place, member)).length)));
}

/** Whether a share pays once `member` has come true, and no other. */
function isPaid({ marketId, tokenId, market }: Place, member: string): boolean {
  const isFirst = market?.outcomes[0]?.tokenId === tokenId;
  return marketId === member ? isFirst : !isFirst;
}

const dollarsFor = (shares: number) => shares * PRICE_ONE;

const least = (dollars: readonly number[]) => (dollars.length === 0 ? PRICE_ZERO : (Math.min(...dollars) as Price));
