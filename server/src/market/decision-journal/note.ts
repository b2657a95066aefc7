/**
 * Notes what decisions look at besides the books, beside trading: a note waits for nothing, and what the database
 * does not take in time is dropped. Everything that stands is noted again after that, with the start of the lost span.
 */
import { setImmediate } from 'node:timers/promises';
import { modeOf } from '@dutchbook/contract/status.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { type FailureLog, openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { type JournalGap, openJournalGap } from './journal-gap.ts';
import type { JournalData } from './journaled.ts';
import { type OrderedInstants, orderInstants } from './ordered-instants.ts';
import { standingRows } from './standing.ts';
import type { JournalTopic } from './table.ts';
import { type JournalWriter, type Noted, openJournalWriter } from './write.ts';

const FLUSH_MS = 1000;
/** Written per tick of the event loop. */
const ROWS_PER_WRITE = 200;
const WAITING_MAX = 50_000;
/** A new follower has read the state by then. */
const MOVED_MS = 10_000;
/** Topics that each engine notes for its own partitions only. */
const DIVIDED = ['opportunity', 'relation'] as const satisfies readonly JournalTopic[];

/** The current data of a subject. */
type Standing = { [Topic in JournalTopic]: { topic: Topic; subject: string; data: JournalData[Topic] } }[JournalTopic];

export type DecisionJournal = {
  /**
   * This is so from now on, or was from `at` on; null: it is gone, or not followed any more. Costs nothing worth mentioning, and
   * never throws.
   */
  note: <Topic extends JournalTopic>(
    topic: Topic,
    subject: string,
    data: JournalData[Topic] | null,
    at?: Instant,
  ) => void;
  /** Another engine notes it from now on. */
  leave: (topic: JournalTopic, subject: string) => void;
  /** `tell` answers everything that stands of some topics: called within a second, and whenever that must be noted again. */
  onRetell: (tell: () => Iterable<Standing>) => void;
  /** Instants of decisions: after everything recorded before them. */
  instants: OrderedInstants;
};

/** `written` and `dropped`: since the process began. */
export type NotingState = { waiting: number; written: number; dropped: number };

export type OpenDecisionJournal = DecisionJournal & {
  /** Null where nothing is noted. */
  state: () => NotingState | null;
  /** Called once every part notes: state of an earlier run that was not noted again is ended. */
  begin: () => void;
  stop: () => Promise<void>;
};

/** Where nothing is recorded. */
export const NO_JOURNAL: OpenDecisionJournal = {
  note: () => {},
  leave: () => {},
  onRetell: () => {},
  instants: orderInstants({ now: () => instantFromMs(0) }),
  state: () => null,
  begin: () => {},
  stop: async () => {},
};

type JournalRuntime = Pick<Runtime, 'config' | 'clock' | 'timers' | 'random' | 'db' | 'log'>;

/** Engines that record books also note decisions. `waitingMax` is smaller in tests. */
export function openDecisionJournal(
  runtime: JournalRuntime,
  partitions: Partitions,
  instants: OrderedInstants = orderInstants(runtime.clock),
  waitingMax: number = WAITING_MAX,
): OpenDecisionJournal {
  const { config } = runtime;
  if (!config.recording.isOn || !config.roles.has('engine')) return NO_JOURNAL;
  return new WrittenJournal(runtime, partitions, instants, waitingMax);
}

class WrittenJournal implements OpenDecisionJournal {
  readonly instants: OrderedInstants;
  readonly #runtime: JournalRuntime;
  readonly #partitions: Partitions;
  readonly #waitingMax: number;
  readonly #venue: string;
  readonly #writer: JournalWriter;
  readonly #failures: FailureLog;
  readonly #journalGap: JournalGap;
  readonly #tellers: (() => Iterable<Standing>)[] = [];
  readonly #stops: readonly (() => void)[];
  #waiting: Noted[] = [];
  #dropped = 0;
  /** The oldest that was dropped since all that stands was noted. */
  #lostFrom: Instant | null = null;
  #hasBegun = false;
  #retellAt: Instant | null = null;
  /** When everything that stands had first been noted. */
  #standingNotedAt: Instant | null = null;

  constructor(runtime: JournalRuntime, partitions: Partitions, instants: OrderedInstants, waitingMax: number) {
    this.instants = instants;
    this.#runtime = runtime;
    this.#partitions = partitions;
    this.#waitingMax = waitingMax;
    this.#venue = modeOf(runtime.config.venueMode).keptUnder;
    this.#writer = openJournalWriter(runtime.db, this.#venue);
    this.#failures = openFailureLog(runtime.log, 'warn', 'decision journal not written');
    this.#journalGap = openJournalGap(runtime, this.#venue);
    this.#stops = [
      runtime.timers.every(FLUSH_MS, this.#flush),
      partitions.onChange(() => {
        this.#retellAt ??= instantFromMs(runtime.clock.now() + MOVED_MS);
      }),
    ];
  }

