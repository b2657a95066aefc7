/** Which share of the opportunities each is in, and which engine has which shares. Nothing here knows of a database. */

/** Enough that some dozen engines get about the same, and few enough to look at all of them every second. */
export const SHARES = 64;

export const ALL_SHARES: readonly number[] = Array.from({ length: SHARES }, (_, share) => share);

/** By the last digits of the id, which are random: the same in every process, without asking anybody. */
export function shareOf(opportunityId: string): number {
  return Number.parseInt(opportunityId.slice(-2), 16) % SHARES;
}

/** The last two digits of all ids in these shares. */
export function endingsOf(shares: readonly number[]): string[] {
  return Array.from({ length: 256 / SHARES }, (_, nth) =>
    shares.map((share) => (share + nth * SHARES).toString(16).padStart(2, '0')),
  ).flat();
}

/** Which shares an engine is to let go of, and which are free for it. */
export type Moves = { give: number[]; take: number[] };

/**
 * What `me`, one of the `alive`, has to do so that all have the same number of shares, or one more. All who look at the
 * same owners come to moves that fit together, and to none at all once the shares are even. A share whose owner is not
 * alive is free.
 */
export function movesOf(me: string, alive: readonly string[], owners: ReadonlyMap<number, string | null>): Moves {
  const held = new Map<string, number[]>(alive.map((engine) => [engine, []]));
  const free: number[] = [];
  for (const share of ALL_SHARES) (held.get(owners.get(share) ?? '') ?? free).push(share);
  const heldBy = (engine: string) => held.get(engine) ?? [];
  const byMost = alive.toSorted((one, other) => heldBy(other).length - heldBy(one).length || (one < other ? -1 : 1));
  const least = Math.floor(SHARES / alive.length);
  for (const [place, engine] of byMost.entries()) {
    const due = least + (place < SHARES % alive.length ? 1 : 0);
    const given = heldBy(engine).slice(due);
    const taken = free.splice(0, Math.max(0, due - heldBy(engine).length));
    if (engine === me) return { give: given, take: taken };
  }
  return { give: [], take: [] };
}
