/**
 * The only door to what cannot be repeated: time, random, timers and the database. Everything else in the server is
 * handed a `Runtime` and keeps none of these on its own.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Logger } from 'pino';
import type { Chat } from './chat.ts';
import type { Config } from './config.ts';
import type { CrashPoint } from './crash-point.ts';
import type { LogState } from './log-sink.ts';
import type { Mail } from './mail.ts';
import type { PubSub } from './pubsub.ts';
import type { Stops } from './stops.ts';

export type Db = PgDatabase<PgQueryResultHKT>;

/**
 * Connections for one kind of work each: looking up who calls, stopping, what a screen reads many rows for, and files. A statement
 * of the last two ends after some seconds.
 */
export type DbFor = Readonly<Record<'sessions' | 'stops' | 'lists' | 'exports', Db>>;

export type Clock = { now: () => Instant };

export type Timers = {
  /** Runs `work` once after `ms`; returns what cancels it. */
  after: (ms: number, work: () => void) => () => void;
  /** Runs `work` every `ms` until cancelled; a run that is still going is not started twice. */
  every: (ms: number, work: () => Promise<void> | void) => () => void;
};

export type Random = { uuid: () => string; fraction: () => number; bytes: (count: number) => Uint8Array };

/** Whether what this machine is to keep can be written. `isDiskFull`: of the data folder. */
export type Storage = { log: () => LogState; isDiskFull: () => boolean };

/** Whether the database answers at all. */
export type DatabaseWatch = {
  /** For how long it has not answered; null while it does. */
  silentMs: () => number | null;
  /** What comes of `answer`. @throws DatabaseDown once the database is silent, without waiting any longer */
  whileItAnswers: <T>(answer: Promise<T>) => Promise<T>;
};

export type Runtime = {
  config: Config;
  clock: Clock;
  /**
   * The moment of a statement by the database's own clock, as a term in it. What several processes judge each other by is
   * judged by this: their own clocks may disagree.
   */
  databaseNow: () => SQL<Instant>;
  timers: Timers;
  random: Random;
  db: Db;
  /** High priority, on connections of its own. */
  priorityDb: Db;
  /** Connections of their own for some kinds of work. */
  dbFor: DbFor;
  databaseWatch: DatabaseWatch;
  /** How pg-boss reaches the database that `db` is. */
  queueOptions: { connectionString: string };
  pubsub: PubSub;
  mail: Mail;
  chat: Chat;
  log: Logger;
  storage: Storage;
  pass: (point: CrashPoint) => void;
  /** What was stopped in this process and may not be stored yet. */
  stops: Stops;
};
