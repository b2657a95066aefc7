/** Makes records of books as they are shown: what has changed since, and every so often the whole of it. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { complement } from '@dutchbook/units/price.ts';
import type { LevelChange, Recorded, RecordedLevel, RecordedTrust } from './record.ts';

/** A reader that begins anywhere finds each changed book within this time before it. */
export const ANCHOR_EVERY_MS = 60_000;

/**
 * `changes`: what the last note has changed. `notes`: how many there were. `comparedNotes`: of the partner, when this one was last
 * compared with it. `isMirror`: looked at whenever the whole book is recorded; until then one that is no mirror is recorded by itself.
 */
type Kept = {
  book: ReadBook;
  changes: readonly LevelChange[] | null;
  anchoredAt: number;
  trust: RecordedTrust;
  isMirror: boolean;
  notes: number;
  comparedNotes: number;
};

/** Best level first on both sides. */
type ReadBook = { readonly bids: readonly RecordedLevel[]; readonly asks: readonly RecordedLevel[] };

/**
 * How a token's book stands; `partner`: the other outcome of its market, null where it has not two. Of two the one of lower id is
 * noted first, and the other with it whenever anything has changed in either: what mirrors it changes as it does.
 *
 * `changes`: what has changed in `book` since it was last noted, one of each level; null where that is not known. Of an object that
 * was not noted last it is not looked at.
 */
export type ShownBook = {
  tokenId: TokenId;
  partner: string | null;
  book: ReadBook;
  changes: readonly LevelChange[] | null;
  trust: RecordedTrust;
  at: Instant;
  venueAt: Instant | null;
};

export class BookRecorder {
  /** In the order of their last whole record, the oldest first. */
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

  records(tokenId: TokenId): boolean {
    return this.#kept.has(tokenId);
  }

  /** Tokens whose last whole record is of `at` or earlier, the oldest first; they may be recorded during the iteration. */
  *recordedUntil(at: Instant): Generator<string> {
    for (const [tokenId, { anchoredAt }] of this.#kept) {
      if (anchoredAt > at) return;
      yield tokenId;
    }
  }

  /** Something was not recorded: everything begins anew, with its whole book. */
  gap(at: Instant, until: Instant, reason: string): void {
    this.#kept.clear();
    this.#onRecord({ kind: 'gap', at, venueAt: null, until, reason });
  }

  /** `isWhole` has all of the book recorded, however long ago that was done. */
  note(shown: ShownBook, isWhole = false): void {
    const { tokenId, book, trust, at, venueAt } = shown;
    const kept = this.#kept.get(tokenId);
    const changes = kept?.book === book ? shown.changes : null;
    const other = this.#otherOf(shown);
    const isOld = kept === undefined || at - kept.anchoredAt >= ANCHOR_EVERY_MS;
    if (isWhole || isOld || changes === null || (kept.isMirror && !stillMirrors(other, kept, changes))) {
      this.#anchor(shown, other, { changes, notes: (kept?.notes ?? 0) + 1 });
      return;
    }
    kept.changes = changes;
    kept.notes += 1;
    if (kept.isMirror) kept.comparedNotes += 1;
    else if (changes.length > 0) this.#onRecord({ kind: 'changes', tokenId, at, venueAt, changes });
    if (kept.trust === trust) return;
    kept.trust = trust;
    this.#onRecord({ kind: 'trust', tokenId, at, venueAt: null, trust });
  }

  /** Nothing is known of the token's book any more. */
  end(tokenId: TokenId, at: Instant): void {
    if (!this.#kept.delete(tokenId)) return;
    this.#onRecord({ kind: 'trust', tokenId, at, venueAt: null, trust: 'none' });
  }

  /** Which the token may mirror: as it was recorded last, which is what a reader will have. */
  #otherOf({ tokenId, partner }: ShownBook): Kept | undefined {
    return partner === null || partner > tokenId ? undefined : this.#kept.get(partner);
  }

  #anchor(
    { tokenId, partner, book, trust, at, venueAt }: ShownBook,
    other: Kept | undefined,
    known: Pick<Kept, 'changes' | 'notes'>,
  ): void {
    const isMirror = other !== undefined && isMirrored(other.book, book);
    this.#kept.delete(tokenId);
    this.#kept.set(tokenId, { ...known, book, anchoredAt: at, trust, isMirror, comparedNotes: other?.notes ?? 0 });
    if (isMirror && partner !== null) this.#onRecord({ kind: 'mirror', tokenId, at, venueAt: null, of: partner });
    else this.#onRecord({ kind: 'book', tokenId, at, venueAt, bids: book.bids, asks: book.asks });
    // With the whole book also how far it can be trusted: a reader that begins here has seen no change of it.
    this.#onRecord({ kind: 'trust', tokenId, at, venueAt: null, trust });
  }
}

/** Two books that mirrored each other do as long as the same changes in both. */
function stillMirrors(other: Kept | undefined, { comparedNotes }: Kept, changes: readonly LevelChange[]): boolean {
  if (other === undefined || other.changes === null || other.notes !== comparedNotes + 1) return false;
  return areMirrored(other.changes, changes);
}

function isMirrored(one: ReadBook, other: ReadBook): boolean {
  return isMirroredSide(one.bids, other.asks) && isMirroredSide(one.asks, other.bids);
}

function areMirrored(some: readonly LevelChange[], others: readonly LevelChange[]): boolean {
  if (some.length !== others.length) return false;
  for (const { side, price, size } of some) {
    const mirrored = complement(price);
    if (!others.some((each) => each.side !== side && each.price === mirrored && each.size === size)) return false;
  }
  return true;
}

/** Who offers one outcome at p bids a dollar less p for the other. */
function isMirroredSide(levels: readonly RecordedLevel[], others: readonly RecordedLevel[]): boolean {
  if (levels.length !== others.length) return false;
  for (const [place, { price, size }] of levels.entries()) {
    const other = others[place];
    if (other?.size !== size || other.price !== complement(price)) return false;
  }
  return true;
}
