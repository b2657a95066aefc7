/** The books of a recording as they were, record by record. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { complement } from '@dutchbook/units/price.ts';
import type { LevelChange, Recorded, RecordedLevel, RecordedTrust } from './record.ts';

/** Best level first on both sides; changed in place. */
export type FollowedBook = { bids: RecordedLevel[]; asks: RecordedLevel[] };

type Followed = FollowedBook & { trust: RecordedTrust; mirrorOf: string | null };

export class RecordedBooks {
  readonly #tokens = new Map<string, Followed>();
  readonly #mirrors = new Map<string, string>();

  /** @returns the tokens whose books have changed: with a token also the one that mirrors it */
  apply(record: Recorded): string[] {
    switch (record.kind) {
      case 'gap':
        this.#tokens.clear();
        this.#mirrors.clear();
        return [];
      case 'trust': {
        this.#held(record.tokenId).trust = record.trust;
        return [record.tokenId];
      }
      case 'mirror':
        this.#endMirroring(record.tokenId);
        this.#held(record.tokenId).mirrorOf = record.of;
        this.#mirrors.set(record.of, record.tokenId);
        return [record.tokenId];
      case 'book': {
        this.#endMirroring(record.tokenId);
        const held = this.#held(record.tokenId);
        held.bids = record.bids.map(copyOf);
        held.asks = record.asks.map(copyOf);
        return this.#withMirror(record.tokenId);
      }
      case 'changes': {
        const held = this.#tokens.get(record.tokenId);
        // Changes are recorded only of books that were recorded whole before: without one, nothing is known of it.
        if (held === undefined) return [];
        for (const change of record.changes) setLevel(held, change);
        return this.#withMirror(record.tokenId);
      }
    }
  }

  /** As it stands now; to keep it, copy it. Undefined where nothing is known of it. */
  book(tokenId: TokenId): FollowedBook | undefined {
    const held = this.#tokens.get(tokenId);
    if (held === undefined) return undefined;
    if (held.mirrorOf === null) return { bids: held.bids, asks: held.asks };
    const other = this.#tokens.get(held.mirrorOf);
    return other && { bids: other.asks.map(mirrored), asks: other.bids.map(mirrored) };
  }

  /** `none` where nothing is known of it. */
  trust(tokenId: TokenId): RecordedTrust {
    return this.#tokens.get(tokenId)?.trust ?? 'none';
  }

  #held(tokenId: TokenId): Followed {
    let held = this.#tokens.get(tokenId);
    if (held === undefined) {
      held = { bids: [], asks: [], trust: 'none', mirrorOf: null };
      this.#tokens.set(tokenId, held);
    }
    return held;
  }

  #endMirroring(tokenId: TokenId): void {
    const held = this.#tokens.get(tokenId);
    if (held === undefined || held.mirrorOf === null) return;
    this.#mirrors.delete(held.mirrorOf);
    held.mirrorOf = null;
  }

  #withMirror(tokenId: TokenId): string[] {
    const mirror = this.#mirrors.get(tokenId);
    return mirror === undefined ? [tokenId] : [tokenId, mirror];
  }
}

function copyOf({ price, size }: RecordedLevel): RecordedLevel {
  return { price, size };
}

function mirrored({ price, size }: RecordedLevel): RecordedLevel {
  return { price: complement(price), size };
}

/** Makes of the book before a change the one after it. */
export function setLevel({ bids, asks }: FollowedBook, { side, price, size }: LevelChange): void {
  const levels = side === 'buy' ? bids : asks;
  const at = levels.findIndex((level) => (side === 'buy' ? level.price <= price : level.price >= price));
  const place = at < 0 ? levels.length : at;
  const there = levels[place];
  if (there?.price !== price) {
    if (size > 0) levels.splice(place, 0, { price, size });
  } else if (size > 0) there.size = size;
  else levels.splice(place, 1);
}
