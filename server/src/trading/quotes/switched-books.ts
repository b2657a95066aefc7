import type { Tick } from '@dutchbook/units/price.ts';
import type { Venue } from '@dutchbook/venues/venue.ts';
import type { SystemSettings } from '../../parts.ts';
import type { World } from '../../world/world.ts';
import type { BookSource } from './book-source.ts';
import { pollBooks } from './polled-books.ts';
import { streamBooks } from './streamed-books.ts';

const MODE_CHECK_MS = 1000;

export type SwitchedBooks = BookSource & { isStreamed: () => boolean };

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
  settings: SystemSettings,
  events: SwitchedBooksEvents,
): SwitchedBooks {
  const wanted = new Set<string>();
  const open = () => (streamed ? streamBooks(venue, world.clock, events) : pollBooks(venue.prices, world, events));
  let streamed = settings.current().ENABLE_WEBSOCKET;
  let books = open();

  const followSetting = async () => {
    if (settings.current().ENABLE_WEBSOCKET === streamed) return;
    const before = books;
    streamed = !streamed;
    books = open();
    books.add([...wanted]);
    events.onBooks([...wanted]);
    await before.stop();
  };
  const stopFollowing = world.timers.every(MODE_CHECK_MS, followSetting);

  return {
    isStreamed: () => streamed,
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
