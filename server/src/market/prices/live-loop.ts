/** The opportunities that are followed here: what is known of each, and when it is valued again. */

import type { WatchedSettings } from '../../people/system-settings/watched-settings.ts';
import { PARTITIONS } from '../../platform/engines/division.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import { type KeptAlerts, keepAlerts } from '../opportunities/alerts/keep-alerts.ts';
import type { BlockersOf } from '../opportunities/live-prices.ts';
import { nameOfRow } from '../opportunities/present.ts';
import { type OpportunityNow, readOpportunities, type StoredOpportunity } from '../opportunities/store.ts';
import { notifyLastingErrors } from './lasting-errors.ts';
import { LiveDesk } from './live-desk.ts';
import { noteFollowed, type OpportunityJournal } from './opportunity-journal.ts';
import type { QuoteFeed } from './quotes/quotes.ts';
import type { NoteShown } from './record-rise.ts';
import { type Opened, openedOpportunities, type Tracked, track } from './tracked.ts';
import type { OnTrigger } from './trigger.ts';
import { streamWatchedDetails, type WatchedDetails } from './watched-details.ts';

export type LivePricesParts = {
  runtime: Pick<Runtime, 'clock' | 'timers' | 'db' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;
  quotes: QuoteFeed;
  settings: WatchedSettings;
  stream: StreamHub;
  partitions: Partitions;
  journal: DecisionJournal;
  blockersOf: BlockersOf;
  onTrigger: OnTrigger;
  noteShown?: NoteShown;
};

export class LiveLoop {
  /** Id of this loop among those of all processes. */
  readonly id: string;
  readonly desk: LiveDesk;
  /** Some of those that the desk follows. */
  readonly opened: Opened;
  readonly details: WatchedDetails;
  readonly #parts: LivePricesParts;
  #noted: OpportunityJournal | null = null;
  #alerts: KeptAlerts | null = null;
  /** Flushes run one after the other: two with common rows could deadlock. */
  #flushed: Promise<void> = Promise.resolve();

  constructor(parts: LivePricesParts) {
    const { runtime, quotes, settings, stream, partitions, journal, blockersOf, onTrigger } = parts;
    this.#parts = parts;
    this.id = runtime.random.uuid();
    this.opened = openedOpportunities(runtime.clock);
    this.details = streamWatchedDetails(runtime, { stream, quotes, settings, blockersOf });
    this.desk = new LiveDesk(
      { runtime, quotes, settings, stream, partitions, journal, onTrigger },
      {
        isWanted: (tracked) => {
          if (stream.watched(`opportunity:${tracked.row.id}`)) this.opened.keep(tracked);
          return this.isWanted(tracked);
        },
        onLooked: this.details.touch,
        onLeft: (tracked) => this.#leave(tracked),
        onAlert: ({ row }, alert, change) => {
          const { id, profitPercentage } = row;
          this.#alerts?.changed({ alert, change, seen: { id, name: nameOfRow(row), profitPercentage } });
        },
      },
    );
  }

