/** The relation desk in a process that trades: hands its changes to open pages and the database. */

import { setImmediate } from 'node:timers';
import { RelationDesk, type RelationEvent } from '@dutchbook/engine/desk/relation-desk.ts';
import type { Assessed, BookOf } from '@dutchbook/engine/desk/watched-relation.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { elapsedMs, type Instant } from '@dutchbook/units/instant.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import type { ActiveBatchOf } from '../opportunities/store.ts';
import type { HitEnds } from '../relations/hits.ts';
import { presentRelationRow } from '../relations/present.ts';
import {
  type RelationDistance,
  type RelationPrices,
  type StoredRelation,
  writeRelationPrices,
} from '../relations/store.ts';
import { type Followed, followedOf, mayWait, nextPoint } from './followed.ts';
import { type FoundOpportunities, openFoundOpportunities } from './found.ts';
import { type HitWrites, openHitWrites } from './hit-writes.ts';
import { rulesOf, type WatchedDiscoverySettings } from './settings.ts';
import { pricedBy, type Watched } from './watched.ts';

/** How often a relation is looked at that no open page shows and that does not pay, in place of every time. */
const UNSHOWN_LOOK_MS = 10_000;
type Parts = {
  runtime: Runtime;
  settings: WatchedDiscoverySettings;
  stream: StreamHub;
  live: Pick<LivePrices, 'adopt' | 'rowsNow'>;
  activeBatchOf: ActiveBatchOf;
  hitEnds: HitEnds;
};

type Subscriptions = {
  subscribe: (tokenIds: readonly TokenId[]) => void;
  unsubscribe: (tokenIds: readonly TokenId[]) => void;
};

/** Unwritten prices of relations: the last of each, and of each point of the plot. */
type Unwritten = { prices: Map<string, RelationPrices>; points: Map<string, RelationDistance> };

function nothing(): Unwritten {
  return { prices: new Map(), points: new Map() };
}

export class WatchedRelations {
  readonly #parts: Parts;
  readonly #desk: RelationDesk<Followed>;
  readonly #found: FoundOpportunities;
  readonly #hits: HitWrites;
  #unwritten = nothing();
  /** Relations whose prices are written later. */
  readonly #waiting = new Set<Followed>();
  /** Resolves when the running pass over all relations ends. */
  #look: PromiseWithResolvers<void> | null = null;
  #lookedAtAll: Instant | null = null;

