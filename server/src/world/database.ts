import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { type ConstructorOptions, fromPglite } from 'pg-boss';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { EmbeddedClient } from './embedded-client.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { keepStatements } from './embedded-statements.ts';
import { LendingPool } from './lending-pool.ts';
import { migratePglite, migratePostgres } from './migrations.ts';
import { embeddedNotices, type Notices, postgresNotices } from './notices.ts';
import * as schema from './schema.ts';
import { takeTurns } from './turns.ts';
import { refuseUnfinishedCopy } from './unfinished-copy.ts';
import type { Db, Timers } from './world.ts';

const POOL_SIZE = 10;
/** A trigger asks for one connection at a time. */
const URGENT_POOL_SIZE = 2;
const CONNECT_WITHIN_MS = 5000;
/**
 * A process that is stopped in the middle of a transaction keeps its connection, and what it has locked, for as long as it
 * is stopped: the server takes the transaction back after this, so that others can go on within ten seconds.
 */
const IDLE_IN_TRANSACTION_MS = 5000;
/** PostgreSQL's own interval. The embedded one would only do it when closed, and keep and replay all that it ever logged. */
const CHECKPOINT_EVERY_MS = 5 * 60_000;

export type Database = {
  db: Db;
  /** The same, for what must not wait behind everything else that is asked: it goes first, or has connections of its own. */
  urgentDb: Db;
  /** The same, for what takes long in many steps: on the embedded one, whatever else is asked goes before each of them. */
  patientDb: Db;
  /** How pg-boss reaches the same database. The embedded one has a single connection, which the two share. */
  queueOptions: Pick<ConstructorOptions, 'connectionString' | 'db' | 'backend'>;
  notices: Notices;
  close: () => Promise<void>;
};

/**
 * PostgreSQL where DATABASE_URL says, else PGlite in the data folder; migrated. On PGlite there is one connection:
 * transactions run one after the other, and a query outside of a transaction that is awaited inside it never ends.
 * @throws when it cannot be reached, FolderInUse, UnfinishedCopy
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  timers: Timers,
  log: Logger,
): Promise<Database> {
  if (databaseUrl !== null) return openPostgres(databaseUrl, timers, log);
  const { client, release } = await openEmbeddedDatabase(path.join(dataDir, 'database'));
  const database = await usePglite(client, (opened) => takeTurns(opened, timers));
  const checkpoint = async () => void (await database.patientDb.execute(sql`checkpoint`));
  const endCheckpoints = timers.every(CHECKPOINT_EVERY_MS, checkpoint);
  return {
    ...database,
    close: () => {
      endCheckpoints();
      return database.close().finally(release);
    },
  };
}

/** A database on an open PGlite, migrated. */
export async function usePglite(
  opened: EmbeddedClient,
  waysTo: (client: EmbeddedClient) => ReturnType<typeof takeTurns> = (client) => ({
    urgent: client,
    usual: client,
    patient: client,
  }),
): Promise<Database> {
  await migratePglite(opened);
  const client = keepStatements(opened);
  const { urgent, usual, patient } = waysTo(client);
  const { notices, close: stopListening } = await embeddedNotices(client);
  return {
    db: drizzlePglite(usual as PGlite, { schema }),
    urgentDb: drizzlePglite(urgent as PGlite, { schema }),
    patientDb: drizzlePglite(patient as PGlite, { schema }),
    queueOptions: { db: fromPglite(client), backend: 'pglite' },
    notices,
    close: async () => {
      await stopListening();
      await client.close();
    },
  };
}

/** A database on the PostgreSQL at `url`, migrated. */
export async function openPostgres(url: string, timers: Timers, log: Logger): Promise<Database> {
  const pool = openPool(url, { max: POOL_SIZE }, log);
  // Kept open while nothing is urgent: to open one takes longer than a trigger.
  const urgentPool = openPool(url, { max: URGENT_POOL_SIZE, idleTimeoutMillis: 0 }, log);
  const endPools = async () => void (await Promise.all([pool.end(), urgentPool.end()]));
  try {
    await migratePostgres(pool);
    await refuseUnfinishedCopy(pool);
    const { notices, close: stopListening } = await postgresNotices(url, timers, log);
    const db = drizzlePostgres(pool, { schema });
    return {
      db,
      patientDb: db,
      urgentDb: drizzlePostgres(urgentPool, { schema }),
      queueOptions: { connectionString: url, backend: 'postgres' },
      notices,
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

function openPool(url: string, size: { max: number; idleTimeoutMillis?: number }, log: Logger): LendingPool {
  const pool = new LendingPool({
    connectionString: url,
    ...size,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'dutchbook',
    // As a statement: poolers refuse a connection that asks for it as it begins.
    onConnect: (client) => client.query(`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`),
  });
  // A connection that breaks without a listener ends the process: one in use is its own to listen to, an idle one the pool's.
  const onBroken = (error: Error) => log.warn({ err: error }, 'A database connection broke');
  pool.on('connect', (client) => client.on('error', onBroken));
  pool.on('error', onBroken);
  return pool;
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
