/**
 * The only door to what cannot be repeated: time, random, timers and the database. Everything else in the server is
 * handed a `Runtime` and keeps none of these on its own.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import type { PubSub } from './database/pubsub.ts';
import type { Stops } from './http/stops.ts';
import type { Mail } from './mail/mail.ts';
import type { CrashPoint } from './runtime/crash-point.ts';
import type { LogState } from './runtime/log-sink.ts';
import type { Chat } from './telegram/chat.ts';

export type Db = PgDatabase<PgQueryResultHKT>;

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
  /** The same database, for what must not wait behind everything else that is asked of it. */
  priorityDb: Db;
  /** The same database, on connections of their own for some kinds of work. */
  dbFor: Database['dbFor'];
  /** How pg-boss reaches the database that `db` is. */
  queueOptions: Database['queueOptions'];
  pubsub: PubSub;
  mail: Mail;
  chat: Chat;
  log: Logger;
  storage: Storage;
  pass: (point: CrashPoint) => void;
  /** What was stopped in this process and may not be stored yet. */
  stops: Stops;
};
