/**
 * The numbers of one subscription. Everything that the venue sends under it counts, whatever market it is about: changes, snapshots,
 * and its answers to commands. A number that is left out means that any of its books may be wrong.
 */
export class Sequence {
  #last: number | null = null;

  /** Whether nothing was lost before this frame. */
  take(seq: number): boolean {
    const follows = this.#last === null || seq === this.#last + 1;
    this.#last = seq;
    return follows;
  }
}
