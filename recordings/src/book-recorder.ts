/** Turns books as they are shown into records: what has changed since, and every so often the whole of it. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { changesBetween, isMirrorOf, type ReadBook } from './difference.ts';
import type { Recorded, RecordedLevel, RecordedTrust } from './record.ts';

/** Whoever begins to read somewhere finds every book that has changed within this time before it. */
export const ANCHOR_EVERY_MS = 60_000;

type Kept = {
  bids: RecordedLevel[];
  asks: RecordedLevel[];
  anchoredAt: number;
  trust: RecordedTrust;
  isMirror: boolean;
};

/** How a token's book stands; `partner`: the other outcome of its market, null where that is not followed. */
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
  #records: Recorded[] = [];

  get count(): number {
    return this.#records.length;
  }

  /** The records since the last call. */
  take(): Recorded[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Nothing is kept of what was: everything begins with its whole book. */
  forget(): void {
    this.#kept.clear();
  }

  /** Something was not recorded: everything begins anew. */
  gap(at: Instant, until: Instant, reason: string): void {
    this.forget();
    this.#records.push({ kind: 'gap', at, venueAt: null, until, reason });
  }

  note(shown: ShownBook): void {
    const { tokenId, trust, at } = shown;
    const kept = this.#kept.get(tokenId);
    const mirrors = this.#mirrors(shown);
    const isDue = kept === undefined || at - kept.anchoredAt >= ANCHOR_EVERY_MS || kept.isMirror !== mirrors;
    if (isDue) this.#anchor(shown, mirrors, kept?.trust ?? 'none');
    else if (!mirrors) this.#change(shown, kept);
    const now = this.#kept.get(tokenId);
    if (now === undefined || now.trust === trust) return;
    now.trust = trust;
    this.#records.push({ kind: 'trust', tokenId, at, venueAt: null, trust });
  }

  /** By the book of the partner as it was recorded last, which is what a reader will have. */
  #mirrors({ partner, book }: ShownBook): boolean {
    const other = partner === null ? undefined : this.#kept.get(partner);
    return other !== undefined && !other.isMirror && isMirrorOf(book, other);
  }

  #anchor({ tokenId, partner, book, at, venueAt }: ShownBook, isMirror: boolean, trust: RecordedTrust): void {
    const [bids, asks] = isMirror ? [[], []] : [book.bids.map(copyOf), book.asks.map(copyOf)];
    this.#kept.set(tokenId, { bids, asks, anchoredAt: at, trust, isMirror });
    if (isMirror && partner !== null) this.#records.push({ kind: 'mirror', tokenId, at, venueAt: null, of: partner });
    else this.#records.push({ kind: 'book', tokenId, at, venueAt, bids: bids.map(copyOf), asks: asks.map(copyOf) });
  }

  #change({ tokenId, book, at, venueAt }: ShownBook, kept: Kept): void {
    const changes = changesBetween(kept, book);
    if (changes.length === 0) return;
    kept.bids = book.bids.map(copyOf);
    kept.asks = book.asks.map(copyOf);
    this.#records.push({ kind: 'changes', tokenId, at, venueAt, changes });
  }
}

function copyOf({ price, size }: RecordedLevel): RecordedLevel {
  return { price, size };
}
