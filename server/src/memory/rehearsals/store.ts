import * as contract from '@dutchbook/contract/rehearsals.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, count, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { opportunitiesAt } from '../../market/opportunities/find.ts';
import { users } from '../../people/users/table.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { presentDifference, presentRehearsal } from './present.ts';
import { rehearsalDifferences, rehearsals } from './table.ts';

type StoreRuntime = Pick<Runtime, 'config' | 'db' | 'clock' | 'random'>;

const COLUMNS = { ...getTableColumns(rehearsals), createdByEmail: users.email };
const UNFINISHED: contract.RehearsalState[] = ['queued', 'running'];

type Requested = {
  from: Instant;
  until: Instant;
  changes: contract.RehearsalChanges;
  assumePlacing: boolean;
};

/** Puts it behind those that wait, and removes the oldest that have ended where there are too many. @throws Conflict */
export async function addRehearsal(
  runtime: StoreRuntime,
  actor: Actor,
  { from, until, changes, assumePlacing }: Requested,
): Promise<contract.Rehearsal> {
  const { db, clock, random } = runtime;
  const id = random.uuid();
  const written = z.encode(contract.rehearsalChanges, changes);
  await db.transaction(async (tx) => {
    await lock(tx, 'rehearsals');
    const [waiting] = await tx.select({ count: count() }).from(rehearsals).where(eq(rehearsals.state, 'queued'));
    if ((waiting?.count ?? 0) >= contract.REHEARSALS_WAITING_MAX)
      throw new Conflict(`${contract.REHEARSALS_WAITING_MAX} rehearsals wait already. Cancel one, or try again later.`);
    await tx.insert(rehearsals).values({
      ...{ id, venue: venueOf(runtime), createdAt: clock.now(), createdBy: actor.id, state: 'queued' },
      ...{ from, until, changes: written, assumePlacing, progress: 0 },
    });
    await removeOldest(tx);
    const after = { ...(written as JsonObject), assume_placing: assumePlacing };
    await recordAction(tx, runtime, actor, { action: 'rehearsal.created', object: id, after });
  });
  return await readRehearsal(runtime, id);
}

/** Removes the oldest rehearsals beyond the limit; waiting and running ones are always fewer than that. */
async function removeOldest(tx: Db): Promise<void> {
  const beyond = await tx
    .select({ id: rehearsals.id })
    .from(rehearsals)
    .orderBy(desc(rehearsals.createdAt), desc(rehearsals.id))
    .offset(contract.REHEARSALS_KEPT_MAX);
  const ids = beyond.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(rehearsals).where(inArray(rehearsals.id, ids));
}

export async function listRehearsals(
  runtime: StoreRuntime,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ data: contract.Rehearsal[]; count: number }> {
  const where = eq(rehearsals.venue, venueOf(runtime));
  const rows = await select(runtime, where)
    .orderBy(desc(rehearsals.createdAt), desc(rehearsals.id))
    .offset(skip)
    .limit(limit);
  return { data: rows.map(presentRehearsal), count: await runtime.db.$count(rehearsals, where) };
}

/** @throws NotFound */
export async function readRehearsal(runtime: StoreRuntime, id: string): Promise<contract.Rehearsal> {
  const [row] = await select(runtime, byId(runtime, id));
  if (row === undefined) throw notFound();
  return presentRehearsal(row);
}

/** @throws NotFound */
export async function listDifferences(
  runtime: StoreRuntime,
  id: string,
  { skip, limit, venue }: { skip: number; limit: number; venue?: VenueName | undefined },
): Promise<{ data: contract.RehearsalDifference[]; count: number }> {
  await readRehearsal(runtime, id);
  const opportunityId = sql`(${rehearsalDifferences.difference} ->> 'opportunity_id')::uuid`;
  const where = and(
    eq(rehearsalDifferences.rehearsalId, id),
    venue && sql`${opportunityId} in (${opportunitiesAt(venue)})`,
  );
  const rows = await runtime.db
    .select({ difference: rehearsalDifferences.difference })
    .from(rehearsalDifferences)
    .where(where)
    .orderBy(asc(rehearsalDifferences.place))
    .offset(skip)
    .limit(limit);
  return { data: rows.map(presentDifference), count: await runtime.db.$count(rehearsalDifferences, where) };
}

/** The process that runs it finds out within half a second. @throws NotFound, Conflict */
export async function cancelRehearsal(runtime: StoreRuntime, actor: Actor, id: string): Promise<contract.Rehearsal> {
  await runtime.db.transaction(async (tx) => {
    const canceled = await tx
      .update(rehearsals)
      .set({ state: 'canceled', endedAt: runtime.clock.now(), owner: null, leaseUntil: null })
      .where(and(byId(runtime, id), inArray(rehearsals.state, UNFINISHED)))
      .returning({ id: rehearsals.id });
    if (canceled.length > 0) await recordAction(tx, runtime, actor, { action: 'rehearsal.canceled', object: id });
  });
  const rehearsal = await readRehearsal(runtime, id);
  if (rehearsal.state !== 'canceled') throw new Conflict('The rehearsal has ended already.');
  return rehearsal;
}

/** One that runs is ended by that as well. @throws NotFound */
export async function deleteRehearsal(runtime: StoreRuntime, actor: Actor, id: string): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const deleted = await tx.delete(rehearsals).where(byId(runtime, id)).returning({ changes: rehearsals.changes });
    const [row] = deleted;
    if (row === undefined) throw notFound();
    const before = row.changes as JsonObject;
    await recordAction(tx, runtime, actor, { action: 'rehearsal.deleted', object: id, before });
  });
}

export function venueOf({ config }: Pick<Runtime, 'config'>): string {
  return modeOf(config.venueMode).keptUnder;
}

function select({ db }: StoreRuntime, where: SQL | undefined) {
  return db.select(COLUMNS).from(rehearsals).leftJoin(users, eq(users.id, rehearsals.createdBy)).where(where);
}

function byId(runtime: StoreRuntime, id: string): SQL | undefined {
  return and(eq(rehearsals.id, id), eq(rehearsals.venue, venueOf(runtime)));
}

const notFound = () => new NotFound('Rehearsal not found');
