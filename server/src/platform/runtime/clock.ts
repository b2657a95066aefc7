import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Clock, Db, Runtime, Timers } from './runtime.ts';

const POLL_MS = 1000;
const ANSWER_WITHIN_MS = 2000;
/** How long the exchange may keep us waiting for its clock to be moved. */
const WAIT_FOR_MOVE_MS = 10_000;

/** The machine's own. */
export const realClock: Clock = { now: () => instantFromMs(Date.now()) };

/** The database's own. Of the statement and not of its transaction, which may have begun long before. */
export const databaseNow: Runtime['databaseNow'] = () => sql<Instant>`statement_timestamp()`;

/** Far more than is left between two processes that go by the database's clock, and less than a person can react to. */
const DISAGREE_MAX_MS = 100;

/** The latest moment that has passed for every process, whatever is left between their clocks; one alone has only its own. */
export function passedForAll({ config, clock }: Pick<Runtime, 'config' | 'clock'>): Instant {
  return instantFromMs(clock.now() - (config.databaseUrl === null ? 0 : DISAGREE_MAX_MS));
}

/** `moment`, a term in a statement, and `ms` after it. */
export function later(moment: SQL<Instant>, ms: number): SQL<Instant> {
  return sql`${moment} + ${`${ms} milliseconds`}::interval`;
}

/**
 * The database's clock, as far as this machine can tell: what several processes write down and compare is then by one clock,
 * whatever their machines' clocks show. It is asked every second and corrected only where what it told cannot be right any
 * more; while the database does not answer, the last difference known holds. @throws when it does not answer at first
 */
export async function openDatabaseClock(
  machine: Clock,
  { db, timers, log }: Pick<Runtime, 'db' | 'timers' | 'log'>,
): Promise<{ clock: Clock; stop: () => void }> {
  let aheadMs = 0;
  const follow = async () => {
    const before = machine.now();
    const reported = await fetchDatabaseTime(db);
    // It was that time there at some moment between asking and hearing.
    aheadMs = Math.min(Math.max(aheadMs, reported - machine.now()), reported - before);
  };
  const followIfItAnswers = () =>
    follow().catch((error: unknown) => log.debug({ err: error }, 'database time not read'));
  await follow();
  return {
    clock: { now: () => instantFromMs(machine.now() + aheadMs) },
    stop: timers.every(POLL_MS, followIfItAnswers),
  };
}

async function fetchDatabaseTime(db: Db): Promise<number> {
  const query = sql`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`;
  const { rows } = (await db.execute(query)) as unknown as { rows: { ms: string }[] };
  return Number(rows[0]?.ms);
}

/**
 * The simulated exchange's clock, which its tests and demos may move ahead of `clock`. The exchange answers as soon as it
 * is moved; while it does not answer, the last offset known holds.
 */
export async function openExchangeClock(
  clock: Clock,
  clobUrl: string,
  timers: Timers,
  log: Logger,
): Promise<{ clock: Clock; stop: () => void }> {
  const stopped = new AbortController();
  let offsetMs: number | null = null;
  const ask = async () => {
    offsetMs = await fetchOffsetMs(clobUrl, offsetMs, stopped.signal);
  };
  const follow = async () => {
    try {
      while (!stopped.signal.aborted) await ask();
    } catch (error) {
      log.debug({ error }, 'exchange time not read');
    }
  };
  await ask().catch((error: unknown) => log.debug({ error }, 'exchange time not read'));
  const stops = [timers.every(POLL_MS, follow)];
  return {
    clock: { now: () => instantFromMs(clock.now() + (offsetMs ?? 0)) },
    stop: () => {
      for (const stop of stops) stop();
      stopped.abort();
    },
  };
}

/** The offset; where one is `known`, once it is another or after some seconds. */
async function fetchOffsetMs(clobUrl: string, known: number | null, stopped: AbortSignal): Promise<number> {
  const query = known === null ? '' : `?unlike=${known}&wait_ms=${WAIT_FOR_MOVE_MS}`;
  const withinMs = ANSWER_WITHIN_MS + (known === null ? 0 : WAIT_FOR_MOVE_MS);
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(withinMs)]);
  const reply = await fetch(`${clobUrl}/_control/clock${query}`, { signal });
  const reported: unknown = await reply.json();
  if (
    typeof reported === 'object' &&
    reported !== null &&
    'offset_ms' in reported &&
    Number.isSafeInteger(reported.offset_ms)
  )
    return reported.offset_ms as number;
  throw new Error(`No offset_ms in the answer (status ${reply.status})`);
}
