import { type Answer, refused } from '../../adapters/polymarket/answers.ts';
import type { Arrival } from '../../adapters/polymarket/trading-routes.ts';
import type { Market } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { BookFeed } from '../books/feed.ts';
import type { FillModel, Pace } from '../options.ts';
import type { Latency } from './latency.ts';

export interface ArrivalParts {
  readonly engine: MatchingEngine;
  readonly feed: BookFeed;
  readonly fills: FillModel;
  readonly latency: Latency;
  readonly pace: Pace;
}

/** As the venue answers while its matching engine restarts: nothing was taken, and the order may be sent again. */
const NO_BOOK: Answer = refused(425, 'the book of the real venue is out of reach, so nothing was matched');

/**
 * An order waits until the real venue's books of its tokens are followed here, then for one network latency, which only the fill
 * model `touch` leaves out.
 */
export function paperArrival({ engine, feed, fills, latency, pace }: ArrivalParts): Arrival {
  const travel = async () => {
    if (fills !== 'touch') await new Promise<void>((resolve) => engine.clock.schedule(latency.ms, resolve));
  };
  return {
    orders: async (tokenIds) => {
      const markets = new Set(tokenIds.flatMap((id) => engine.directory.token(id)?.market ?? []));
      const asked = [...markets].filter(({ isAccepting }) => isAccepting);
      for (const market of asked) feed.follow(market);
      try {
        const found = await Promise.all(asked.map((market) => feed.untilLive(market, pace.bookWaitMs)));
        if (found.includes(false)) return NO_BOOK;
        await travel();
        return asked.every(isThere) ? undefined : NO_BOOK;
      } finally {
        for (const market of asked) feed.unfollow(market);
      }
    },
    cancel: async () => {
      await travel();
      return undefined;
    },
  };
}

function isThere({ hasBooks, isAccepting }: Market): boolean {
  return hasBooks || !isAccepting;
}
