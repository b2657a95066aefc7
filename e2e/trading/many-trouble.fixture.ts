/** What may happen to a product of many processes, in the order that the random say. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { ManyDesk } from './many-desk.fixture.ts';

const FAULTS = [
  { name: 'accept_then_500' },
  { name: 'drop_response' },
  { name: 'drop_response', before: true },
  { name: 'hang', ms: 3000 },
  { name: 'rate_limit_429', ms: 1000 },
  { name: 'restart_425' },
  { name: 'duplicate_user_events', times: 5 },
  { name: 'reorder_user_events', times: 5 },
  { name: 'partial_fill', fraction: 0.3 },
  { name: 'fail_settlement' },
];

const HELD_UP_MS = 4000;

const BREAK_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name like 'dutchbook%'`;

type Trouble = (desk: ManyDesk, say: (trouble: string) => void) => Promise<unknown> | undefined;

/** How often each comes, and what it is. What takes its time is waited for in the end only. */
const TROUBLES: readonly [weight: number, trouble: Trouble][] = [
  [5, kill],
  [5, freeze],
  [8, misbehave],
  [2, breakConnections],
  [1, restartDatabase],
  [1, takeAllConnections],
  [1, holdUpTheDatabase],
];

/** Makes trouble until `isOver`, and resolves when every process goes on by itself again. Says what it does. */
export async function makeTrouble(
  desk: ManyDesk,
  isOver: () => boolean,
  say: (trouble: string) => void,
): Promise<void> {
  const all = TROUBLES.flatMap(([weight, trouble]) => Array.from({ length: weight }, () => trouble));
  const begun: unknown[] = [];
  while (!isOver()) {
    const trouble = desk.random.pick(all);
    const done = trouble?.(desk, say);
    if (trouble === restartDatabase) await done;
    else begun.push(done);
    await pause(desk.random.between(500, 2500));
  }
  await Promise.all(begun);
}

function kill({ random, processes }: ManyDesk, say: (trouble: string) => void): undefined {
  const victim = random.pick(processes);
  say(`kills ${victim?.roles}`);
  victim?.kill();
}

function freeze({ random, processes }: ManyDesk, say: (trouble: string) => void): Promise<void> | undefined {
  const victim = random.pick(processes.filter(({ roles }) => roles.includes('engine')));
  const ms = random.between(500, 12_000);
  say(`stops ${victim?.roles} for ${ms} ms`);
  return victim?.freeze(ms);
}

function misbehave({ random, exchange }: ManyDesk, say: (trouble: string) => void): Promise<unknown> | undefined {
  const fault = random.pick(FAULTS);
  say(`exchange: ${fault?.name}`);
  return fault && exchange.fault(fault);
}

function breakConnections({ query }: ManyDesk, say: (trouble: string) => void): Promise<unknown> {
  say('breaks all database connections');
  return query(BREAK_CONNECTIONS).catch(() => {});
}

function restartDatabase({ random, database, longestAwayMs }: ManyDesk, say: (trouble: string) => void): Promise<void> {
  const awayMs = random.pick([0, 0, longestAwayMs / 6, longestAwayMs]) ?? 0;
  say(`restarts the database, which is away for ${awayMs} ms`);
  return database.restart(awayMs);
}

/** No new connection is accepted. */
async function takeAllConnections({ database }: ManyDesk, say: (trouble: string) => void): Promise<void> {
  say('takes all database connections');
  const taken: pg.Client[] = [];
  for (let isFree = true; isFree; ) {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    isFree = await client.connect().then(
      () => taken.push(client) > 0,
      () => false,
    );
  }
  await pause(HELD_UP_MS);
  await Promise.all(taken.map((client) => client.end().catch(() => {})));
}

async function holdUpTheDatabase({ query }: ManyDesk, say: (trouble: string) => void): Promise<void> {
  say('holds up every statement on batches and on engines');
  const hold = `do $$ begin
    lock table batches, engine_partitions in access exclusive mode;
    perform pg_sleep(${HELD_UP_MS / 1000});
  end $$`;
  await query(hold).catch(() => {});
}
