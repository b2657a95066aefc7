/** A new version comes as a deployment brings it: one process after the other, while people and prices go on. */
import { setTimeout as pause } from 'node:timers/promises';
import { listBatches } from '@dutchbook/contract/batches.ts';
import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { listOpportunities } from '@dutchbook/contract/opportunities.ts';
import { listOrders } from '@dutchbook/contract/orders.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { type Caller, SUPERUSER, signedInCaller } from '../product/product.ts';
import { type Balancer, openBalancer } from './many-balancer.fixture.ts';
import { buyByHand, type ManyDesk, moveSet } from './many-desk.fixture.ts';
import type { Supervised } from './many-processes.fixture.ts';

const LISTS = [listOpportunities, listBatches, listOrders, listNotifications];
const READ_EVERY_MS = 20;

/**
 * `replaced`: in their order. `triggersBetween`: how often every set has to come up until the next one follows.
 * `olderProgram`: one of them then goes back to that, as in a roll-back, and forth again.
 */
export type Plan = { replaced: readonly Supervised[]; triggersBetween: number; olderProgram: string | undefined };

/**
 * Replaces processes by others of this build under the load of calls and of prices that trigger. A user who was signed in
 * stays so.
 */
export async function replaceOneByOne(desk: ManyDesk, plan: Plan, say: (line: string) => void) {
  const migrationsBefore = await countMigrations(desk);
  const balancer = await openBalancer(desk.processes.filter(({ roles }) => roles.includes('api')));
  for (const api of desk.processes.filter(({ roles }) => roles.includes('api'))) await balancer.whenHealthy(api);
  const caller = await signedInCaller(balancer.url, SUPERUSER);
  let isDone = false;
  const isOver = () => isDone;
  const done = () => {
    isDone = true;
  };
  // Whatever fails ends the others, so that nothing of this goes on in the next test.
  const outcomes = await Promise.allSettled([
    replaceAll(desk, balancer, plan, say).finally(done),
    ...desk.sets.map((set) => moveSet(desk, set, isOver).finally(done)),
    buyByHand({ ...desk, caller: async () => caller }, isOver).finally(done),
    readOn(caller, isOver).finally(done),
  ]);
  await balancer.close();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const { seen } = balancer;
  say(`migrations: ${migrationsBefore} before, ${await countMigrations(desk)} after`);
  say(
    `${triggersOf(desk)} triggers, noticed after ${desk.longestUnnoticedMs.toFixed(0)} ms at most; ` +
      `${desk.placed.size} batches by hand`,
  );
  say(
    `${seen.calls} calls, ${seen.failed.length} failed, ${seen.passedOn} went to another process than at first, ` +
      `the longest took ${seen.longestMs.toFixed(0)} ms`,
  );
  expect(seen.failed).toEqual([]);
  expect(desk.processes.flatMap(({ failures }) => failures())).toEqual([]);
}

async function replaceAll(desk: ManyDesk, balancer: Balancer, plan: Plan, say: (line: string) => void) {
  const { replaced, triggersBetween, olderProgram } = plan;
  const replace = async (each: Supervised, program?: string) => {
    say(`replaces ${each.roles}${program ? ' by the older build again' : ''}`);
    await each.replace(() => desk.launch(each.roles, program));
    if (each.roles.includes('api')) await balancer.whenHealthy(each);
    await comeUp(desk, triggersBetween);
  };
  await comeUp(desk, triggersBetween);
  for (const each of replaced) await replace(each);
  for (const role of olderProgram ? ['engine', 'api'] : []) {
    const back = replaced.findLast(({ roles }) => roles.includes(role));
    if (back === undefined) continue;
    await replace(back, olderProgram);
    await replace(back);
  }
}

async function countMigrations({ query }: ManyDesk): Promise<number> {
  const [row] = await query<{ count: number }>('select count(*)::int as count from drizzle.__drizzle_migrations');
  return row?.count ?? 0;
}

export function triggersOf({ episodes }: ManyDesk): number {
  return [...episodes.values()].reduce((sum, count) => sum + count, 0);
}

/** Every set comes up so often from now on. */
async function comeUp({ sets, episodes }: ManyDesk, times: number): Promise<void> {
  const count = (id: string) => episodes.get(id) ?? 0;
  const wanted = sets.map(({ opportunityId: id }) => [id, count(id) + times] as const);
  await eventually('every set has come up', async () =>
    wanted.every(([id, least]) => count(id) >= least) ? true : null,
  );
}

/** Reads lists until `isOver`, each from any process; an older version may know less of what a list holds. */
async function readOn({ url, token }: Caller, isOver: () => boolean): Promise<void> {
  for (let nth = 0; !isOver(); nth += 1) {
    const path = `${API_PREFIX}${LISTS[nth % LISTS.length]?.path}`;
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
    await pause(READ_EVERY_MS);
  }
}
