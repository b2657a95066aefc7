/** What the catalogue service answers wrongly, on request. Events are named by their ids. */
export class CatalogueTrouble {
  /** Events that the catalogue no longer knows. */
  readonly vanished = new Set<string>();
  /** These events come with so many of their markets and no more. */
  readonly cut = new Map<string, number>();
  /** These events name each of their markets twice. */
  readonly doubled = new Set<string>();
  /** How many of the next answers are garbage. */
  garbage = 0;

  /** Whether this answer is one of those; it counts. */
  takesGarbage(): boolean {
    if (this.garbage === 0) return false;
    this.garbage -= 1;
    return true;
  }

  /** The markets that an event comes with. */
  shown<Market>(eventId: string, markets: readonly Market[]): readonly Market[] {
    const some = markets.slice(0, this.cut.get(eventId));
    return this.doubled.has(eventId) ? [...some, ...some] : some;
  }
}
