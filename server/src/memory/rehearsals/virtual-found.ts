/** The opportunities that discovery finds anew in a rehearsal, under the ids that they really have where there are such. */
import type { JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { VirtualAgenda } from './virtual-agenda.ts';
import type { VirtualBooks } from './virtual-books.ts';
import { VirtualDiscovery } from './virtual-discovery.ts';
import { followOpportunity, type VirtualOpportunity } from './virtual-opportunity.ts';

/** `key`: unique, also where another opportunity was found of the same relation. */
export type FoundOpportunity = { key: string; opportunity: VirtualOpportunity };

export class FoundAnew {
  readonly discovery: VirtualDiscovery;
  readonly #onFound: (found: FoundOpportunity) => void;
  readonly #real = new Map<string, { id: string; rises: number }>();
  readonly #byKey = new Map<string, FoundOpportunity>();
  /** By relation and direction, what each run has open. */
  readonly #open: readonly [Map<string, FoundOpportunity>, Map<string, FoundOpportunity>] = [new Map(), new Map()];

  /** `onFound`: by one of the runs, which has not followed it until now. */
  constructor(books: VirtualBooks, agenda: VirtualAgenda, onFound: (found: FoundOpportunity) => void) {
    this.#onFound = onFound;
    this.discovery = new VirtualDiscovery(books, agenda, (place, key, journaled, relationId) => {
      this.#close(place, key);
      if (journaled !== null) this.#openOne(place, key, journaled, relationId);
    });
  }

  /** It was really found. */
  noteReal(id: string, journaled: JournaledOpportunity): void {
    this.#real.set(keyOf(journaled), { id, rises: journaled.rises });
  }

  #close(place: 0 | 1, key: string): void {
    const before = this.#open[place].get(key);
    if (before !== undefined) before.opportunity.isIn[place] = false;
    this.#open[place].delete(key);
  }

  #openOne(place: 0 | 1, key: string, journaled: JournaledOpportunity, relationId: string): void {
    const whole = keyOf(journaled);
    const { id, rises } = this.#real.get(whole) ?? { id: relationId, rises: 0 };
    const found = this.#byKey.get(whole) ?? {
      key: whole,
      opportunity: followOpportunity(id, { ...journaled, rises }, true),
    };
    this.#byKey.set(whole, found);
    this.#open[place].set(key, found);
    found.opportunity.isIn[place] = true;
    found.opportunity.states[place].aboveTrigger = false;
    this.#onFound(found);
  }
}

function keyOf({ relationId, positions }: JournaledOpportunity): string {
  return JSON.stringify([relationId, ...positions.map(({ marketId, outcome }) => [marketId, outcome])]);
}
