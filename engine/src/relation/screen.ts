/**
 * Which relations pay, found out at almost no cost: each keeps a state price, one value for every member that the relation
 * allows and that lies within the member's bounds. While there is such a point nothing pays, at any size; a quote matters
 * only where it has moved past its value. Then a new point is looked for, and where there is none a basket pays.
 *
 * Every kind is one chain from the hardest member to the easiest. `sum` is what has come true so far: an outcome or bucket
 * adds its own value, a threshold is the sum at its place, and of exhaustive members the sum at the end is one dollar.
 */
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import type { Relation } from './relation.ts';
import { isExhaustive } from './worlds.ts';

type Structure = Pick<Relation, 'kind' | 'members' | 'isComplete'>;

export type Judgement = {
  /** It pays: called when it begins to, and after each group of frames that has touched it while it does. */
  onPaying: (relationId: string) => void;
  /** It has paid before and does not any more. */
  onGone: (relationId: string) => void;
};

type Shape = 'pair' | 'exhaustive' | 'open' | 'ladder';
type Row = {
  id: string;
  /** By their numbers. */
  markets: readonly number[];
  /** The slot of its first member; the others follow. */
  start: number;
  shape: Shape;
  isPaying: boolean;
  isMarked: boolean;
};

const SLOTS_AT_FIRST = 1024;
/** A slot is half a line of the processor's cache: three values, then two whole numbers in the room of a fourth. */
const SLOT_BYTES = 32;
const VALUES = SLOT_BYTES / Float64Array.BYTES_PER_ELEMENT;
const [LOW, HIGH, STATE] = [0, 1, 2] as const;
const NUMBERS = SLOT_BYTES / Int32Array.BYTES_PER_ELEMENT;
const [ROW, NEXT] = [6, 7] as const;
const NO_SLOT = -1;

/** One slot for each member of each relation. Bounds are whole micro-dollars, so that what it says is exact. */
export class Screen {
  readonly #placeOf = new Map<string, number>();
  /** Undefined where a relation was and none is. */
  #rows: (Row | undefined)[] = [];
  readonly #numberOf = new Map<string, number>();
  /** By the number of a market: its id, and the first of its slots; each slot names the next one. */
  readonly #marketIds: string[] = [];
  readonly #firstSlots: number[] = [];
  readonly #freeNumbers: number[] = [];
  #values = new Float64Array(SLOTS_AT_FIRST * VALUES);
  #numbers = new Int32Array(this.#values.buffer);
  #isThreshold = new Uint8Array(SLOTS_AT_FIRST);
  #used = 0;
  #unused = 0;
  /** The first `#waiting` are to be judged; the places behind them are kept for the next ones. */
  readonly #marked: Row[] = [];
  #waiting = 0;
  /** Bounds of the sum before each member of the row that is judged. */
  #sumLow = new Float64Array(64);
  #sumHigh = new Float64Array(64);

