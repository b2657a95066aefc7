import type { Level, Side } from './level.ts';

/** A level as it is from now on; a size of zero: nothing rests there any more. */
export type LevelChange = Level & { side: Side };

/** Of a book that has changed in more places it is cheaper to look at all of it. */
const KEPT_MAX = 100;
/** Nearly always there is one then, for which a list need not grow. */
const NONE: LevelChange[] = [];

/** What has changed in a book since it was last asked, for one who follows it without looking through all of it each time. */
export class BookChanges {
  /** Null: they are not known, since nobody has asked before or there were too many. */
  #kept: LevelChange[] | null = null;

  get isKept(): boolean {
    return this.#kept !== null;
  }

  note(side: Side, price: Level['price'], size: Level['size']): void {
    const kept = this.#kept;
    if (kept === null) return;
    for (const known of kept) {
      if (known.price !== price || known.side !== side) continue;
      known.size = size;
      return;
    }
    if (kept === NONE) this.#kept = [{ side, price, size }];
    else if (kept.length < KEPT_MAX) kept.push({ side, price, size });
    else this.#kept = null;
  }

  /** One of each level; null where anything may have changed. */
  take(): readonly LevelChange[] | null {
    const taken = this.#kept;
    this.#kept = NONE;
    return taken;
  }
}
