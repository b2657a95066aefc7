import type { Market } from '../matching-engine/market.ts';

/** Keeps the books of markets followed while they are asked for. */
export interface MarketFollows {
  follow(market: Market): void;
  unfollow(market: Market): void;
}

/** Counts who asks for each key: the first begins it, the last ends it. */
export class Follows<Key> {
  readonly #counts = new Map<Key, number>();
  readonly #begin: (key: Key) => void;
  readonly #end: (key: Key) => void;

  constructor(begin: (key: Key) => void, end: (key: Key) => void) {
    this.#begin = begin;
    this.#end = end;
  }

  has(key: Key): boolean {
    return this.#counts.has(key);
  }

  follow(key: Key): void {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count === 0) this.#begin(key);
  }

  unfollow(key: Key): void {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else if (this.#counts.delete(key)) this.#end(key);
  }
}

/** Ids of markets and tokens that clients follow. One that is not listed yet is followed once it is. */
export class FollowedIds {
  readonly #follows: Follows<string>;
  readonly #feed: MarketFollows;
  readonly #marketOf: (id: string) => Market | undefined;
  readonly #found = new Map<string, Market>();
  readonly #missing = new Set<string>();

  constructor(feed: MarketFollows, marketOf: (id: string) => Market | undefined) {
    this.#feed = feed;
    this.#marketOf = marketOf;
    this.#follows = new Follows(
      (id) => this.#begin(id),
      (id) => this.#end(id),
    );
  }

  follow(id: string): void {
    this.#follows.follow(id);
  }

  unfollow(id: string): void {
    this.#follows.unfollow(id);
  }

  /** These ids are listed now. */
  listed(ids: Iterable<string>): void {
    if (this.#missing.size === 0) return;
    for (const id of ids) if (this.#missing.has(id)) this.#begin(id);
  }

  #begin(id: string): void {
    const market = this.#marketOf(id);
    if (market === undefined) {
      this.#missing.add(id);
      return;
    }
    this.#missing.delete(id);
    this.#found.set(id, market);
    this.#feed.follow(market);
  }

  #end(id: string): void {
    const market = this.#found.get(id);
    this.#missing.delete(id);
    this.#found.delete(id);
    if (market !== undefined) this.#feed.unfollow(market);
  }
}
