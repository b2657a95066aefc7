/** Turns books as they are shown into records: what has changed since, and every so often the whole of it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { KeptSide } from './kept-side.ts';
import type { LevelChange, Recorded, RecordedLevel, RecordedTrust } from './record.ts';

/** Whoever begins to read somewhere finds every book that has changed within this time before it. */
export const ANCHOR_EVERY_MS = 60_000;

type Kept = { bids: KeptSide; asks: KeptSide; anchoredAt: number; trust: RecordedTrust; isMirror: boolean };

/** Best level first on both sides. */
type ReadBook = { readonly bids: readonly RecordedLevel[]; readonly asks: readonly RecordedLevel[] };

/**
 * How a token's book stands; `partner`: the other outcome of its market, null where it has not two. Of two the one of lower id is
 * noted first, and the other with it whenever anything has changed in either: what mirrors it changes as it does.
 */
export type ShownBook = {
  tokenId: string;
  partner: string | null;
  book: ReadBook;
  trust: RecordedTrust;
  at: Instant;
  venueAt: Instant | null;
};

export class BookRecorder {
  readonly #kept = new Map<string, Kept>();
  readonly #onRecord: (record: Recorded) => void;

  /** `onRecord`: what it is given is read at once, or copied: books change in place. */
  constructor(onRecord: (record: Recorded) => void) {
    this.#onRecord = onRecord;
  }

  /** How many tokens are recorded. */
  get tokens(): number {
    return this.#kept.size;
  }

  /** When the whole book of a token was last recorded; undefined before it ever was. */
  anchoredAt(tokenId: string): number | undefined {
    return this.#kept.get(tokenId)?.anchoredAt;
  }

  /** Something was not recorded: everything begins anew, with its whole book. */
  gap(at: Instant, until: Instant, reason: string): void {
    this.#kept.clear();
    this.#onRecord({ kind: 'gap', at, venueAt: null, until, reason });
  }

  /** `isWhole` has all of the book recorded, however long ago that was done. */
  note(shown: ShownBook, isWhole = false): void {
    const { tokenId, trust, at } = shown;
    const kept = this.#kept.get(tokenId);
    const mirrors = this.#mirrors(shown);
    const isDue = isWhole || kept === undefined || at - kept.anchoredAt >= ANCHOR_EVERY_MS || kept.isMirror !== mirrors;
    if (isDue) this.#anchor(shown, mirrors);
    else if (!mirrors) this.#change(shown, kept);
    // With the whole book also how far it can be trusted: whoever begins to read here has seen no change of it.
    if (!isDue && kept.trust === trust) return;
    if (!isDue) kept.trust = trust;
    this.#onRecord({ kind: 'trust', tokenId, at, venueAt: null, trust });
  }

  /** Nothing is known of the token's book any more. */
  end(tokenId: string, at: Instant): void {
    if (!this.#kept.delete(tokenId)) return;
    this.#onRecord({ kind: 'trust', tokenId, at, venueAt: null, trust: 'none' });
  }

  /** By the book of the partner as it was recorded last, which is what a reader will have. */
  #mirrors({ tokenId, partner, book }: ShownBook): boolean {
    const other = partner === null || partner > tokenId ? undefined : this.#kept.get(partner);
    if (other === undefined) return false;
    return other.bids.mirrors(book.asks) && other.asks.mirrors(book.bids);
  }

  #anchor({ tokenId, partner, book, trust, at, venueAt }: ShownBook, isMirror: boolean): void {
    const [bids, asks] = [new KeptSide('buy'), new KeptSide('sell')];
    this.#kept.set(tokenId, { bids, asks, anchoredAt: at, trust, isMirror });
    if (isMirror && partner !== null) {
      this.#onRecord({ kind: 'mirror', tokenId, at, venueAt: null, of: partner });
      return;
    }
    bids.follow(book.bids, []);
    asks.follow(book.asks, []);
    this.#onRecord({ kind: 'book', tokenId, at, venueAt, bids: book.bids, asks: book.asks });
  }

  #change({ tokenId, book, at, venueAt }: ShownBook, { bids, asks }: Kept): void {
    const changes: LevelChange[] = [];
    bids.follow(book.bids, changes);
    asks.follow(book.asks, changes);
    if (changes.length > 0) this.#onRecord({ kind: 'changes', tokenId, at, venueAt, changes });
  }
}
