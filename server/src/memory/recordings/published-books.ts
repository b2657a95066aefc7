import { type BookLog, LoggedBook } from '@dutchbook/recordings/book-log.ts';
import type { BookName } from '@dutchbook/recordings/logged-books.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { KeptHeldBook } from '../../market/prices/quotes/books.ts';
import type { TokenBooks } from '../../market/prices/quotes/quotes.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';

/** Existing books published per tick: each takes a pass over all its levels. */
const PUBLISHED_AT_ONCE = 50;
/** Which token is the other outcome takes asking several feeds: what they said holds for so long. */
const MARKETS_HOLD_SECONDS = 60;

/** Tells a log of the books of the feed. */
export type PublishedBooks = {
  /** Publishes changes of these tokens. */
  tell: (tokenIds: readonly TokenId[]) => void;
  /** Some of those whose books were there before and of which nothing was published yet. */
  reportRest: () => void;
  /** Names of books published since the last call, or with a new partner. */
  takeNames: () => readonly BookName[];
  /** The log is lost. */
  forget: () => void;
};

/** Work per change delays trading: it allocates nothing and looks up no name but the feed's. */
export function publishBooks(clock: Clock, tokens: TokenBooks, log: BookLog): PublishedBooks {
  /** Followed books by token. */
  const followed = new Map<string, LoggedBook>();
  let names: BookName[] = [];
  /** The last first; null before anything was published. */
  let unpublished: string[] | null = null;

  const follow = (tokenId: TokenId, { book }: KeptHeldBook): LoggedBook => {
    followed.get(tokenId)?.leave();
    const logged = log.follow();
    book.follower = logged;
    followed.set(tokenId, logged);
    names.push({ book: logged.number, tokenId, partner: null });
    logged.replaced(book);
    return logged;
  };
  const askPartner = (tokenId: TokenId, logged: LoggedBook, second: number) => {
    const other = tokens.other(tokenId);
    if (other !== undefined) logged.askedAt = second;
    if ((other ?? null) === logged.partner) return;
    logged.partner = other ?? null;
    names.push({ book: logged.number, tokenId, partner: logged.partner });
  };
  const end = (tokenId: TokenId) => {
    const logged = followed.get(tokenId);
    followed.delete(tokenId);
    if (logged === undefined) log.nothing();
    else logged.end();
  };
  const tell = (tokenIds: readonly TokenId[]) => {
    const at = clock.now();
    const second = Math.floor(at / 1000);
    log.moment(at, tokenIds.length);
    for (const tokenId of tokenIds) {
      const held = tokens.held(tokenId);
      if (held === undefined) {
        end(tokenId);
        continue;
      }
      const { follower } = held.book;
      const isFollowed = follower instanceof LoggedBook && follower.isFollowedIn(log);
      const logged = isFollowed ? follower : follow(tokenId, held);
      if (second - logged.askedAt >= MARKETS_HOLD_SECONDS) askPartner(tokenId, logged, second);
      logged.tell(held.feed, held.venueTimestamp);
    }
    log.endInstant();
  };

  return {
    tell,
    reportRest: () => {
      unpublished ??= tokens.ids().toReversed();
      const some = unpublished.splice(-PUBLISHED_AT_ONCE).filter((tokenId) => !followed.has(tokenId));
      if (some.length > 0) tell(some);
    },
    takeNames: () => {
      const taken = names;
      names = [];
      return taken;
    },
    forget: () => {
      followed.clear();
      unpublished = null;
    },
  };
}
