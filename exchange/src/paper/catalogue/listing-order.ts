export interface Listable {
  /** Its place in the list. */
  readonly seq: number;
  readonly id: string;
}

export type ListingOrder = 'place' | 'id' | 'id descending';

/** Listed items by place and by id, so that a page costs only its own items. Items are never removed. */
export class ListingOrders<T extends Listable> {
  readonly #byPlace: T[] = [];
  readonly #byId: T[] = [];

  /** Takes an item whose place is behind all others. */
  add(item: T): void {
    this.#byPlace.push(item);
    this.#byId.splice(
      firstWhere(this.#byId, (other) => compareIds(other, item) > 0),
      0,
      item,
    );
  }

  /** The items after that place, in an order; all of them from place 0. */
  *after(place: number, order: ListingOrder): Generator<T> {
    const next = firstWhere(this.#byPlace, ({ seq }) => seq > place);
    if (order === 'place') return yield* from(this.#byPlace, next, 1);
    const last = this.#byPlace[next - 1];
    const step = order === 'id' ? 1 : -1;
    if (last === undefined) return yield* from(this.#byId, step === 1 ? 0 : this.#byId.length - 1, step);
    const at = firstWhere(this.#byId, (other) => compareIds(other, last) >= 0);
    yield* from(this.#byId, at + step, step);
  }
}

function* from<T>(items: readonly T[], start: number, step: 1 | -1): Generator<T> {
  for (let index = start; ; index += step) {
    const item = items[index];
    if (item === undefined) return;
    yield item;
  }
}

/** Ids are numbers; what is none comes last, and of equal ones the earlier place first. */
function compareIds(one: Listable, other: Listable): number {
  const [a, b] = [one, other].map(({ id }) => Number(id)).map((id) => (Number.isNaN(id) ? Number.MAX_VALUE : id));
  return (a ?? 0) - (b ?? 0) || one.seq - other.seq;
}

/** The first index at which `isBehind` holds, which it does from there on. */
function firstWhere<T>(items: readonly T[], isBehind: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isBehind(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}
