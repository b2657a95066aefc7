/**
 * Notes what decisions look at besides the books, beside trading: a note waits for nothing, and what the database
 * does not take in time is dropped. Everything that stands is told again after that, and since when what was between is lost.
 */
import { setImmediate } from 'node:timers/promises';
import { modeOf } from '@dutchbook/contract/status.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openFailureLog } from '../../platform/runtime/failure-log.ts';
import { oneAtATime } from '../../platform/runtime/one-at-a-time.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { FactOf } from './facts.ts';
import { openJournalGap } from './journal-gap.ts';
import { type OrderedMoments, orderMoments } from './ordered-moments.ts';
import { standingFacts } from './standing.ts';
import type { FactTopic } from './table.ts';
import { type Noted, openFactWriter } from './write.ts';

const FLUSH_MS = 1000;
/** Between which others have their turn. */
const ROWS_PER_WRITE = 200;
const WAITING_MAX = 50_000;
/** A new follower has read the state by then. */
const MOVED_MS = 10_000;
/** What each engine notes of its own partitions alone. */
const DIVIDED = ['opportunity', 'relation'] as const satisfies readonly FactTopic[];

/** What stands of a subject. */
type Standing = { [Topic in FactTopic]: { topic: Topic; subject: string; data: FactOf[Topic] } }[FactTopic];

export type DecisionFacts = {
  /**
   * This is so from now on, or was from `at` on; null: it is gone, or not followed any more. Costs nothing worth mentioning, and
   * never throws.
   */
  note: <Topic extends FactTopic>(topic: Topic, subject: string, data: FactOf[Topic] | null, at?: Instant) => void;
  /** Another engine notes it from now on. */
  leave: (topic: FactTopic, subject: string) => void;
  /** `tell` answers everything that stands of some topics: asked within a second, and whenever that must be told again. */
  onRetell: (tell: () => Iterable<Standing>) => void;
  /** Of what is decided: behind all that was recorded before. */
  moments: OrderedMoments;
};

/** `written` and `dropped`: since the process began. */
export type NotingState = { waiting: number; written: number; dropped: number };

export type OpenDecisionFacts = DecisionFacts & {
  /** Null where nothing is noted. */
  state: () => NotingState | null;
  /** Everybody who notes has begun: state of an earlier run that was not noted again is gone. */
  begin: () => void;
  stop: () => Promise<void>;
};

/** Where nothing is recorded. */
export const NO_FACTS: OpenDecisionFacts = {
  note: () => {},
  leave: () => {},
  onRetell: () => {},
  moments: orderMoments({ now: () => instantFromMs(0) }),
  state: () => null,
  begin: () => {},
  stop: async () => {},
};

