/** What may happen to a product of many processes, in the order that the dice say. */
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

type Deed = (desk: ManyDesk, say: (deed: string) => void) => Promise<unknown> | undefined;

/** How often each comes, and what it is. What takes its time is waited for in the end only. */
const DEEDS: readonly [weight: number, deed: Deed][] = [
  [5, kill],
  [5, freeze],
  [8, misbehave],
  [2, breakConnections],
  [1, restartDatabase],
  [1, takeAllConnections],
  [1, holdUpTheDatabase],
];

/** Makes trouble until `isOver`, and resolves when every process goes on by itself again. Says what it does. */
export async function makeTrouble(desk: ManyDesk, isOver: () => boolean, say: (deed: string) => void): Promise<void> {
  const all = DEEDS.flatMap(([weight, deed]) => Array.from({ length: weight }, () => deed));
  const begun: unknown[] = [];
  while (!isOver()) {
    const deed = desk.dice.pick(all);
    const done = deed?.(desk, say);
    if (deed === restartDatabase) await done;
    else begun.push(done);
    await pause(desk.dice.between(500, 2500));
  }
  await Promise.all(begun);
}

function kill({ dice, processes }: ManyDesk, say: (deed: string) => void): undefined {
  const victim = dice.pick(processes);
  say(`kills ${victim?.roles}`);
  victim?.kill();
}

function freeze({ dice, processes }: ManyDesk, say: (deed: string) => void): Promise<void> | undefined {
  const victim = dice.pick(processes.filter(({ roles }) => roles.includes('engine')));
  const ms = dice.between(500, 12_000);
  say(`stops ${victim?.roles} for ${ms} ms`);
  return victim?.freeze(ms);
}

function misbehave({ dice, exchange }: ManyDesk, say: (deed: string) => void): Promise<unknown> | undefined {
  const fault = dice.pick(FAULTS);
  say(`exchange: ${fault?.name}`);
  return fault && exchange.fault(fault);
}

function breakConnections({ query }: ManyDesk, say: (deed: string) => void): Promise<unknown> {
  say('breaks all database connections');
  return query(BREAK_CONNECTIONS).catch(() => {});
}

function restartDatabase({ dice, database, longestAwayMs }: ManyDesk, say: (deed: string) => void): Promise<void> {
  const awayMs = dice.pick([0, 0, longestAwayMs / 6, longestAwayMs]) ?? 0;
  say(`restarts the database, which is away for ${awayMs} ms`);
  return database.restart(awayMs);
}

/** Nobody who has no connection yet gets one. */
async function takeAllConnections({ database }: ManyDesk, say: (deed: string) => void): Promise<void> {
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

async function holdUpTheDatabase({ query }: ManyDesk, say: (deed: string) => void): Promise<void> {
  say('holds up every statement on batches and on engines');
  const hold = `do $$ begin
    lock table batches, engine_shares in access exclusive mode;
    perform pg_sleep(${HELD_UP_MS / 1000});
  end $$`;
  await query(hold).catch(() => {});
}
