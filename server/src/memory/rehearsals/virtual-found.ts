/** The opportunities that discovery finds anew in a rehearsal, under the ids that they really have where there are such. */
import type { JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { SharedState } from './shared-state.ts';
import type { VirtualBooks } from './virtual-books.ts';
import { VirtualDiscovery } from './virtual-discovery.ts';
import { followOpportunity, type VirtualOpportunity } from './virtual-opportunity.ts';

/** `onFound`: by the run of that place, which has not followed it until now. `onGone`: that run follows it no longer. */
type FoundEvents = {
  onFound: (place: 0 | 1, opportunity: VirtualOpportunity) => void;
  onGone: (place: 0 | 1, opportunity: VirtualOpportunity) => void;
};

export class FoundAnew {
  readonly discovery: VirtualDiscovery;
  readonly #events: FoundEvents;
  readonly #real = new Map<string, { id: string; rises: number }>();
  readonly #byKey = new Map<string, VirtualOpportunity>();
  /** Open opportunities of each run, by relation and direction. */
  readonly #open: readonly [Map<string, VirtualOpportunity>, Map<string, VirtualOpportunity>] = [new Map(), new Map()];

  constructor(books: VirtualBooks, shared: Pick<SharedState, 'now' | 'agenda'>, events: FoundEvents) {
    this.#events = events;
    this.discovery = new VirtualDiscovery(books, shared, (place, key, journaled, relationId) => {
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
    this.#open[place].delete(key);
    if (before === undefined) return;
    this.#events.onGone(place, before);
    before.isIn[place] = false;
  }

  #openOne(place: 0 | 1, key: string, journaled: JournaledOpportunity, relationId: string): void {
    const whole = keyOf(journaled);
    const { id, rises } = this.#real.get(whole) ?? { id: relationId, rises: 0 };
    const found = this.#byKey.get(whole) ?? followOpportunity(whole, id, { ...journaled, rises }, true);
    this.#byKey.set(whole, found);
    this.#open[place].set(key, found);
    found.isIn[place] = true;
    found.items[place].aboveTrigger = false;
    this.#events.onFound(place, found);
  }
}

function keyOf({ relationId, positions }: JournaledOpportunity): string {
  return JSON.stringify([relationId, ...positions.map(({ marketId, outcome }) => [marketId, outcome])]);
}
