/** What may happen to a product of many processes, in the order that the dice say. */
import { setTimeout as pause } from 'node:timers/promises';
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

const BREAK_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name like 'dutchbook%'`;

/** Makes trouble until `isOver`, and resolves when every process goes on by itself again. Says what it does. */
export async function makeTrouble(desk: ManyDesk, isOver: () => boolean, say: (deed: string) => void): Promise<void> {
  const { dice, processes, exchange, database } = desk;
  const frozen: Promise<void>[] = [];
  const deeds: [weight: number, deed: () => Promise<void> | void][] = [
    [
      5,
      () => {
        const victim = dice.pick(processes);
        say(`kills ${victim?.roles}`);
        victim?.kill();
      },
    ],
    [
      5,
      () => {
        const victim = dice.pick(processes.filter(({ roles }) => roles.includes('engine')));
        const ms = dice.between(500, 12_000);
        say(`stops ${victim?.roles} for ${ms} ms`);
        if (victim !== undefined) frozen.push(victim.freeze(ms));
      },
    ],
    [
      8,
      async () => {
        const fault = dice.pick(FAULTS);
        say(`exchange: ${fault?.name}`);
        if (fault !== undefined) await exchange.fault(fault);
      },
    ],
    [
      2,
      async () => {
        say('breaks all database connections');
        await desk.query(BREAK_CONNECTIONS).catch(() => {});
      },
    ],
    [
      1,
      async () => {
        say('restarts the database');
        await database.restart();
      },
    ],
  ];
  while (!isOver()) {
    let roll = dice.between(
      1,
      deeds.reduce((total, [weight]) => total + weight, 0),
    );
    for (const [weight, deed] of deeds) {
      if (roll > 0 && roll <= weight) await deed();
      roll -= weight;
    }
    await pause(dice.between(500, 2500));
  }
  await Promise.all(frozen);
}
