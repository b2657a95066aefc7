/** Opens what exists once per account: one desk for each venue that is configured. */
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';
import { startAccount } from './account.ts';
import { followApprovals } from './approvals.ts';
import { followClockSkew } from './clock-skew.ts';
import { keepDeadMansSwitch } from './dead-mans-switch.ts';
import type { VenueDesk } from './desks.ts';

export type VenueDeskParts = {
  runtime: Runtime;
  name: VenueName;
  venue: Pick<Venue, 'trading' | 'chain' | 'openUserStream' | 'serverTime'>;
  controls: TradingControls;
};

export type OpenVenueDesk = VenueDesk & { stop: () => void };

/** Resolves once cash and clock of the venue were asked for. */
export async function openVenueDesk({ runtime, name, venue, controls }: VenueDeskParts): Promise<OpenVenueDesk> {
  const { trading, chain, openUserStream } = venue;
  const account = startAccount(runtime, trading);
  await account.refresh();
  const skew = await followClockSkew(runtime, venue);
  const approvals = followApprovals(runtime, chain);
  const beats = trading !== null && runtime.config.roles.has('engine');
  const stopBeating = beats ? keepDeadMansSwitch(runtime, trading, controls) : () => {};
  return {
    ...{ name, trading, chain, openUserStream, account, controls },
    soundness: () => ({ clockSkewMs: skew.currentMs(), unapproved: approvals.current() }),
    stop: () => {
      stopBeating();
      approvals.stop();
      skew.stop();
      account.stop();
    },
  };
}
