import type { AccountState } from '@dutchbook/engine/risk/context.ts';
import { type VenueId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { type Venue, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';
import { type Account, CASH_MAX_AGE_MS } from './account.ts';
import type { MovesReader } from './paper-moves.ts';

/** Everything that exists once per account at a venue. */
export type VenueDesk = {
  name: VenueName;
  trading: Venue['trading'];
  chain: Venue['chain'];
  /** Reads how the account's dollars came and went; null where people state that. */
  moves: MovesReader | null;
  openUserStream: Venue['openUserStream'];
  account: Account;
  controls: TradingControls;
  /** Approvals and clock skew of the account. */
  soundness: () => VenueSoundness;
};

export type VenueSoundness = Pick<AccountState, 'clockSkewMs' | 'keyEndsAt' | 'unapproved'>;

/** The part of a desk that decisions need. */
export type DecidingDesk = Pick<VenueDesk, 'name' | 'controls' | 'soundness'> & { account: Pick<Account, 'reading'> };

export type Desks<Desk extends { name: VenueName } = VenueDesk> = {
  all: readonly Desk[];
  /** @throws VenueUnavailable where the venue is not configured */
  at: (venue: VenueName) => Desk;
  /** The desk of what this is the id of. @throws VenueUnavailable where its venue is not configured */
  of: (id: VenueId) => Desk;
};

export function desksOf<Desk extends { name: VenueName }>(all: readonly Desk[]): Desks<Desk> {
  const byName = new Map(all.map((desk) => [desk.name, desk]));
  const at = (venue: VenueName) => {
    const desk = byName.get(venue);
    if (desk === undefined) throw new VenueUnavailable(`the venue ${venue} is not configured`);
    return desk;
  };
  return { all, at, of: (id) => at(venueOf(id)) };
}

/** The desks of the venues that these are of. A venue that is not configured is left out: the gates refuse what is of it. */
export function desksOfAll<Desk extends { name: VenueName }>(
  { all }: Pick<Desks<Desk>, 'all'>,
  positions: readonly { marketId: string }[],
): Desk[] {
  const venues = new Set(positions.map(({ marketId }) => venueOf(marketId)));
  return all.filter(({ name }) => venues.has(name));
}

/** The controls of each desk with the cash that its venue said last, as the top bar shows both. */
export function controlsWithCash({ all }: Pick<Desks, 'all'>): (TradingControls & { cash: Account['reading'] })[] {
  return all.map(({ controls, account }) => ({ ...controls, cash: account.reading }));
}

type ArmedDesks = Pick<Desks<Pick<VenueDesk, 'name' | 'controls'>>, 'all'>;

/** Whether there is a venue, with a key, for what this is the id of. */
export function isTraded({ all }: Pick<Desks<Pick<VenueDesk, 'name' | 'trading'>>, 'all'>, id: string): boolean {
  const venue = venueOf(id);
  return all.some(({ name, trading }) => name === venue && trading !== null);
}

/** Whether trading is armed at the venues of all of these. */
export function areArmed(desks: ArmedDesks, orders: readonly { tokenId: string }[]): boolean {
  return areArmedAt(
    desks,
    orders.map(({ tokenId }) => venueOf(tokenId)),
  );
}

/** Whether it is at each of these. */
export function areArmedAt({ all }: ArmedDesks, venues: readonly VenueName[]): boolean {
  const armed = new Set(all.filter(({ controls }) => controls.current().armed).map(({ name }) => name));
  return venues.every((venue) => armed.has(venue));
}

/** Has the cash read at the venues of these, for a decision or for display. */
export async function refreshCash(
  desks: Pick<Desks, 'all'>,
  positions: readonly { marketId: string }[],
  priority: keyof typeof CASH_MAX_AGE_MS,
): Promise<void> {
  await Promise.all(desksOfAll(desks, positions).map(({ account }) => account.refresh(CASH_MAX_AGE_MS[priority])));
}
