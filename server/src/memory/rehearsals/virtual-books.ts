/** The books of a rehearsal as they were, record by record, each the same object for as long as it lasts. */

import { applyLevelChange, type Book, KeptBook, replaceBook } from '@dutchbook/engine/book/book.ts';
import type { Level } from '@dutchbook/engine/book/level.ts';
import type { Recorded, RecordedTrust } from '@dutchbook/recordings/record.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { complement } from '@dutchbook/units/price.ts';

/**
 * `isKnown`: its book is known, by a record of its own or as the mirror of another's. A book in which nothing is trusted is as good as
 * none: `bookOf`. `isShadow`: nothing was recorded of it, and it is what the other outcome of its market says of it.
 */
export type VirtualBook = {
  readonly tokenId: TokenId;
  readonly book: KeptBook;
  trust: RecordedTrust;
  isKnown: boolean;
  mirrorOf: VirtualBook | null;
  mirroredBy: VirtualBook | null;
  isShadow: boolean;
};

export function bookOf({ book, trust, isKnown }: VirtualBook): Book | undefined {
  return isKnown && trust !== 'none' ? book : undefined;
}

export class VirtualBooks {
  readonly #byToken = new Map<string, VirtualBook>();
  readonly #onChange: (book: VirtualBook) => void;

  /** `onChange`: something of the book or of the trust in it has changed. */
  constructor(onChange: (book: VirtualBook) => void) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#byToken.size;
  }

  of(tokenId: TokenId): VirtualBook {
    let held = this.#byToken.get(tokenId);
    if (held === undefined) {
      const nothing = { trust: 'none', isKnown: false, mirrorOf: null, mirroredBy: null, isShadow: false } as const;
      held = { tokenId, book: new KeptBook(), ...nothing };
      this.#byToken.set(tokenId, held);
    }
    return held;
  }

  apply(record: Exclude<Recorded, { kind: 'gap' }>): void {
    const held = this.of(record.tokenId);
    switch (record.kind) {
      case 'changes':
        this.#change(held, record.changes);
        return;
      case 'trust':
        this.#trust(held, record.trust);
        if (held.mirroredBy?.isShadow === true) this.#trust(held.mirroredBy, record.trust);
        return;
      case 'book':
        endMirroring(held);
        this.#replace(held, record.bids, record.asks);
        return;
      case 'mirror':
        endMirroring(held);
        this.#mirror(held, this.of(record.of));
    }
  }

  /** Where nothing is known of a book, the other outcome of its market says what it costs. */
  shadow(tokenId: TokenId, otherId: string): void {
    const [held, other] = [this.of(tokenId), this.of(otherId)];
    if (held.isKnown || held.mirrorOf !== null || other.mirroredBy !== null) return;
    held.isShadow = true;
    held.trust = other.trust;
    this.#mirror(held, other);
  }

  /** Nothing is known of any of them until it is recorded anew. */
  forget(): void {
    for (const held of this.#byToken.values()) {
      held.trust = 'none';
      held.isKnown = false;
      held.mirrorOf = null;
      held.mirroredBy = null;
      held.isShadow = false;
      this.#onChange(held);
    }
  }

  #trust(held: VirtualBook, trust: RecordedTrust): void {
    held.trust = trust;
    this.#onChange(held);
  }

  #mirror(held: VirtualBook, of: VirtualBook): void {
    held.mirrorOf = of;
    of.mirroredBy = held;
    this.#showMirror(of);
  }

  #change(held: VirtualBook, changes: Extract<Recorded, { kind: 'changes' }>['changes']): void {
    // Changes are recorded only of books that were recorded whole before.
    if (!held.isKnown) return;
    const { mirroredBy } = held;
    for (const { side, price, size } of changes) {
      applyLevelChange(held.book, side, price, size);
      if (mirroredBy !== null)
        applyLevelChange(mirroredBy.book, side === 'buy' ? 'sell' : 'buy', complement(price), size);
    }
    this.#onChange(held);
    if (mirroredBy !== null) this.#onChange(mirroredBy);
  }

  #replace(held: VirtualBook, bids: readonly Level[], asks: readonly Level[]): void {
    replaceBook(held.book, bids, asks);
    held.isKnown = true;
    this.#onChange(held);
    if (held.mirroredBy !== null) this.#showMirror(held);
  }

  #showMirror(of: VirtualBook): void {
    if (of.mirroredBy === null || !of.isKnown) return;
    this.#replace(of.mirroredBy, of.book.asks.map(mirrored), of.book.bids.map(mirrored));
  }
}

function endMirroring(held: VirtualBook): void {
  if (held.mirrorOf !== null) held.mirrorOf.mirroredBy = null;
  held.mirrorOf = null;
  held.isShadow = false;
}

function mirrored({ price, size }: Level): Level {
  return { price: complement(price), size };
}
