import type { Tick } from '@dutchbook/units/price.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { WatchedSettings } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import type { BookSource } from './book-source.ts';
import { pollBooks } from './polled-books.ts';
import { streamBooks } from './streamed-books.ts';

export type SwitchedBooks = BookSource & {
  isStreamed: () => boolean;
  /** Lets go of every book and asks for all of them anew. */
  restart: () => void;
};

type SwitchedBooksEvents = {
  onBooks: (tokenIds: readonly string[]) => void;
  onTick: (tokenId: string, tick: Tick) => void;
  onResolved: (marketId: string) => void;
};

type FeedWorld = Pick<World, 'clock' | 'timers' | 'log'>;

/** Books from the stream or from polling, as ENABLE_WEBSOCKET says, also when it changes its mind. */
export function switchBooks(
  world: FeedWorld,
  venue: Venue,
  settings: WatchedSettings,
  events: SwitchedBooksEvents,
): SwitchedBooks {
  const wanted = new Set<string>();
  const open = () => (streamed ? streamBooks(venue, world.clock, events) : pollBooks(venue.prices, world, events));
  let streamed = settings.current().ENABLE_WEBSOCKET;
  let books = open();

  const restart = () => {
    const before = books;
    books = open();
    books.add([...wanted]);
    events.onBooks([...wanted]);
    before.stop().catch((error: unknown) => world.log.error({ err: error }, 'a feed of books did not end cleanly'));
  };
  const stopFollowing = settings.onChange(() => {
    if (settings.current().ENABLE_WEBSOCKET === streamed) return;
    streamed = !streamed;
    restart();
  });

  return {
    isStreamed: () => streamed,
    restart,
    add: (tokenIds) => {
      for (const tokenId of tokenIds) wanted.add(tokenId);
      books.add(tokenIds);
    },
    remove: (tokenIds) => {
      for (const tokenId of tokenIds) wanted.delete(tokenId);
      books.remove(tokenIds);
    },
    held: (tokenId) => books.held(tokenId),
    hasAnswered: (tokenId) => books.hasAnswered(tokenId),
    health: () => books.health(),
    stop: async () => {
      stopFollowing();
      await books.stop();
    },
  };
}
