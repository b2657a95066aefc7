/** What a batch did at each venue, each order at its own. */
import { type TokenId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import type { Holding } from './holding.ts';

/**
 * Without profit: a set pays by all of its legs, wherever they are. `paid` and `received` are before `fees`; `locked` is the cost of
 * what is held and not lost.
 */
export type AtVenue = {
  venue: VenueName;
  legs: number;
  filledLegs: number;
  paid: Usd;
  received: Usd;
  fees: Usd;
  locked: Usd;
} & Slippage;

type Slippage = { movedBeforeSend: Usd; movedInFlight: Usd; sizeAdded: Usd };

/** An order whose shares the batch may hold. `leg`: null of shares that a contract handed out, which are no leg of its sets. */
export type HeldAt = {
  tokenId: TokenId;
  holding: Holding;
  locked: Usd;
  leg: ({ isFilled: boolean } & Slippage) | null;
};

/** The parts add up to the figures of the batch. */
export function atVenues(held: readonly HeldAt[]): AtVenue[] {
  return [...Map.groupBy(held, ({ tokenId }) => venueOf(tokenId))].map(([venue, own]) => {
    const legs = own.flatMap(({ leg }) => leg ?? []);
    const sum = <Part>(parts: readonly Part[], of: (part: Part) => number) =>
      parts.reduce((total, part) => total + of(part), USD_ZERO as number) as Usd;
    return {
      venue,
      legs: legs.length,
      filledLegs: legs.filter(({ isFilled }) => isFilled).length,
      paid: sum(own, ({ holding }) => holding.cost),
      received: sum(own, ({ holding }) => holding.proceeds),
      fees: sum(own, ({ holding }) => holding.buyFees + holding.saleFees),
      locked: sum(own, ({ locked }) => locked),
      movedBeforeSend: sum(legs, ({ movedBeforeSend }) => movedBeforeSend),
      movedInFlight: sum(legs, ({ movedInFlight }) => movedInFlight),
      sizeAdded: sum(legs, ({ sizeAdded }) => sizeAdded),
    };
  });
}
