import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Logger } from 'pino';
import type { Config } from '../runtime/config.ts';
import type { PubSub } from '../runtime/pubsub.ts';
import type { Db, DbFor, Timers } from '../runtime/runtime.ts';
import { READ_WITHIN_MS } from './driver-errors.ts';
import { migrate } from './migrations.ts';
import { openOwnPostgres } from './own-postgres/own-postgres.ts';
import { DatabasePool } from './pool.ts';
import { openPubSub } from './pubsub.ts';
import { readInSlices } from './read-in-slices.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';

const POOL_SIZE = 10;
/** A trigger asks for one connection at a time. */
const PRIORITY_POOL_SIZE = 2;
const SIZES_FOR: Readonly<Record<keyof DbFor, number>> = { sessions: 2, stops: 2, lists: 4, exports: 2 };
/** Kept open while no call needs them: to open one takes a call longer than its answer, most of all where much else is under way. */
const KEPT_OPEN: ReadonlySet<keyof DbFor> = new Set(['sessions', 'lists']);
/** A statement that reads many rows has one core, and ends where its caller would no longer wait for the answer. */
const READS_MANY = `set statement_timeout = ${READ_WITHIN_MS}; set max_parallel_workers_per_gather = 0`;
const CONNECT_WITHIN_MS = 5000;
/**
 * A process that is stopped in the middle of a transaction keeps its connection, and what it has locked, for as long as it
 * is stopped: the server takes the transaction back after this, so that others can go on within ten seconds.
 */
const IDLE_IN_TRANSACTION_MS = 5000;
/**
 * A trigger has the same few statements: beside a long past to plan them takes longer than to carry them out. They are planned when
 * there may be nothing in the tables yet, and find rows by index then as well.
 */
const TRIGGERS = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off';

export type Database = {
  db: Db;
  /**
   * High priority, on connections of its own. They take statements
   * before they have answered others; see `pipelined`.
   */
  priorityDb: Db;
  /** Further pools: work that uses up the connections of one leaves those of the others free. */
  dbFor: DbFor;
  /** How pg-boss reaches the database. */
  queueOptions: { connectionString: string };
  pubsub: PubSub;
  /** How many statements have been answered so far, by any connection of the pools. */
  answered: () => number;
  close: () => Promise<void>;
};

/** Where there is one pool for everything. */
export function oneForAll(db: Db): DbFor {
  return { sessions: db, stops: db, lists: db, exports: db };
}

/**
 * The PostgreSQL that DATABASE_URL names, else one of its own with its data in the data folder; migrated.
 * @throws when it cannot be reached, NoOwnPostgres, FolderInUse, DatabaseTooOld, UnfinishedCopy
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  timers: Timers,
  log: Logger,
): Promise<Database> {
  if (databaseUrl !== null) return openPostgres(databaseUrl, timers, log);
  const own = await openOwnPostgres(dataDir, log);
  try {
    const database = await openPostgres(own.url, timers, log);
    return { ...database, close: () => database.close().finally(own.stop) };
  } catch (error) {
    await own.stop();
    throw error;
  }
}

/** A database on the PostgreSQL at `url`, migrated. */
export async function openPostgres(url: string, timers: Timers, log: Logger): Promise<Database> {
  let answered = 0;
  const onAnswer = () => {
    answered += 1;
  };
  const open = (size: PoolSize, settings = '') => openPool(url, size, { log, settings, onAnswer });
  const pool = open({ max: POOL_SIZE });
  // Kept open while nothing needs it: to open one takes longer than a trigger.
  const priority = { max: PRIORITY_POOL_SIZE, idleTimeoutMillis: 0, pipeline: true } as const;
  const priorityPool = open(priority, TRIGGERS);
  const poolFor = (work: keyof DbFor, settings?: string) => {
    const size = { max: SIZES_FOR[work], ...(KEPT_OPEN.has(work) && { idleTimeoutMillis: 0 }) };
    return open(size, settings);
  };
  const poolsFor = {
    sessions: poolFor('sessions'),
    stops: poolFor('stops'),
    lists: poolFor('lists', READS_MANY),
    exports: poolFor('exports', READS_MANY),
  };
  const pools = [pool, priorityPool, ...Object.values(poolsFor)];
  const endPools = async () => void (await Promise.all(pools.map((each) => each.end())));
  try {
    await migrate(pool);
    await refuseUnfinishedCopy(pool);
    const { pubsub, close: stopListening } = await openPubSub(url, timers, log);
    return {
      db: drizzle(pool),
      priorityDb: drizzle(priorityPool),
      dbFor: {
        sessions: drizzle(poolsFor.sessions),
        stops: drizzle(poolsFor.stops),
        lists: drizzle(poolsFor.lists),
        exports: drizzle(poolsFor.exports),
      },
      queueOptions: { connectionString: url },
      pubsub,
      answered: () => answered,
      close: async () => {
        await stopListening();
        await endPools();
      },
    };
  } catch (error) {
    await endPools();
    throw error;
  }
}

type PoolSize = { max: number; idleTimeoutMillis?: number; pipeline?: true };

function openPool(
  url: string,
  size: PoolSize,
  { log, settings, onAnswer }: { log: Logger; settings: string; onAnswer: () => void },
): DatabasePool {
  const pool = new DatabasePool({
    connectionString: url,
    ...size,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'dutchbook',
    // As a statement: poolers refuse a connection that asks for it as it begins.
    onConnect: (client) =>
      client.query(`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; ${settings}`),
  });
  // A connection that breaks without a listener ends the process: one in use is its own to listen to, an idle one the pool's.
  const onBroken = (error: Error) => log.warn({ err: error }, 'database connection broke');
  pool.on('connect', (client) => {
    client.on('error', onBroken);
    client.connection.on('readyForQuery', onAnswer);
    readInSlices(client.connection.stream);
  });
  pool.on('error', onBroken);
  return pool;
}

/** What the first calls need: one looks up who calls, and a list reads its rows beside their count. */
export async function openFirstConnections({ sessions, lists }: DbFor): Promise<void> {
  await Promise.all([sessions, lists, lists].map((db) => db.execute(sql`select 1`)));
}

/** Whether the database answers within `ms`. */
export async function databaseAnswers(db: Db, ms: number): Promise<boolean> {
  const late = AbortSignal.timeout(ms);
  const silence = new Promise<false>((resolve) => late.addEventListener('abort', () => resolve(false), { once: true }));
  const answer = db.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, silence]);
}
