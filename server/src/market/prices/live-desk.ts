/** The desk in a process that trades: hands its price changes to the trigger, the open tabs and the database. */
import { setImmediate } from 'node:timers';
import type { Alert, AlertChange } from '@dutchbook/engine/desk/alerts.ts';
import { Desk } from '@dutchbook/engine/desk/desk.ts';
import type { DeskEffects, DeskEvent, Repricing } from '@dutchbook/engine/desk/events.ts';
import { deskSettings } from '../../people/system-settings/in-units.ts';
import type { SystemSettings } from '../../people/system-settings/watched-settings.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import type { DecisionJournal } from '../decision-journal/note.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import type { PriceCheck } from '../opportunities/live-prices.ts';
import { presentRow } from '../opportunities/present.ts';
import { noteFailing } from './lasting-errors.ts';
import { openPendingWrites, type PendingWrites } from './pending-writes.ts';
import type { QuoteFeed } from './quotes/quotes.ts';
import { type NoteShown, recordRise } from './record-rise.ts';
import type { Rise, Tracked } from './tracked.ts';
import type { OnTrigger } from './trigger.ts';
import { openTurns, type Turns } from './turns.ts';

/** Between two parts of a round. */
const ROUND_PAUSE_MS = 5;

export type LiveDeskRuntime = Pick<Runtime, 'clock' | 'timers' | 'db' | 'priorityDb' | 'random' | 'log' | 'pubsub'>;

/** `quotes.tokens`: the books that prices come from. */
export type LiveDeskParts = {
  runtime: LiveDeskRuntime;
  quotes: Pick<QuoteFeed, 'current' | 'frozen' | 'hasAnswered' | 'marketIdOf'> & {
    tokens: Pick<QuoteFeed['tokens'], 'held'>;
  };
  settings: SystemSettings;
  stream: StreamHub;
  partitions: Partitions;
  journal: DecisionJournal;
  onTrigger: OnTrigger;
  /** Left out where depth is not measured. */
  noteShown?: NoteShown;
};

/** `onLooked`: something of its quotes has changed. `onAlert`: its profit has reached or left an alert. `onLeft`: the desk does not follow it any longer, because `isWanted` said so. */
export type LiveDeskEvents = {
  isWanted: (tracked: Tracked) => boolean;
  onLooked: (tracked: Tracked) => void;
  onLeft: (tracked: Tracked) => void;
  onAlert: (tracked: Tracked, alert: Alert, change: AlertChange) => void;
};

export class LiveDesk {
  readonly writes: PendingWrites;
  readonly #desk: Desk<Tracked>;
  readonly #parts: LiveDeskParts;
  readonly #events: LiveDeskEvents;
  readonly #effects: DeskEffects<Tracked>;
  readonly #turns: Turns;
  /** Resolve once what was proposed of an opportunity is recorded, or waits for a later moment. */
  readonly #recording = new Map<Tracked, PromiseWithResolvers<void>>();

  constructor(parts: LiveDeskParts, events: LiveDeskEvents) {
    const { runtime, quotes, settings, partitions, onTrigger } = parts;
    this.#parts = parts;
    this.#events = events;
    this.writes = openPendingWrites(runtime, partitions);
    this.#turns = openTurns(runtime);
    this.#effects = this.#openEffects();
    this.#desk = new Desk<Tracked>(deskSettings(settings.current()), {
      quotes: {
        current: quotes.current,
        frozen: quotes.frozen,
        hasAnswered: quotes.hasAnswered,
        book: quotes.tokens.held,
        marketIdOf: quotes.marketIdOf,
      },
      owns: partitions.owns,
      isWanted: events.isWanted,
      isOpen: ({ openUntil }) => openUntil !== null,
      isReady: onTrigger.isReady,
    });
  }

  get(id: string): Tracked | undefined {
    return this.#desk.get(id);
  }

  all(): Iterable<Tracked> {
    return this.#desk.all();
  }

  isRestless(tracked: Tracked): boolean {
    return this.#desk.isRestless(tracked);
  }

  restless(): ReadonlySet<Tracked> {
    return this.#desk.restless();
  }

  isComplete(tracked: Tracked, known: readonly LiveQuote[]): boolean {
    return this.#desk.isComplete(tracked, known);
  }

  process(event: DeskEvent<Tracked>): void {
    this.#desk.process(event, this.#parts.runtime.clock.now(), this.#effects);
  }

  takeSettings(): void {
    this.process({ kind: 'settings', settings: deskSettings(this.#parts.settings.current()) });
  }

  /** Prices the opportunity and, where it has come up to its trigger, resolves when that is recorded. */
  async revalue(item: Tracked, quotes: readonly LiveQuote[], check: PriceCheck): Promise<void> {
    const before = this.#recording.get(item);
    this.process({ kind: 'checked', item, quotes, ...check });
    const recording = this.#recording.get(item);
    if (recording !== before) await recording?.promise;
  }

  #openEffects(): DeskEffects<Tracked> {
    const { runtime, journal } = this.#parts;
    const { log, timers } = runtime;
    return {
      looked: this.#events.onLooked,
      repriced: (tracked, how) => this.#takePrice(tracked, how),
      rose: (_tracked, rise) => {
        rise.seenAt = journal.instants.ofDecision();
      },
      dropped: ({ row }) => log.error({ opportunity: row.id }, 'trigger dropped, too many wait for the database'),
      fell: () => {},
      alertChanged: this.#events.onAlert,
      propose: (tracked, rise, refusals) => {
        if (!this.#recording.has(tracked)) this.#recording.set(tracked, Promise.withResolvers());
        void this.#record(tracked, rise, refusals);
      },
      recorded: (tracked) => this.#endRecording(tracked),
      left: this.#events.onLeft,
      later: (work) => {
        const goOn = () => this.process({ kind: 'left', work });
        if (work === 'values') setImmediate(goOn);
        else timers.after(ROUND_PAUSE_MS, goOn);
      },
      overrun: () => log.warn('price changes come faster than they are valued, valued together'),
    };
  }

  #takePrice(tracked: Tracked, { change, asked, isRise, isOwned }: Repricing): void {
    const { row } = tracked;
    noteFailing(tracked, row.lastChecked ?? this.#parts.runtime.clock.now());
    // The engine that owns it publishes and writes it, unless a user has asked here.
    if (!isOwned && row.active && !asked) return;
    // A rise is published together with its outcome: apart, the second would wait for the stream's next flush.
    if ((asked || change !== 'none') && !isRise) publish(this.#parts.stream, tracked);
    this.writes.note(tracked, { isSoon: asked || change === 'state', asOwner: isOwned && !asked });
  }

  async #record(item: Tracked, rise: Rise, refusals: readonly string[] | null): Promise<void> {
    const outcome = await recordRise({ ...this.#parts, turns: this.#turns }, item, rise, refusals);
    this.process({ kind: 'outcome', item, rise, outcome });
  }

  #endRecording(tracked: Tracked): void {
    tracked.stored = null;
    // The profit fell while the rise was recorded.
    this.writes.note(tracked, { isSoon: tracked.belowTriggerSince !== null, asOwner: true });
    publish(this.#parts.stream, tracked);
    this.#recording.get(tracked)?.resolve();
    this.#recording.delete(tracked);
  }
}

function publish(stream: StreamHub, { row }: Tracked): void {
  if (!stream.watched('opportunities')) return;
  stream.publish({ topic: 'opportunities', type: 'opportunity', id: row.id, data: presentRow(row) });
}