  note: DecisionJournal['note'] = (topic, subject, data, at) => this.#add(this.#noted(topic, subject, data, at));

  leave: DecisionJournal['leave'] = (topic, subject) => this.#add(this.#noted(topic, subject, undefined));

  onRetell: DecisionJournal['onRetell'] = (tell) => {
    this.#tellers.push(tell);
    this.#retellAt = this.#now();
  };

  state = (): NotingState => ({
    waiting: this.#waiting.length,
    written: this.#writer.written(),
    dropped: this.#dropped,
  });

  begin = () => {
    this.#hasBegun = true;
    this.#retellAt = this.#now();
  };

  stop = async () => {
    for (const stop of this.#stops) stop();
    await this.#flush();
  };

  #now(): Instant {
    return this.#runtime.clock.now();
  }

  #noted(topic: JournalTopic, subject: string, data: Noted['data'], at: Instant = this.#now()): Noted {
    return { at, topic, subject, data } as Noted;
  }

  #add(one: Noted): void {
    this.#waiting.push(one);
    if (this.#waiting.length > this.#waitingMax) this.#dropOldest();
  }

  #dropOldest(): void {
    const lost = this.#waiting.splice(0, this.#waiting.length - Math.floor(this.#waitingMax / 2));
    const now = this.#now();
    this.#dropped += lost.length;
    this.#retellAt = now;
    this.#lostFrom = lost.reduce<Instant>((oldest, { at }) => (at < oldest ? at : oldest), this.#lostFrom ?? now);
    const { log } = this.#runtime;
    log.warn({ dropped: lost.length }, 'decision journal rows dropped, the database does not take them in time');
  }

  readonly #flush = oneAtATime(async () => {
    try {
      await this.#writeWaiting();
      if (this.#retellAt !== null && this.#now() >= this.#retellAt) await this.#retell();
      if (this.#standingNotedAt !== null)
        await this.#journalGap.takeLeft(this.#now(), this.#standingNotedAt, this.#writeLost);
      this.#failures.succeeded();
      await this.#journalGap.keep([], this.#lostFrom);
    } catch (error) {
      this.#failures.failed(error);
      await this.#journalGap.keep(this.#waiting, this.#lostFrom);
    }
  });

  async #writeWaiting(): Promise<void> {
    for (; this.#waiting.length > 0; await setImmediate()) {
      const some = this.#waiting.splice(0, ROWS_PER_WRITE);
      try {
        await this.#writer.write(some);
      } catch (error) {
        this.#waiting = [...some, ...this.#waiting];
        throw error;
      }
    }
  }

  async #retell(): Promise<void> {
    this.#retellAt = null;
    try {
      await this.#writeStanding();
      this.#standingNotedAt ??= this.#now();
      if (this.#lostFrom !== null) await this.#writeLost(this.#lostFrom, this.#now());
      // More of it may have been dropped meanwhile.
      if (this.#retellAt === null) this.#lostFrom = null;
    } catch (error) {
      this.#retellAt = this.#now();
      throw error;
    }
  }

  /** Writes past the queue, so that a large state does not crowd out new rows. */
  async #writeStanding(): Promise<void> {
    const reported = new Set<string>();
    let some: Noted[] = [];
    for (const tell of this.#tellers) {
      for (const { topic, subject, data } of tell()) {
        reported.add(`${topic} ${subject}`);
        some.push(this.#noted(topic, subject, data));
        if (some.length < ROWS_PER_WRITE) continue;
        await this.#writer.write(some);
        await setImmediate();
        some = [];
      }
    }
    await this.#writer.write(some);
    if (this.#hasBegun) await this.#endUnreported(reported);
  }

  async #endUnreported(reported: Set<string>): Promise<void> {
    for (const topic of DIVIDED) {
      const now = this.#now();
      const stored = (await this.#runtime.db.execute(standingRows(this.#venue, topic, now, null))) as unknown as {
        rows: { subject: string; data: object | null }[];
      };
      const before = stored.rows.filter(({ data }) => data !== null).map(({ subject }) => subject);
      for (const { topic: about, subject } of this.#waiting) reported.add(`${about} ${subject}`);
      const unreported = [...new Set([...before, ...this.#writer.standing(topic)])].filter(
        (each) => !reported.has(`${topic} ${each}`),
      );
      await this.#writer.write(
        unreported.map((each) => this.#noted(topic, each, this.#partitions.owns(each) ? null : undefined, now)),
      );
    }
  }

  readonly #writeLost = (from: Instant, until: Instant) =>
    this.#writer.write([this.#noted('lost', '', { from }, until)]);
}