  /** Its members are unquoted until they are set. */
  add(id: string, relation: Structure): void {
    this.remove(id);
    const { members } = relation;
    this.#grow(members.length);
    const markets = members.map(({ marketId }) => this.#numbered(marketId));
    const row = { id, markets, start: this.#used, shape: shapeOf(relation), isPaying: false, isMarked: false };
    this.#used += members.length;
    for (const [index, { role }] of members.entries()) {
      const slot = row.start + index;
      this.#isThreshold[slot] = role === 'threshold' ? 1 : 0;
      this.#values[slot * VALUES + LOW] = 0;
      this.#values[slot * VALUES + HIGH] = PRICE_ONE;
    }
    this.#enter(row);
    this.#leaveWithoutState(row);
    this.#mark(row);
  }

  remove(id: string): void {
    const place = this.#placeOf.get(id);
    const row = place === undefined ? undefined : this.#rows[place];
    if (place === undefined || row === undefined) return;
    this.#placeOf.delete(id);
    this.#rows[place] = undefined;
    row.isMarked = false;
    for (const [index, market] of row.markets.entries()) this.#unlink(market, row.start + index);
    this.#unused += row.markets.length;
    if (this.#unused > this.#used / 2 && this.#used > SLOTS_AT_FIRST) this.#compact();
  }

  /** What `set` knows a market by, for as long as any relation has it; null where none has. */
  marketNumber(marketId: string): number | null {
    return this.#numberOf.get(marketId) ?? null;
  }

  /** What a market's first outcome costs and brings now, as `Bounds` has it; a relation is judged by all that was set before. */
  set(market: number, low: number, high: number): void {
    let slot = this.#firstSlots[market] ?? NO_SLOT;
    const values = this.#values;
    while (slot !== NO_SLOT) {
      const at = slot * VALUES;
      values[at + LOW] = low;
      values[at + HIGH] = high;
      const state = values[at + STATE] as number;
      // Without a state price it is not a number, which nothing is below or above.
      if (!(low <= state && state <= high)) this.#mark(this.#rows[this.#numbers[slot * NUMBERS + ROW] as number]);
      slot = this.#numbers[slot * NUMBERS + NEXT] as number;
    }
  }

  /** How many relations `judge` would look at now; every other one is as it was. */
  get waiting(): number {
    return this.#waiting;
  }

  /** After a whole group of frames. What the callbacks set, add or remove counts as well. */
  judge({ onPaying, onGone }: Judgement): void {
    for (let index = 0; index < this.#waiting; index++) {
      const row = this.#marked[index];
      if (row === undefined || !row.isMarked) continue;
      row.isMarked = false;
      const wasPaying = row.isPaying;
      row.isPaying = !this.#repair(row);
      if (row.isPaying) this.#leaveWithoutState(row);
      if (row.isPaying) onPaying(row.id);
      else if (wasPaying) onGone(row.id);
    }
    this.#waiting = 0;
  }

  #mark(row: Row | undefined): void {
    if (row === undefined || row.isMarked) return;
    row.isMarked = true;
    this.#marked[this.#waiting] = row;
    this.#waiting += 1;
  }

  /** Any quote of it is news then. */
  #leaveWithoutState({ start, markets }: Row): void {
    for (let slot = start; slot < start + markets.length; slot++) this.#values[slot * VALUES + STATE] = Number.NaN;
  }

  /** Gives it a place, and each of its slots a link. */
  #enter(row: Row): void {
    const place = this.#rows.length;
    this.#rows.push(row);
    this.#placeOf.set(row.id, place);
    for (const [index, market] of row.markets.entries()) {
      const slot = row.start + index;
      this.#numbers[slot * NUMBERS + ROW] = place;
      this.#numbers[slot * NUMBERS + NEXT] = this.#firstSlots[market] ?? NO_SLOT;
      this.#firstSlots[market] = slot;
    }
  }