  /** Whether no other engine has any. */
  hasAll(): boolean {
    return (this.#parts.partitions.held()?.length ?? PARTITIONS) === PARTITIONS;
  }

  /** The stored row as it is now. */
  rowNow(stored: StoredOpportunity): OpportunityNow {
    const tracked = this.desk.get(stored.id);
    // An edit that this process has not noticed yet makes its own prices the older ones.
    if (tracked === undefined || tracked.row.updatedAt !== stored.updatedAt) return stored;
    // An opportunity at rest has current books that change nothing: it counts as checked now.
    if (!this.desk.isRestless(tracked)) return { ...tracked.row, lastChecked: this.#parts.runtime.clock.now() };
    // An inactive opportunity is followed while its page is open, and lists are not notified when that ends.
    const quotes = tracked.row.active ? this.#parts.quotes.current(tracked.positions) : [];
    const isOfNow = tracked.row.active && quotes.every(({ feed }) => feed !== 'stale' && feed !== 'none');
    return { ...tracked.row, isOfNow };
  }

  isWanted(tracked: Tracked): boolean {
    return this.opened.isStill(tracked) || (tracked.row.active && this.#parts.partitions.owns(tracked.row.id));
  }

  follow(row: StoredOpportunity): Tracked {
    const tracked = track(row);
    this.desk.process({ kind: 'put', item: tracked });
    this.#parts.quotes.watch(tracked.positions);
    return tracked;
  }

  drop(tracked: Tracked): void {
    this.desk.process({ kind: 'removed', item: tracked });
    this.#leave(tracked);
  }

  #leave(tracked: Tracked): void {
    this.desk.writes.forget(tracked);
    this.opened.remove(tracked);
    this.#parts.quotes.unwatch(tracked.positions);
    this.#noted?.drop(tracked);
  }

  /** Takes over a row that was added or edited. */
  readonly adopt = (row: StoredOpportunity): void => {
    const isOwn = row.active && this.#parts.partitions.owns(row.id);
    const tracked = this.desk.get(row.id) ?? (isOwn ? this.follow(row) : undefined);
    if (tracked === undefined || (tracked.row !== row && tracked.row.updatedAt >= row.updatedAt)) return;
    this.#judgeAnew(tracked, row);
  };

  /** Takes over a row from another engine, with the state of its trigger as that engine recorded it. */
  readonly takeOver = (row: StoredOpportunity): void => {
    const tracked = this.desk.get(row.id);
    if (tracked !== undefined && !saysMore(row, tracked)) return;
    if (this.#parts.partitions.owns(row.id)) this.#judgeAnew(tracked ?? this.follow(row), row);
  };

  /** Reads whether opportunities open here that another engine follows are triggered, and still exist. */
  async readForeign(): Promise<void> {
    const { runtime, partitions, stream } = this.#parts;
    if (partitions.held() === null) return;
    const foreign = [...this.desk.all()].filter(({ row }) => !partitions.owns(row.id));
    const ids = foreign.map(({ row }) => row.id);
    const stored = new Map((await readOpportunities(runtime.db, ids)).map((row) => [row.id, row]));
    for (const tracked of foreign) {
      const { id } = tracked.row;
      const row = stored.get(id);
      if (row !== undefined && !partitions.owns(id)) {
        const { triggered, rises } = row;
        const standing = { ...tracked.row, triggered, rises };
        this.desk.process({ kind: 'stored', item: tracked, row: standing });
      }
      if (row !== undefined || this.desk.get(id) !== tracked) continue;
      this.drop(tracked);
      stream.publish({ topic: `opportunity:${id}`, type: 'opportunity_deleted', id, data: null });
    }
  }

  readonly flush = (all?: 'all'): Promise<void> => {
    const flushing = this.#flushed.then(() => this.#flush(all));
    this.#flushed = flushing.catch(() => {});
    return flushing;
  };

  /** Notes from now on what is followed, beginning with all of it. */
  noteInJournal(): void {
    const { journal, quotes, partitions } = this.#parts;
    this.#noted = noteFollowed(journal, { opportunities: this.desk, quotes, partitions });
  }

  /** Begins to tell people of the profits that they wait for. @returns what stops it */
  keepAlerts(): () => Promise<void> {
    this.#alerts = keepAlerts(this.#parts.runtime, (opportunityId, alerts) =>
      this.desk.process({ kind: 'alerts', opportunityId, alerts }),
    );
    return this.#alerts.stop;
  }

  async #flush(all: 'all' | undefined): Promise<void> {
    this.#noted?.noteMoved();
    for (const tracked of this.desk.writes.dueForPoints())
      if (this.desk.get(tracked.row.id) === tracked) this.desk.process({ kind: 'due', item: tracked });
    for (const tracked of await this.desk.writes.flush(all)) this.drop(tracked);
    await notifyLastingErrors(this.#parts.runtime, this.desk.restless());
  }

  #judgeAnew(before: Tracked, row: StoredOpportunity): void {
    const tracked = before.row.contentHash === row.contentHash ? before : this.#followAnew(before, row);
    // Unwritten observations from before the edit are void: the row is judged anew below.
    this.desk.process({ kind: 'stored', item: tracked, row });
    tracked.stored = row;
    if (!this.isWanted(tracked)) {
      this.drop(tracked);
      return;
    }
    this.#noted?.follow(tracked);
    this.desk.process({ kind: 'due', item: tracked });
  }

  /** Books, journal and rises of what it was are not those of its new positions. */
  #followAnew(before: Tracked, row: StoredOpportunity): Tracked {
    const isOpened = this.opened.isStill(before);
    this.drop(before);
    const tracked = this.follow(row);
    if (isOpened) this.opened.keep(tracked);
    return tracked;
  }
}

/**
 * Whether a row that was read may say more than what is known. Read before an edit that has been taken up since, it would
 * stand against every write of what is known; read before a rise that was recorded here since, the fall would not be written
 * after it. How the row stands where a rise is being recorded, the record of that says.
 */
function saysMore(read: StoredOpportunity, { row, rises }: Tracked): boolean {
  if (read.updatedAt !== row.updatedAt) return read.updatedAt > row.updatedAt;
  return rises.length === 0 && read.rises >= row.rises;
}