/** Engines that record books also note decisions. `waitingMax` is smaller in tests. */
export function openDecisionFacts(
  runtime: Pick<Runtime, 'config' | 'clock' | 'timers' | 'random' | 'db' | 'log'>,
  partitions: Partitions,
  moments: OrderedMoments = orderMoments(runtime.clock),
  waitingMax: number = WAITING_MAX,
): OpenDecisionFacts {
  const { config, clock, timers, db, log } = runtime;
  if (!config.recording.isOn || !config.roles.has('engine')) return NO_FACTS;
  const { venue } = modeOf(config.venueMode);
  const writer = openFactWriter(db, venue);
  const failures = openFailureLog(log, 'warn', 'decision facts not written');
  const behindMark = openJournalGap(runtime, venue);
  const tellers: (() => Iterable<Standing>)[] = [];
  let waiting: Noted[] = [];
  let dropped = 0;
  /** The oldest that was dropped since all was told that stands. */
  let lostFrom: Instant | null = null;
  let hasBegun = false;
  let retellAt: Instant | null = null;
  /** When everything that stands had first been told. */
  let toldAt: Instant | null = null;

  const dropOldest = () => {
    const lost = waiting.splice(0, waiting.length - Math.floor(waitingMax / 2));
    dropped += lost.length;
    retellAt = clock.now();
    lostFrom = lost.reduce<Instant>((oldest, { at }) => (at < oldest ? at : oldest), lostFrom ?? retellAt);
    log.warn({ dropped: lost.length }, 'decision facts dropped, the database does not take them in time');
  };
  const noted = (topic: FactTopic, subject: string, data: Noted['data'], at: Instant = clock.now()) =>
    ({ at, topic, subject, data }) as Noted;
  const add = (one: Noted) => {
    waiting.push(one);
    if (waiting.length > waitingMax) dropOldest();
  };
  const writeSome = async (some: Noted[]) => {
    try {
      await writer.write(some);
    } catch (error) {
      waiting = [...some, ...waiting];
      throw error;
    }
  };
  const writeWaiting = async () => {
    for (; waiting.length > 0; await setImmediate()) await writeSome(waiting.splice(0, ROWS_PER_WRITE));
  };
  /** Not through what waits: however much stands, it does not crowd out what happens meanwhile. */
  const retell = async () => {
    const told = new Set<string>();
    let some: Noted[] = [];
    for (const tell of tellers) {
      for (const { topic, subject, data } of tell()) {
        told.add(`${topic} ${subject}`);
        some.push(noted(topic, subject, data));
        if (some.length < ROWS_PER_WRITE) continue;
        await writer.write(some);
        await setImmediate();
        some = [];
      }
    }
    await writer.write(some);
    if (hasBegun) await endUntold(told);
  };
  const retellLost = async () => {
    await retell();
    toldAt ??= clock.now();
    if (lostFrom !== null) await writeLost(lostFrom, clock.now());
    // More of it may have been dropped meanwhile.
    if (retellAt === null) lostFrom = null;
  };
  const endUntold = async (told: Set<string>) => {
    for (const topic of DIVIDED) {
      const now = clock.now();
      const stored = (await db.execute(standingFacts(venue, topic, now, null))) as unknown as {
        rows: { subject: string; data: object | null }[];
      };
      const before = stored.rows.filter(({ data }) => data !== null).map(({ subject }) => subject);
      for (const { topic: about, subject } of waiting) told.add(`${about} ${subject}`);
      const untold = [...new Set([...before, ...writer.standing(topic)])].filter(
        (each) => !told.has(`${topic} ${each}`),
      );
      await writer.write(untold.map((each) => noted(topic, each, partitions.owns(each) ? null : undefined, now)));
    }
  };
  const writeLost = (from: Instant, until: Instant) => writer.write([noted('lost', '', { from }, until)]);
  const flush = oneAtATime(async () => {
    try {
      await writeWaiting();
      if (retellAt !== null && clock.now() >= retellAt) {
        retellAt = null;
        await retellLost().catch((error: unknown) => {
          retellAt = clock.now();
          throw error;
        });
      }
      if (toldAt !== null) await behindMark.takeLeft(clock.now(), toldAt, writeLost);
      failures.succeeded();
      await behindMark.keep([], lostFrom);
    } catch (error) {
      failures.failed(error);
      await behindMark.keep(waiting, lostFrom);
    }
  });
  const stops = [
    timers.every(FLUSH_MS, flush),
    partitions.onChange(() => {
      retellAt ??= instantFromMs(clock.now() + MOVED_MS);
    }),
  ];

  return {
    note: (topic, subject, data, at) => add(noted(topic, subject, data, at)),
    leave: (topic, subject) => add(noted(topic, subject, undefined)),
    moments,
    onRetell: (tell) => {
      tellers.push(tell);
      retellAt = clock.now();
    },
    state: () => ({ waiting: waiting.length, written: writer.written(), dropped }),
    begin: () => {
      hasBegun = true;
      retellAt = clock.now();
    },
    stop: async () => {
      for (const stop of stops) stop();
      await flush();
    },
  };
}
