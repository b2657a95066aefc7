/**
 * Runtimes for tests, each with a fresh migrated database of its own on the server of the test run, a clock that only the test
 * moves and real random: `await using test = await openTestRuntime()`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Logger, pino } from 'pino';
import { readConfig } from './platform/config/config.ts';
import { type Database, oneForAll, openPostgres } from './platform/database/database.ts';
import { UNWATCHED } from './platform/database/database-down.ts';
import { lendPostgres } from './platform/database/lent-postgres.fixture.ts';
import { CHANNEL } from './platform/database/pubsub-channel.ts';
import { openStops } from './platform/http/stops.ts';
import { openMail } from './platform/mail/mail.ts';
import type { Config } from './platform/runtime/config.ts';
import { crashPoints } from './platform/runtime/crash-point.ts';
import { openKeptStops } from './platform/runtime/kept-stops.ts';
import { type Listeners, openListeners } from './platform/runtime/listeners.ts';
import type { PubSubTopic } from './platform/runtime/pubsub.ts';
import { systemRandom } from './platform/runtime/random.ts';
import type { Db, Runtime, Timers } from './platform/runtime/runtime.ts';
import { databaseNowBy, type TestTime, testTime } from './platform/runtime/test-time.ts';
import { openTelegram } from './platform/telegram/telegram.ts';

export type TestRuntime = AsyncDisposable & {
  runtime: Runtime;
  time: TestTime;
  /** Resolves once what was published is received and nothing is under way on the database: what is left waits for time. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
};

/** `variables` are added to the environment the configuration is read from. */
export async function openTestRuntime(variables: Record<string, string> = {}): Promise<TestRuntime> {
  const log = pino({ level: 'silent' });
  const { config, removeFolder } = testConfig(variables);
  let idle = async () => {};
  const time = testTime(() => idle());
  const { database, hearing, drop } = await freshDatabase(time.timers, log);
  idle = idleOn(database, hearing);
  const runtime: Runtime = {
    config,
    clock: time.clock,
    databaseNow: databaseNowBy(time.clock),
    timers: time.timers,
    random: systemRandom,
    db: database.db,
    priorityDb: database.priorityDb,
    dbFor: oneForAll(database.db),
    databaseWatch: UNWATCHED,
    queueOptions: database.queueOptions,
    pubsub: database.pubsub,
    mail: openMail({ config, clock: time.clock, random: systemRandom, log }),
    chat: openTelegram(config.telegramApiRoot),
    log,
    storage: { log: () => ({ dropped: 0, failure: null }), isDiskFull: () => false },
    pass: crashPoints(null, () => {}),
    stops: openStops({ timers: time.timers, log }, openKeptStops(config.dataDir, systemRandom)),
  };
  const close = async () => {
    await database.close();
    await drop();
    removeFolder();
  };
  return { runtime, time, idle, close, [Symbol.asyncDispose]: close };
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

/** Test connections do not go silent, and asking every few seconds would hold up every hour that a test lets pass. */
const neverBeats: Timers['every'] = () => () => {};

type FreshDatabase = { database: Database; hearing: Hearing; drop: () => Promise<void> };

/** The connection that listens for what is published. */
type Hearing = { isUp: boolean; down: Listeners<[]> };

async function freshDatabase(timers: Timers, log: Logger): Promise<FreshDatabase> {
  const { url, giveBack } = await lendPostgres();
  const hearing: Hearing = { isUp: true, down: openListeners() };
  const reconnect: Timers['after'] = (ms, work) => {
    hearing.isUp = false;
    hearing.down.call();
    return timers.after(ms, () => {
      hearing.isUp = true;
      return work();
    });
  };
  const database = await openPostgres(url, { after: reconnect, every: neverBeats }, log);
  return { database, hearing, drop: giveBack };
}

/** Ticks of the event loop without anything under way after which nothing goes on by itself. */
const QUIET_TICKS = 3;

/** A server that is asked something needs the processor itself, which one tick after another would take from it. */
const WHILE_BUSY_MS = 1;

/** Beside the topics of the product, which has no subscriber to it. */
const MARK = 'mark' as PubSubTopic;

function idleOn({ db, priorityDb, pubsub }: Database, hearing: Hearing): () => Promise<void> {
  const poolOf = (each: Db) => (each as unknown as { $client: Pool }).$client;
  const pools = [db, priorityDb].map(poolOf);
  const isBusy = () => pools.some((pool) => pool.waitingCount > 0 || pool.idleCount < pool.totalCount);
  let acquired = 0;
  let marks = 0;
  for (const pool of pools) pool.on('acquire', () => (acquired += 1));
  const questions = () => acquired - marks;
  let questionsReceived = 0;

  async function quiet(): Promise<void> {
    for (let ticks = 0; ticks < QUIET_TICKS; ticks = isBusy() ? 0 : ticks + 1)
      await (isBusy() ? pause(WHILE_BUSY_MS) : nextTick());
  }

  /** Listeners receive in the order of the commits: what was published before the mark is received by then. */
  async function allReceived(): Promise<void> {
    if (!hearing.isUp) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stops = [pubsub.subscribe(MARK, () => resolve()), hearing.down.add(resolve)];
    await poolOf(db).query('select pg_notify($1, $2)', [CHANNEL, MARK]);
    marks += 1;
    await promise;
    for (const stop of stops) stop();
  }

  return async () => {
    await quiet();
    while (questions() > questionsReceived) {
      const asked = questions();
      await allReceived();
      questionsReceived = asked;
      await quiet();
    }
  };
}
