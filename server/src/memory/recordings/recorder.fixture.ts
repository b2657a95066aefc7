import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KeptBook } from '@dutchbook/engine/book/book.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { HeldBook } from '../../market/prices/quotes/books.ts';
import type { TokenBooks } from '../../market/prices/quotes/quotes.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';
import type { Clock } from '../../platform/runtime/runtime.ts';

export type ScriptedTokens = {
  tokens: TokenBooks;
  book: (tokenId: string) => KeptBook;
  trust: (tokenId: string, feed: HeldBook['feed']) => void;
  drop: (tokenId: string) => void;
  tell: (...tokenIds: string[]) => void;
};

/** Books that a test changes in place; `a:yes` and `a:no` are the outcomes of one market. */
export function scriptedTokens(clock: Clock): ScriptedTokens {
  const held = new Map<string, { book: KeptBook; feed: HeldBook['feed'] }>();
  const listeners = openListeners<[tokenIds: readonly string[]]>();
  const entry = (tokenId: string) => {
    const found = held.get(tokenId) ?? { book: new KeptBook(), feed: 'live' as const };
    held.set(tokenId, found);
    return found;
  };
  const otherOf = (tokenId: string) => {
    const [market = '', outcome] = tokenId.split(':');
    return `${market}:${outcome === 'yes' ? 'no' : 'yes'}`;
  };
  return {
    tokens: {
      ids: () => [...held.keys()],
      watches: (tokenId) => held.has(tokenId),
      held: (tokenId) => {
        const found = held.get(tokenId);
        return found && { ...found, ageMs: 0, venueTimestamp: instantFromMs(clock.now() - 40) };
      },
      other: otherOf,
      onChange: listeners.add,
    },
    book: (tokenId) => entry(tokenId).book,
    trust: (tokenId, feed) => {
      entry(tokenId).feed = feed;
    },
    drop: (tokenId) => void held.delete(tokenId),
    tell: (...tokenIds) => listeners.call(tokenIds),
  };
}

/** A folder of its own, which is not there yet. */
export function recordingFolder(): Disposable & { folder: string; parent: string } {
  const parent = mkdtempSync(path.join(tmpdir(), 'dutchbook-recordings-'));
  return {
    parent,
    folder: path.join(parent, 'simulated'),
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }),
  };
}