  constructor(parts: Parts, bookOf: BookOf, { subscribe, unsubscribe }: Subscriptions) {
    const { runtime, settings, hitEnds } = parts;
    this.#parts = parts;
    this.#found = openFoundOpportunities(parts);
    this.#hits = openHitWrites(runtime.db, hitEnds);
    const needed = { bookOf, newHitId: runtime.random.uuid };
    this.#desk = new RelationDesk<Followed>(rulesOf(settings.current()), needed, {
      wanted: subscribe,
      unwanted: unsubscribe,
      beganToPay: (one, assessed) => {
        this.#show(one, assessed);
        this.#write(one, runtime.clock.now());
      },
      hitOpened: (one) => {
        const now = runtime.clock.now();
        const { hits, firstHitAt } = one.row;
        one.row = { ...one.row, hits: hits + 1, firstHitAt: firstHitAt ?? now, lastHitAt: now, payingSince: now };
      },
      hitClosed: this.#hits.closed,
      lookedAt: (one, assessed) => this.#note(one, assessed, runtime.clock.now()),
      found: (one, open) =>
        this.#found.open(one, open, (outcome) => {
          one.hasOpportunity ||= outcome.kind === 'opened';
          this.process({ kind: 'stored', open, outcome });
        }),
      gone: this.#found.pause,
      later: () => void setImmediate(() => this.process({ kind: 'left' })),
      over: () => this.#look?.resolve(),
    });
  }

  get(id: string): Followed | undefined {
    return this.#desk.get(id);
  }

  all(): Iterable<Followed> {
    return this.#desk.all();
  }

  process(event: RelationEvent<Followed>): void {
    this.#desk.process(event, this.#parts.runtime.clock.now());
  }

  follow(next: Watched): void {
    const { id } = next.row;
    this.#hits.adopt(id);
    this.process({ kind: 'put', item: followedOf(next, this.#desk.get(id), this.#parts.runtime.clock.now()) });
  }

  /** Publishes and stores relations whose books changed, and pauses opportunities that no longer pay. */
  readonly flush = async (): Promise<void> => {
    const isDue = this.#look === null && this.#isLookDue();
    if (this.#look === null) {
      this.#look = Promise.withResolvers();
      this.process({ kind: 'time', of: isDue ? 'touched' : 'none' });
    }
    await this.#look.promise;
    this.#look = null;
    if (isDue) this.#writeWaiting(this.#parts.runtime.clock.now());
    const { prices, points } = this.#unwritten;
    this.#unwritten = nothing();
    await writeRelationPrices(this.#parts.runtime.db, [...prices.values()], [...points.values()]);
    await this.#hits.write(isDue ? this.#desk.openHits() : []);
  };

  allStored(): Promise<void> {
    return this.#found.allStored();
  }

  #isLookDue(): boolean {
    const { runtime, stream } = this.#parts;
    const now = runtime.clock.now();
    const isDue = this.#lookedAtAll === null || elapsedMs(this.#lookedAtAll, now) >= UNSHOWN_LOOK_MS;
    if (!isDue && !stream.watched('relations') && !stream.watched('relation:')) return false;
    this.#lookedAtAll = now;
    return true;
  }

  #note(one: Followed, assessed: Assessed, now: Instant): void {
    if (one.isPaying) one.row = { ...one.row, lastHitAt: now };
    const isChanged = this.#show(one, assessed);
    if (!isChanged && !one.isPaying) return;
    if (this.#mayWait(one, now)) {
      one.isWritten = false;
      this.#waiting.add(one);
    } else this.#write(one, now);
  }

  #mayWait(one: Followed, now: Instant): boolean {
    return mayWait(one, now) && !this.#parts.stream.watched(`relation:${one.id}`);
  }

  #write(one: Followed, now: Instant): void {
    this.#waiting.delete(one);
    one.isWritten = true;
    one.written = { at: now, distance: one.row.distance, profit: one.row.profit };
    const { prices, points } = this.#unwritten;
    prices.set(one.id, pricesOf(one.row));
    // A second point of a minute is nearer than the first.
    for (const point of nextPoint(one, now)) points.set(`${one.id} ${point.at}`, point);
  }

  /** Writes the last assessment of relations that have waited long enough; none of their books has changed since. */
  #writeWaiting(now: Instant): void {
    for (const one of this.#waiting) {
      if (this.#desk.get(one.id) !== one) this.#waiting.delete(one);
      else if (!this.#mayWait(one, now)) this.#write(one, now);
    }
  }

  /** @returns whether it says something else than before */
  #show(one: Followed, assessed: Assessed): boolean {
    const before = one.row;
    one.row = pricedBy(before, assessed);
    const isChanged = !one.isWritten || SHOWN.some((field) => before[field] !== one.row[field]);
    if (isChanged) publishRelation(this.#parts, one.row);
    return isChanged;
  }
}

const SHOWN = ['distance', 'profit', 'size', 'quoted', 'limitedBy', 'hits'] as const;

export function publishRelation({ stream, settings }: Pick<Parts, 'stream' | 'settings'>, row: StoredRelation): void {
  for (const topic of ['relations', `relation:${row.id}`] as const)
    if (stream.watched(topic))
      stream.publish({ topic, type: 'relation', id: row.id, data: presentRelationRow(row, settings.current()) });
}

function pricesOf(row: StoredRelation): RelationPrices {
  const { id, distance, distanceWithVoids, direction, limitedBy, profit, size, quoted, oldestBookMs } = row;
  const { firstHitAt, lastHitAt, hits, basket } = row;
  const stood = { distance, distanceWithVoids, direction, limitedBy, profit, size, quoted, oldestBookMs };
  return { relationId: id, ...stood, firstHitAt, lastHitAt, hits, basket };
}
