/** Names of what can be held: `$`, and YES, NO, above and below with an index or line, as `Y0`, `N0`, `A1`, `B1`. */
export type Holding = string;

/**
 * What all parties hold of one event, thought of as claims: a holding is the set of the ways in which the event may end that
 * it pays a dollar in. Written without a look at the exchange's own arithmetic, to be compared with it.
 */
export class Claims {
  readonly #held = new Map<string, bigint>();
  readonly #ends: number;

  /** @param ends in how many ways the event may end */
  constructor(ends: number) {
    this.#ends = ends;
  }

  of(party: string, holding: Holding): bigint {
    return this.#held.get(`${party} ${holding}`) ?? 0n;
  }

  give(party: string, holding: Holding, amount: bigint): void {
    this.#held.set(`${party} ${holding}`, this.of(party, holding) + amount);
  }

  /** The ways to end that a holding pays in, one bit each. */
  pays(holding: Holding): bigint {
    const index = BigInt(holding.slice(1) || 0);
    const whole = (1n << BigInt(this.#ends)) - 1n;
    // The last way to end is that of nothing named: it lies on no side of a line but is paid by the lower one.
    const above = (whole >> 1n) & ~((1n << index) - 1n);
    const sets: Readonly<Record<string, bigint>> = {
      $: whole,
      Y: 1n << index,
      N: whole ^ (1n << index),
      A: above,
      B: whole ^ above,
    };
    return sets[holding.charAt(0)] ?? 0n;
  }

  /** The YES that together pay as a set of ways to end does. */
  parts(ways: bigint): Holding[] {
    return Array.from({ length: this.#ends }, (_, way) => way).flatMap((way) =>
      (ways >> BigInt(way)) & 1n ? [`Y${way}`] : [],
    );
  }

  /** Gives things away for others; false when the party has not enough of one. */
  swap(party: string, amount: bigint, given: readonly Holding[], taken: readonly Holding[]): boolean {
    if (given.some((holding) => this.of(party, holding) < amount)) return false;
    for (const holding of given) this.give(party, holding, -amount);
    for (const holding of taken) this.give(party, holding, amount);
    return true;
  }

  /** What the holdings of all parties pay together if the event ends in this way. */
  worth(way: number): bigint {
    let sum = 0n;
    for (const [key, amount] of this.#held) if ((this.pays(key.split(' ')[1] ?? '') >> BigInt(way)) & 1n) sum += amount;
    return sum;
  }

  /** The worth in every way to end. */
  worths(): bigint[] {
    return Array.from({ length: this.#ends }, (_, way) => this.worth(way));
  }
}
