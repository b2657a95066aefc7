/**
 * The only door to what cannot be repeated: time, dice, timers and the database. Everything else in the server is
 * handed a `World` and keeps none of these on its own.
 */
import type { Instant } from '@dutchbook/units/instant.ts';
import type { SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Logger } from 'pino';
import type { Chat } from './chat.ts';
import type { Config } from './config.ts';
import type { CrashPoint } from './crash-point.ts';
import type { Database } from './database.ts';
import type { Mail } from './mail.ts';
import type { Notices } from './notices.ts';
import type * as schema from './schema.ts';

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

export type Clock = { now: () => Instant };

export type Timers = {
  /** Runs `work` once after `ms`; returns what cancels it. */
  after: (ms: number, work: () => void) => () => void;
  /** Runs `work` every `ms` until cancelled; a run that is still going is not started twice. */
  every: (ms: number, work: () => Promise<void> | void) => () => void;
};

export type Dice = { uuid: () => string; random: () => number; bytes: (count: number) => Uint8Array };

export type World = {
  config: Config;
  clock: Clock;
  /**
   * The moment of a statement by the database's own clock, as a term in it. What several processes judge each other by is
   * judged by this: their own clocks may disagree.
   */
  databaseNow: () => SQL<Instant>;
  timers: Timers;
  dice: Dice;
  db: Db;
  /** The same database, for what must not wait behind everything else that is asked of it. */
  urgentDb: Db;
  /** The same database, for what takes long and lets everything else go first. */
  patientDb: Db;
  /** How pg-boss reaches the database that `db` is. */
  queueOptions: Database['queueOptions'];
  notices: Notices;
  mail: Mail;
  chat: Chat;
  log: Logger;
  pass: (point: CrashPoint) => void;
};
