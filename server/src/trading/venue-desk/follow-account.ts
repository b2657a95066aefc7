/** Follows what the venue reports of the account: by its user stream, and by asking for what that left out. */
import type { OrderName } from '@dutchbook/units/ids.ts';
import type { UserStream, VenueCatalogue, VenueTrading } from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { VenueDesk } from './desks.ts';
import { type ExternalOrders, followExternalOrders } from './external-orders.ts';
import { followMissedFills } from './missed-fills.ts';

export type TradedDesk = Omit<VenueDesk, 'trading'> & { trading: VenueTrading };

export type AccountReactions = {
  /** Whether it is for this process of all to follow external orders, at this moment. */
  isOurs: () => boolean;
  /** Has an order that was placed here polled. False where it was not placed here. */
  poll: (orderHash: OrderName, isGone?: boolean) => Promise<boolean>;
  /** The stream is up again: what happened meanwhile is not known. */
  onGap: () => void;
  logged: (task: Promise<void>) => void;
};

export type FollowedAccount = { poll: () => void; stop: () => Promise<void> };

export function followAccount(
  runtime: Runtime,
  catalogue: Pick<VenueCatalogue, 'marketsById'>,
  desk: TradedDesk,
  reactions: AccountReactions,
): FollowedAccount {
  const { isOurs, logged } = reactions;
  const pollPlaced = (orderHash: OrderName) => logged(reactions.poll(orderHash).then(() => {}));
  const external = followExternalOrders(runtime, catalogue, desk, { isOurs, onRevived: pollPlaced });
  const missedFills = followMissedFills(runtime, desk.trading, pollPlaced);
  const poll = () => {
    logged(external.poll());
    logged(missedFills.poll());
  };
  const onReconnect = () => {
    reactions.onGap();
    poll();
  };
  const userStream = followUserStream(desk, external, { ...reactions, onReconnect });
  return {
    poll,
    stop: () => {
      external.stop();
      missedFills.stop();
      return userStream.close();
    },
  };
}

/** A frame about an order only triggers a read; the read decides. */
function followUserStream(
  { openUserStream }: Pick<VenueDesk, 'openUserStream'>,
  external: Pick<ExternalOrders, 'pollOne'>,
  { poll, logged, onReconnect }: Pick<AccountReactions, 'poll' | 'logged'> & { onReconnect: () => void },
): UserStream {
  async function pollOrder(orderHash: OrderName, isGone = false): Promise<void> {
    if (!(await poll(orderHash, isGone))) await external.pollOne(orderHash);
  }
  return openUserStream({
    onOrder: ({ orderHash, status }) => logged(pollOrder(orderHash, status === 'canceled' || status === 'invalid')),
    onFill: ({ orderHash }) => logged(pollOrder(orderHash)),
    onReconnect,
  });
}
