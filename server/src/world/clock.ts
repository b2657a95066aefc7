import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Clock, Db, Timers, World } from './world.ts';

const POLL_MS = 1000;
const ANSWER_WITHIN_MS = 2000;

/** The machine's own. */
export const realClock: Clock = { now: () => instantFromMs(Date.now()) };

/** The database's own. Of the statement and not of its transaction, which may have begun long before. */
export const databaseNow: World['databaseNow'] = () => sql<Instant>`statement_timestamp()`;

/** Far more than is left between two processes that go by the database's clock, and less than anybody can react to. */
const DISAGREE_MAX_MS = 100;

/** The latest moment that has passed for every process, whatever is left between their clocks; one alone has only its own. */
export function passedForAll({ config, clock }: Pick<World, 'config' | 'clock'>): Instant {
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
  { db, timers, log }: Pick<World, 'db' | 'timers' | 'log'>,
): Promise<{ clock: Clock; stop: () => void }> {
  let aheadMs = 0;
  const follow = async () => {
    const before = machine.now();
    const told = await fetchDatabaseTime(db);
    // It was that time there at some moment between asking and hearing.
    aheadMs = Math.min(Math.max(aheadMs, told - machine.now()), told - before);
  };
  const followIfItAnswers = () =>
    follow().catch((error: unknown) => log.debug({ err: error }, 'The database does not tell its time'));
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
 * The simulated exchange's clock, which its tests and demos may move ahead of `clock`. Its offset is asked for
 * every second; while the exchange does not answer, the last one known holds.
 */
export async function openExchangeClock(
  clock: Clock,
  clobUrl: string,
  timers: Timers,
  log: Logger,
): Promise<{ clock: Clock; stop: () => void }> {
  let offsetMs = 0;
  const follow = async () => {
    try {
      offsetMs = await fetchOffsetMs(clobUrl);
    } catch (error) {
      log.debug({ error }, 'The exchange does not tell its time');
    }
  };
  await follow();
  return { clock: { now: () => instantFromMs(clock.now() + offsetMs) }, stop: timers.every(POLL_MS, follow) };
}

async function fetchOffsetMs(clobUrl: string): Promise<number> {
  const reply = await fetch(`${clobUrl}/_control/clock`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const told: unknown = await reply.json();
  if (typeof told === 'object' && told !== null && 'offset_ms' in told && Number.isSafeInteger(told.offset_ms))
    return told.offset_ms as number;
  throw new Error(`No offset_ms in the answer (status ${reply.status})`);
}
