import type { Roster } from './roster.ts';
import type { OpportunityRow, Tracked } from './tracked.ts';

/** Begun so often. */
const BEGUN_MS = 5000;
/** Time in which every opportunity is visited once, should a change have been missed. */
const ALL_MS = 300_000;
/** Positions looked at before other things have their time. */
const POSITIONS_AT_ONCE = 500;

/** Visits those that time alone may change, and those that pay, each time that it begins, and all others by and by. */
export class Round<Item extends Tracked<OpportunityRow>> {
  readonly #roster: Roster<Item>;
  readonly #restless: ReadonlySet<Item>;
  readonly #paying: ReadonlySet<Item>;
  #due: Item[] = [];
  #others: Iterator<Item>;

  constructor(roster: Roster<Item>, restless: ReadonlySet<Item>, paying: ReadonlySet<Item> = new Set()) {
    this.#roster = roster;
    this.#restless = restless;
    this.#paying = paying;
    this.#others = roster.all();
  }

  /** @returns whether it has begun: the last one may not be over */
  begin(): boolean {
    if (this.#due.length > 0) return false;
    const often = new Set([...this.#restless, ...this.#paying]);
    const others = this.#nextOthers().filter((item) => !often.has(item));
    this.#due = [...often, ...others];
    return true;
  }

  /** @returns whether some are left */
  go(visit: (item: Item) => void): boolean {
    let positions = 0;
    for (let item = this.#due.pop(); item !== undefined; item = this.#due.pop()) {
      // Some may have been removed since the round began.
      if (this.#roster.get(item.row.id) === item) visit(item);
      positions += item.positions.length;
      if (positions >= POSITIONS_AT_ONCE) break;
    }
    return this.#due.length > 0;
  }

  #nextOthers(): Item[] {
    const part: Item[] = [];
    for (let left = Math.ceil((this.#roster.size * BEGUN_MS) / ALL_MS); left > 0; left -= 1) {
      const { value: item, done } = this.#others.next();
      if (done) {
        this.#others = this.#roster.all();
        break;
      }
      part.push(item);
    }
    return part;
  }
}
