/** Turns books as they are shown into records: what has changed since, and every so often the whole of it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { changesBetween, isMirrorOf, type KeptBook, type ReadBook, setLevel } from './difference.ts';
import type { Recorded, RecordedLevel, RecordedTrust } from './record.ts';

/** Whoever begins to read somewhere finds every book that has changed within this time before it. */
export const ANCHOR_EVERY_MS = 60_000;

type Kept = KeptBook & { anchoredAt: number; trust: RecordedTrust; isMirror: boolean };

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
    return other !== undefined && isMirrorOf(book, other);
  }

  #anchor({ tokenId, partner, book, trust, at, venueAt }: ShownBook, isMirror: boolean): void {
    const [bids, asks] = isMirror ? [[], []] : [book.bids.map(copyOf), book.asks.map(copyOf)];
    this.#kept.set(tokenId, { bids, asks, anchoredAt: at, trust, isMirror });
    if (isMirror && partner !== null) this.#onRecord({ kind: 'mirror', tokenId, at, venueAt: null, of: partner });
    else this.#onRecord({ kind: 'book', tokenId, at, venueAt, bids: bids.map(copyOf), asks: asks.map(copyOf) });
  }

  #change({ tokenId, book, at, venueAt }: ShownBook, kept: Kept): void {
    const changes = changesBetween(kept, book);
    if (changes.length === 0) return;
    for (const change of changes) setLevel(kept, change);
    this.#onRecord({ kind: 'changes', tokenId, at, venueAt, changes });
  }
}

function copyOf({ price, size }: RecordedLevel): RecordedLevel {
  return { price, size };
}