  #numbered(marketId: string): number {
    const known = this.#numberOf.get(marketId);
    if (known !== undefined) return known;
    const market = this.#freeNumbers.pop() ?? this.#marketIds.length;
    this.#numberOf.set(marketId, market);
    this.#marketIds[market] = marketId;
    this.#firstSlots[market] = NO_SLOT;
    return market;
  }

  #unlink(market: number, slot: number): void {
    const next = this.#numbers[slot * NUMBERS + NEXT] as number;
    let before = this.#firstSlots[market] ?? NO_SLOT;
    if (before === slot) {
      this.#firstSlots[market] = next;
      if (next === NO_SLOT) this.#free(market);
      return;
    }
    while (this.#numbers[before * NUMBERS + NEXT] !== slot) before = this.#numbers[before * NUMBERS + NEXT] as number;
    this.#numbers[before * NUMBERS + NEXT] = next;
  }

  #free(market: number): void {
    this.#numberOf.delete(this.#marketIds[market] ?? '');
    this.#marketIds[market] = '';
    this.#freeNumbers.push(market);
  }

  /** Looks for a new state price. @returns whether there is one */
  #repair(row: Row): boolean {
    if (row.shape === 'pair') return this.#repairPair(row);
    if (!this.#boundSums(row)) return false;
    if (row.shape === 'ladder') this.#placeOnLadder(row);
    else if (row.shape === 'exhaustive') this.#placeByShare(row);
    else this.#placeBelowOne(row);
    return true;
  }

  #repairPair({ start }: Row): boolean {
    const low = this.#lowAt(start);
    const high = this.#highAt(start);
    this.#place(start, (low + high) / 2);
    return low <= high;
  }

  /** How small and how large the sum can be before and after each member. @returns whether every threshold, and the end, allow that */
  #boundSums({ start, markets, shape }: Row): boolean {
    let low = 0;
    let high = 0;
    for (let index = 0; index < markets.length; index++) {
      this.#sumLow[index] = low;
      this.#sumHigh[index] = high;
      const slot = start + index;
      const memberLow = this.#lowAt(slot);
      const memberHigh = this.#highAt(slot);
      // What is not listed may have come true anywhere.
      if (shape !== 'exhaustive') high = PRICE_ONE;
      if (this.#isThreshold[slot] === 1) {
        if (low > memberHigh || memberLow > high) return false;
        low = Math.max(low, memberLow);
        high = Math.min(high, memberHigh);
      } else {
        low += Math.max(0, memberLow);
        high += memberHigh;
      }
    }
    this.#sumLow[markets.length] = low;
    this.#sumHigh[markets.length] = high;
    return low <= PRICE_ONE && (shape !== 'exhaustive' || high >= PRICE_ONE);
  }

  /** Halfway between what the harder ones bring and what the easier ones cost: both rise from rung to rung. */
  #placeOnLadder({ start, markets }: Row): void {
    let cap = PRICE_ONE as number;
    for (let index = markets.length - 1; index >= 0; index--) {
      cap = Math.min(cap, this.#highAt(start + index));
      this.#place(start + index, ((this.#sumLow[index + 1] as number) + cap) / 2);
    }
  }

  /** Each member as far from its low to its high as the sum is at its place. */
  #placeByShare({ start, markets }: Row): void {
    let sum = PRICE_ONE as number;
    for (let index = markets.length - 1; index >= 0; index--) {
      const slot = start + index;
      if (this.#isThreshold[slot] === 1) {
        this.#place(slot, sum);
        continue;
      }
      const low = Math.max(0, this.#lowAt(slot));
      const high = this.#highAt(slot);
      const sumLow = this.#sumLow[index] as number;
      const sumHigh = this.#sumHigh[index] as number;
      const room = high + sumHigh - low - sumLow;
      const share = room > 0 ? (sum - low - sumLow) / room : 0;
      const value = Math.min(Math.max(low + share * (high - low), sum - sumHigh, low), sum - sumLow, high);
      this.#place(slot, value);
      sum -= value;
    }
  }

  /** Each member takes half of the room that is left, so that the others can move as well. */
  #placeBelowOne({ start, markets }: Row): void {
    let cap = PRICE_ONE as number;
    for (let index = markets.length - 1; index >= 0; index--) {
      const slot = start + index;
      const sumLow = this.#sumLow[index + 1] as number;
      if (this.#isThreshold[slot] === 1) {
        cap = (sumLow + Math.min(cap, this.#highAt(slot))) / 2;
        this.#place(slot, cap);
        continue;
      }
      const low = Math.max(0, this.#lowAt(slot));
      const high = this.#highAt(slot);
      const value = low + Math.min(Math.max(0, high - low), (cap - sumLow) / 2);
      this.#place(slot, value);
      cap -= value;
    }
  }

  #lowAt(slot: number): number {
    return this.#values[slot * VALUES + LOW] as number;
  }

  #highAt(slot: number): number {
    return this.#values[slot * VALUES + HIGH] as number;
  }

  #place(slot: number, value: number): void {
    this.#values[slot * VALUES + STATE] = value;
  }

  #grow(count: number): void {
    if (count + 1 > this.#sumLow.length) {
      this.#sumLow = new Float64Array(count + 1);
      this.#sumHigh = new Float64Array(count + 1);
    }
    let size = this.#isThreshold.length;
    while (this.#used + count > size) size *= 2;
    if (size === this.#isThreshold.length) return;
    const [values, isThreshold] = [this.#values, this.#isThreshold];
    this.#values = new Float64Array(size * VALUES);
    this.#values.set(values);
    this.#numbers = new Int32Array(this.#values.buffer);
    this.#numbers.set(new Int32Array(values.buffer));
    this.#isThreshold = new Uint8Array(size);
    this.#isThreshold.set(isThreshold);
  }

  /** Moves all rows together, in place: each moves towards the beginning. */
  #compact(): void {
    const rows = this.#rows.filter((row) => row !== undefined);
    this.#rows = [];
    this.#firstSlots.fill(NO_SLOT);
    this.#used = 0;
    this.#unused = 0;
    for (const row of rows) {
      const end = row.start + row.markets.length;
      this.#values.copyWithin(this.#used * VALUES, row.start * VALUES, end * VALUES);
      this.#isThreshold.copyWithin(this.#used, row.start, end);
      row.start = this.#used;
      this.#used += row.markets.length;
      this.#enter(row);
    }
  }
}

function shapeOf(relation: Structure): Shape {
  const { kind } = relation;
  if (kind === 'pair' || kind === 'ladder') return kind;
  return isExhaustive(relation) ? 'exhaustive' : 'open';
}
