/** Groups holdings by event, in the form that exit plans need. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import type { Level } from '../book/level.ts';
import type { Market } from '../market/market.ts';
import type { EventHolding, ExitMember, ExitToken } from './event-holding.ts';

/** `shares`: those that may leave now. */
export type HeldToken = { market: Market; tokenId: TokenId; shares: Shares; bids: readonly Level[] | null };

/** `lockedUntil`: the last end of its markets; null where one of them has none. */
export type HeldEvent = { id: string; title: string; lockedUntil: Instant | null; holding: EventHolding };

/** Events in the order in which they first come. A market without an event is one of its own. */
export function heldByEvent(held: readonly HeldToken[]): HeldEvent[] {
  const events = Map.groupBy(held, ({ market }) => market.event?.id ?? market.id);
  return [...events].map(([id, tokens]) => {
    const markets = [...new Map(tokens.map(({ market }) => [market.id, market])).values()];
    const event = markets[0]?.event ?? null;
    const ends = markets.map(({ endDate }) => endDate);
    return {
      id,
      title: event?.title ?? markets[0]?.question ?? '',
      lockedUntil: ends.some((end) => end === null) ? null : (Math.max(...ends.map(Number)) as Instant),
      holding: {
        structure:
          event?.negRisk === true
            ? {
                kind: 'negative_risk',
                feeBips: null,
                isComplete: !event.augmented && event.marketIds.every((each) => markets.some(({ id }) => id === each)),
              }
            : { kind: 'markets' },
        members: markets.flatMap((market) => memberOf(market, tokens)),
      },
    };
  });
}

function memberOf(market: Market, held: readonly HeldToken[]): ExitMember[] {
  const [yes, no] = market.outcomes.map(({ tokenId }): ExitToken => {
    const token = held.find((each) => each.tokenId === tokenId);
    return { tokenId, shares: token?.shares ?? SHARES_ZERO, bids: token?.bids ?? null };
  });
  return yes === undefined || no === undefined ? [] : [{ market, tokens: [yes, no] }];
}
