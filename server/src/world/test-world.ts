/**
 * Worlds for tests, each with a fresh migrated database of its own, a clock that only the test moves and real dice.
 *
 *     describe.each(testDatabases)('on %s', (kind) => {
 *       it('…', async () => { await using test = await openTestWorld(kind); … });
 *     });
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { crashPoints } from './crash-point.ts';
import { type Database, openPostgres, usePglite } from './database.ts';
import { realDice } from './dice.ts';
import { lendPglite } from './lent-pglite.fixture.ts';
import { lendPostgres } from './lent-postgres.fixture.ts';
import { openMail } from './mail.ts';
import { migratedDump } from './migrated-dump.fixture.ts';
import { openTelegram } from './telegram.ts';
import { databaseNowBy, type TestTime, testTime } from './test-time.ts';
import type { Timers, World } from './world.ts';

export type TestDatabase = 'pglite' | 'postgres';

/** PGlite in memory, and the PostgreSQL that TEST_DATABASE_URL names: a server where databases may be created. */
export const testDatabases: readonly TestDatabase[] = process.env.TEST_DATABASE_URL
  ? ['pglite', 'postgres']
  : ['pglite'];

export type TestWorld = AsyncDisposable & {
  world: World;
  time: TestTime;
  /** Resolves once nothing is under way on the database and, of itself, nothing will be: what is left waits for time. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
};

/** `variables` are added to the environment the configuration is read from. */
export async function openTestWorld(kind: TestDatabase, variables: Record<string, string> = {}): Promise<TestWorld> {
  const log = pino({ level: 'silent' });
  const { config, removeFolder } = testConfig(variables);
  const time = testTime();
  const { database, isBusy, drop } = kind === 'pglite' ? await freshPglite() : await freshPostgres(time.timers, log);
  const world: World = {
    config,
    clock: time.clock,
    databaseNow: databaseNowBy(time.clock),
    timers: time.timers,
    dice: realDice,
    db: database.db,
    urgentDb: database.urgentDb,
    patientDb: database.patientDb,
    queueOptions: database.queueOptions,
    notices: database.notices,
    mail: openMail({ config, clock: time.clock, dice: realDice, log }),
    chat: openTelegram(config.telegramApiRoot),
    log,
    pass: crashPoints(null, () => {}),
  };
  const close = async () => {
    await database.close();
    await drop();
    removeFolder();
  };
  return { world, time, idle: () => untilIdle(isBusy), close, [Symbol.asyncDispose]: close };
}

function testConfig(variables: Record<string, string>): { config: Config; removeFolder: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-test-'));
  const config = readConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    POLYMARKET_CLOB_URL: 'http://127.0.0.1:9',
    POLYMARKET_GAMMA_URL: 'http://127.0.0.1:9/gamma',
    POLYMARKET_WS_URL: 'ws://127.0.0.1:9/ws',
    ...variables,
  });
  return { config, removeFolder: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Nobody's connection goes silent here, and to ask it every few seconds would hold up every hour that a test lets pass. */
const neverBeats: Timers['every'] = () => () => {};

type FreshDatabase = { database: Database; isBusy: () => boolean; drop: () => Promise<void> };

// While the file is loaded and not inside a test: the first time takes seconds.
const migrated = await migratedDump();

async function freshPglite(): Promise<FreshDatabase> {
  const { client, isBusy, giveBack } = await lendPglite(migrated);
  return { database: await usePglite(client), isBusy, drop: giveBack };
}

async function freshPostgres(timers: Timers, log: Logger): Promise<FreshDatabase> {
  const { url, giveBack } = await lendPostgres();
  const database = await openPostgres(url, { ...timers, every: neverBeats }, log);
  const pools = [database.db, database.urgentDb].map((db) => (db as unknown as { $client: Pool }).$client);
  return {
    database,
    isBusy: () => pools.some((pool) => pool.waitingCount > 0 || pool.idleCount < pool.totalCount),
    drop: giveBack,
  };
}

/** Turns of the event loop without anything under way after which nothing goes on by itself. */
const QUIET_TURNS = 3;

/** A server that is asked something needs the processor itself, which turn after turn would be taken from it. */
const WHILE_BUSY_MS = 1;

async function untilIdle(isBusy: () => boolean): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet = isBusy() ? 0 : quiet + 1)
    await (isBusy() ? pause(WHILE_BUSY_MS) : nextTurn());
}
