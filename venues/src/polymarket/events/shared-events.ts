/** Events that people ask for, such as those behind a simulation. Many who ask within `ageMaxMs` share one read of Gamma. */
import type { CatalogueEvent } from '@dutchbook/engine/relation/catalogue-event.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';

/** `event`: null where the venue does not know the event. `startedAt`: when its read began. */
type Shared = { startedAt: Instant; event: Promise<CatalogueEvent | null> };

type SharedEventsParts = {
  read: (ids: readonly string[]) => Promise<CatalogueEvent[]>;
  now: () => Instant;
  ageMaxMs: number;
};

export class SharedEvents {
  readonly #parts: SharedEventsParts;
  readonly #byId = new Map<string, Shared>();

  constructor(parts: SharedEventsParts) {
    this.#parts = parts;
  }

  /** In the order of `ids`, without those that the venue does not know. Throws what `read` throws, which is not kept. */
  async byIds(ids: readonly string[]): Promise<CatalogueEvent[]> {
    this.#dropOld();
    const wanted = [...new Set(ids)];
    const missing = wanted.filter((id) => !this.#byId.has(id));
    if (missing.length > 0) this.#read(missing);
    const found = await Promise.all(wanted.map((id) => this.#byId.get(id)?.event));
    return found.filter((event) => event !== null && event !== undefined);
  }

  forget(): void {
    this.#byId.clear();
  }

  #read(ids: readonly string[]): void {
    const startedAt = this.#parts.now();
    const reading = this.#parts.read(ids).then((events) => new Map(events.map((event) => [event.id, event])));
    for (const id of ids) {
      const shared = { startedAt, event: reading.then((events) => events.get(id) ?? null) };
      this.#byId.set(id, shared);
      shared.event.catch(() => {
        if (this.#byId.get(id) === shared) this.#byId.delete(id);
      });
    }
  }

  #dropOld(): void {
    const now = this.#parts.now();
    for (const [id, { startedAt }] of this.#byId) {
      if (elapsedMs(startedAt, now) >= this.#parts.ageMaxMs) this.#byId.delete(id);
    }
  }
}
