/** Opens what exists once per account: one desk for each venue that is configured. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';
import { startAccount } from './account.ts';
import { followApprovals } from './approvals.ts';
import { followClockSkew } from './clock-skew.ts';
import { keepDeadMansSwitch } from './dead-mans-switch.ts';
import { type Desks, desksOf, type VenueDesk } from './desks.ts';
import { movesOnPaper } from './paper-moves.ts';

type DeskVenue = Pick<Venue, 'trading' | 'chain' | 'openUserStream' | 'serverTime'>;

/** The account that a desk is opened for. */
export type VenueAccount<At extends DeskVenue = Venue> = { name: VenueName; venue: At; controls: TradingControls };

type OpenVenueDesk = VenueDesk & { stop: () => void };

/** The desks of all venues that are configured. Resolves once cash and clock of each were asked for. */
export async function openVenueDesks(
  runtime: Runtime,
  accounts: readonly VenueAccount<DeskVenue>[],
): Promise<Desks & { stop: () => void }> {
  const all = await Promise.all(accounts.map((account) => openVenueDesk(runtime, account)));
  return {
    ...desksOf(all),
    stop: () => {
      for (const desk of all) desk.stop();
    },
  };
}

async function openVenueDesk(
  runtime: Runtime,
  { name, venue, controls }: VenueAccount<DeskVenue>,
): Promise<OpenVenueDesk> {
  const { trading, chain, openUserStream } = venue;
  const { paper, polymarket } = runtime.config;
  const moves = chain ?? (paper === null ? null : movesOnPaper(name, polymarket.clobUrl));
  const account = startAccount(runtime, trading);
  await account.refresh();
  const skew = await followClockSkew(runtime, venue);
  const approvals = followApprovals(runtime, chain);
  const beats = trading !== null && runtime.config.roles.has('engine');
  const stopBeating = beats ? keepDeadMansSwitch(runtime, trading, controls) : () => {};
  return {
    ...{ name, trading, chain, openUserStream, account, controls, moves },
    soundness: () => {
      const keyEndsAt = trading?.keyEndsAt?.() ?? null;
      const sound = { clockSkewMs: skew.currentMs(), unapproved: approvals.current() };
      return keyEndsAt === null ? sound : { ...sound, keyEndsAt };
    },
    stop: () => {
      stopBeating();
      approvals.stop();
      skew.stop();
      account.stop();
    },
  };
}
