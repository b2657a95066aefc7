import type { BookSnapshot, VenuePrices, VenueRuntime } from '../../venue.ts';
import { showsSameTop, type TokenFeed } from './token-feed.ts';

/** Numbers the comparisons of all sockets, so that "the longest ago" needs no clock. */
let answers = 0;

/** The feeds whose books changed last, by the venue's time. */
export function lastChanged(feeds: readonly TokenFeed[], count: number): TokenFeed[] {
  const changed = (feed: TokenFeed) => feed.streamed.venueTimestamp;
  return feeds.toSorted((a, b) => changed(b) - changed(a)).slice(0, count);
}

/**
 * The feeds whose last comparison lies back the furthest, at most `count`: those of which REST has said nothing as well, or a
 * few that it has no book of would keep the others from ever being compared.
 */
export function longestUncompared(feeds: readonly TokenFeed[], count: number): TokenFeed[] {
  return feeds.toSorted((a, b) => a.comparedRound - b.comparedRound).slice(0, count);
}

/** `caughtUp`: which of these feeds have sockets of which all is read that the venue had sent when it was called. */
type ComparisonParts = {
  prices: VenuePrices;
  runtime: VenueRuntime;
  settleMs: number;
  caughtUp: (feeds: readonly TokenFeed[]) => Promise<readonly TokenFeed[]>;
};

/**
 * Compares books with REST, notes where they agree, and returns those that really differ. A feed that answers pings but
 * brings no data looks healthy from inside; only this shows it.
 *
 * A book that moved while REST answered, or of whose socket not all that came before the answer is read, proves nothing and is left for
 * the next time: a process that is behind would give up one sound connection after the other. One that differs is asked for a
 * second time after `settleMs`, because the change may be under way on the socket, and because the venue now and then
 * serves old books over REST. A REST call that fails proves nothing either: a book that nothing proves for long is given
 * up by its socket.
 */
export async function findDiffering(feeds: readonly TokenFeed[], parts: ComparisonParts): Promise<TokenFeed[]> {
  const { runtime, settleMs } = parts;
  try {
    const suspects = await differing(feeds, parts);
    if (suspects.length === 0) return [];
    const touched = new Map(suspects.map((feed) => [feed, feed.touched]));
    await new Promise((resolve) => setTimeout(resolve, settleMs).unref());
    return await differing(
      suspects.filter((feed) => feed.touched === touched.get(feed)),
      parts,
    );
  } catch (error) {
    runtime.log.warn({ reason: String(error) }, 'book comparison with REST failed');
    return [];
  }
}

async function differing(
  feeds: readonly TokenFeed[],
  { prices, runtime, caughtUp }: ComparisonParts,
): Promise<TokenFeed[]> {
  if (feeds.length === 0) return [];
  const touched = feeds.map((feed) => feed.touched);
  const askedAtMs = performance.now();
  answers += 1;
  for (const feed of feeds) feed.comparedRound = answers;
  const snapshots = await prices.fetchBooks(
    feeds.map(({ tokenId }) => tokenId),
    'following',
  );
  const apart = feeds.filter((feed, index) => {
    const snapshot: BookSnapshot | undefined = snapshots.get(feed.tokenId);
    if (!snapshot || feed.touched !== touched[index]) return false;
    if (!showsSameTop(feed, snapshot)) return true;
    feed.checkedRound = feed.comparedRound;
    feed.provenAtMs = Math.max(feed.provenAtMs, askedAtMs);
    feed.streamed.receivedAt = runtime.now();
    feed.hasAgreed = feed.streamed.trust !== 'stale';
    return false;
  });
  if (apart.length === 0) return [];
  const shown = new Map(apart.map((feed) => [feed, feed.touched]));
  return (await caughtUp(apart)).filter((feed) => feed.touched === shown.get(feed));
}

/** Forgets that REST agreed with a book once that lies too far back. Counted in timers, whatever the clock does. */
export class Agreements {
  readonly #lastMs: number;
  readonly #onOutdated: (feeds: readonly TokenFeed[]) => void;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** `lastMs`: for how long an agreement says something about a book. */
  constructor(lastMs: number, onOutdated: (feeds: readonly TokenFeed[]) => void) {
    this.#lastMs = lastMs;
    this.#onOutdated = onOutdated;
  }

  /** These feeds have just been compared. */
  note(compared: readonly TokenFeed[]): void {
    const answers = new Map(compared.filter(({ hasAgreed }) => hasAgreed).map((feed) => [feed, feed.checkedRound]));
    if (answers.size === 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const outdated = [...answers].filter(([feed, takeSlot]) => feed.checkedRound === takeSlot).map(([feed]) => feed);
      for (const feed of outdated) feed.hasAgreed = false;
      this.#onOutdated(outdated);
    }, this.#lastMs);
    this.#timers.add(timer);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** Whether what asks for a slot goes before all that wait and may wait. */
export type Turn = 'first' | 'last';

/** Far more than a comparison takes at a venue that is well. */
const SLOT_MS = 1000;

type Waiting = { isWanted: () => boolean; begin: (isGranted: boolean) => void };

/**
 * Lets the sockets of a process compare their books with REST one after the other, of each turn those that have waited longest first.
 * A slot lasts a second, and longer where the comparison does: there are never more than `atOnce` under way, nor begin more
 * of them in any second. Counted in timers, whatever the clock does.
 */
export class ComparisonSlots {
  readonly #waitingFirst: Waiting[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Compares when there is a slot: at once while there is a free one. Not at all where it is then not wanted any more. @returns whether
   * it has compared
   */
  async take(isWanted: () => boolean, compare: () => Promise<void>, turn: Turn = 'last'): Promise<boolean> {
    if (!(await this.#granted(isWanted, turn))) return false;
    const over = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, SLOT_MS);
      this.#timers.add(timer);
    });
    const compared = compare();
    void Promise.allSettled([compared, over]).then(() => this.#handOn());
    await compared;
    return true;
  }

  /** Stops all comparisons. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { begin } of [...this.#waitingFirst.splice(0), ...this.#waiting.splice(0)]) begin(false);
  }

  #granted(isWanted: () => boolean, turn: Turn): Promise<boolean> | boolean {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const waiting = turn === 'first' ? this.#waitingFirst : this.#waiting;
    return new Promise((begin) => waiting.push({ isWanted, begin }));
  }

  #handOn(): void {
    const shift = () => this.#waitingFirst.shift() ?? this.#waiting.shift();
    for (let next = shift(); next !== undefined; next = shift()) {
      const isWanted = next.isWanted();
      next.begin(isWanted);
      if (isWanted) return;
    }
    this.#free += 1;
  }
}
