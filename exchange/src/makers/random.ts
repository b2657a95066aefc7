/** Seeded random: the same seed rolls the same numbers for ever. */
export interface Random {
  /** At least 0, below 1. */
  unit(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

/** A small generator (mulberry32): 32 bits of state are plenty for moving quotes. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    unit,
    between: (low, high) => low + Math.floor(unit() * (high - low + 1)),
    pick: (items) => items[Math.floor(unit() * items.length)],
  };
}
