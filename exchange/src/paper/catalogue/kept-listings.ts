import { JournalFile } from '../../matching-engine/journal-file.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { KeptEvent, MirroredCatalogue } from './mirrored-catalogue.ts';

/** A line of the file. */
interface KeptLine {
  readonly event: unknown;
}

/**
 * Keeps the events that the account has orders or shares in, as the venue listed them: after a restart what is held is known before
 * the venue has been asked.
 */
export class KeptListings {
  readonly #file: JournalFile | undefined;
  readonly #catalogue: MirroredCatalogue;
  readonly #kept = new Set<string>();

  /** @throws JournalError for a file that cannot be read */
  constructor(path: string | undefined, catalogue: MirroredCatalogue) {
    this.#catalogue = catalogue;
    this.#file = path === undefined ? undefined : new JournalFile(path);
  }

  /** Lists what the file holds. */
  open(): void {
    for (const { event } of (this.#file?.open() ?? []) as KeptLine[]) {
      this.#catalogue.learnEvent(event);
      this.#kept.add(String((event as { id?: unknown }).id));
    }
  }

  isKept(eventId: string): boolean {
    return this.#kept.has(eventId);
  }

  /** Writes down each event that an order or a holding is of from now on. */
  listen({ announcer, balances }: MatchingEngine): void {
    announcer.listen({
      orderChanged: ({ conditionId }) => this.#keep(this.#catalogue.byCondition(conditionId)?.event),
      accountChanged: (account) => {
        for (const tokenId of balances.holdings(account).keys()) this.#keep(this.#catalogue.byToken(tokenId)?.event);
      },
    });
  }

  close(): void {
    this.#file?.close();
  }

  #keep(event: KeptEvent | undefined): void {
    if (event === undefined || this.#kept.has(event.id)) return;
    this.#kept.add(event.id);
    this.#file?.append({ event: JSON.parse(this.#catalogue.eventText(event, true)) as unknown });
  }
}
