/** The books of some legs at each moment of the past, out of what was recorded of them. */

import { setImmediate } from 'node:timers/promises';
import { MOMENT_LEVELS_MAX, type MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import { type FollowedBook, RecordedBooks } from '@dutchbook/recordings/follow-books.ts';
import type { RecordedLevel, RecordedTrust } from '@dutchbook/recordings/record.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { FoundRecord } from '../find-records.ts';

/** Nothing is known of any book from then until then. */
export type UnknownSpan = { from: Instant; until: Instant; reason: string };

const NOT_RECORDED = 'nothing was recorded';
/** Records read per tick of the event loop. */
const RECORDS_PER_SLICE = 1000;

export class PastBooks {
  readonly #books = new RecordedBooks();
  readonly #tokens: ReadonlySet<string>;
  /** When the book of a token was last known to be right, where it is not now. */
  readonly #staleSince = new Map<string, Instant>();
  readonly #unknown: UnknownSpan[] = [];
  #lost: { from: Instant; until: Instant; reason: string } | null;

  constructor(tokens: ReadonlySet<string>, from: Instant) {
    this.#tokens = tokens;
    this.#lost = { from, until: from, reason: NOT_RECORDED };
  }

  /** All of one moment. */
  apply(records: readonly FoundRecord[]): void {
    for (const record of records) {
      if (record.kind === 'gap') this.#lose(record);
      if (record.kind === 'trust') this.#noteTrust(record);
      this.#books.apply(record);
    }
    const at = records[0]?.at;
    if (at !== undefined && [...this.#tokens].some((tokenId) => this.book(tokenId) !== undefined)) this.#find(at);
  }

  /** Undefined where nothing is known of it. */
  book(tokenId: TokenId): FollowedBook | undefined {
    return this.trust(tokenId) === 'none' ? undefined : this.#books.book(tokenId);
  }

  trust(tokenId: TokenId): RecordedTrust {
    return this.#books.trust(tokenId);
  }

  /** In milliseconds since it was last known to be right; null where there is none. */
  ageMs(tokenId: TokenId, now: Instant): number | null {
    if (this.trust(tokenId) === 'none') return null;
    const since = this.#staleSince.get(tokenId);
    return since === undefined ? 0 : now - since;
  }

  /** Until a moment at which nothing more is read. */
  unknownUntil(until: Instant): UnknownSpan[] {
    const spans = this.#lost === null ? this.#unknown : [...this.#unknown, { ...this.#lost, until }];
    return spans.filter((span) => span.until > span.from);
  }

  #lose({ at, until, reason }: Extract<FoundRecord, { kind: 'gap' }>): void {
    this.#staleSince.clear();
    this.#lost ??= { from: at, until, reason };
    if (this.#lost.reason === NOT_RECORDED || until > this.#lost.until) this.#lost = { ...this.#lost, until, reason };
  }

  #find(at: Instant): void {
    if (this.#lost !== null) this.#unknown.push({ ...this.#lost, until: at });
    this.#lost = null;
  }

  #noteTrust({ tokenId, trust, at }: Extract<FoundRecord, { kind: 'trust' }>): void {
    if (trust !== 'stale') this.#staleSince.delete(tokenId);
    else if (!this.#staleSince.has(tokenId)) this.#staleSince.set(tokenId, at);
  }
}

/** Records that arrived at the same moment, together; the caller may stop between any two of them. */
export async function* byMoment(
  records: AsyncIterable<FoundRecord>,
  signal: AbortSignal,
): AsyncGenerator<{ at: Instant; records: FoundRecord[] }> {
  let group: FoundRecord[] = [];
  let read = 0;
  for await (const record of records) {
    const [first] = group;
    if (first !== undefined && first.at !== record.at) {
      yield { at: first.at, records: group };
      group = [];
    }
    group.push(record);
    read += 1;
    if (read % RECORDS_PER_SLICE === 0) await setImmediate();
    signal.throwIfAborted();
  }
  const [first] = group;
  if (first !== undefined) yield { at: first.at, records: group };
}

/** What each leg was last shown as: `tokenIds` by their places, null where a leg has none. */
export class PublishedLegs {
  readonly #tokenIds: readonly (string | null)[];
  readonly #reported: (string | undefined)[] = [];

  constructor(tokenIds: readonly (string | null)[]) {
    this.#tokenIds = tokenIds;
  }

  /** Legs whose book has changed since the last call. */
  changed(books: PastBooks): MomentLeg[] {
    return this.#tokenIds.flatMap((tokenId, index) => {
      const book = tokenId === null ? undefined : books.book(tokenId);
      const leg: MomentLeg = {
        index,
        trust: tokenId === null ? 'none' : books.trust(tokenId),
        bids: book === undefined ? null : shown(book.bids),
        asks: book === undefined ? null : shown(book.asks),
      };
      const reported = JSON.stringify(leg);
      if (this.#reported[index] === reported) return [];
      this.#reported[index] = reported;
      return [leg];
    });
  }
}

function shown(levels: readonly RecordedLevel[]): RecordedLevel[] {
  return levels.slice(0, MOMENT_LEVELS_MAX).map(({ price, size }) => ({ price, size }));
}

/** The time after the last record on disk, of which no books are known. */
export function withTail(
  unknown: readonly UnknownSpan[],
  { from, until, recordedUntil }: { from: Instant; until: Instant; recordedUntil: Instant },
): UnknownSpan[] {
  const since = instantFromMs(Math.max(from, recordedUntil));
  if (since >= until) return [...unknown];
  const last = unknown.at(-1);
  if (last !== undefined && last.until >= since) return [...unknown.slice(0, -1), { ...last, until }];
  return [...unknown, { from: since, until, reason: NOT_RECORDED }];
}
