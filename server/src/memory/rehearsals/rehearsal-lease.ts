/** The lease of a rehearsal: one runs at a time, in one process, which renews its lease of ten seconds. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, asc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { lock } from '../../platform/database/locks.ts';
import { later } from '../../platform/runtime/clock.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { venueOf } from './store.ts';
import { rehearsalDifferences, rehearsals } from './table.ts';

const LEASE_MS = 10_000;
/** A rehearsal whose process died starts over once: it may be the reason why the process died. */
const ATTEMPTS_MAX = 2;

type LeaseRuntime = Pick<Runtime, 'config' | 'db' | 'clock' | 'databaseNow'>;

export type Taken = Pick<typeof rehearsals.$inferSelect, 'id' | 'from' | 'until' | 'changes' | 'assumePlacing'>;

/** The oldest rehearsal that is queued or whose lease has run out; null where there is none, or where one is running. */
export async function takeNext(runtime: LeaseRuntime, owner: string): Promise<Taken | null> {
  const { db } = runtime;
  const unfinished = and(inArray(rehearsals.state, ['queued', 'running']), eq(rehearsals.venue, venueOf(runtime)));
  if ((await db.$count(rehearsals, unfinished)) === 0) return null;
  return await db.transaction(async (tx) => {
    await lock(tx, 'rehearsals');
    const now = runtime.databaseNow();
    const isRunning = eq(rehearsals.state, 'running');
    const isLost = and(isRunning, lt(rehearsals.leaseUntil, now));
    await tx
      .update(rehearsals)
      .set({ ...ended(runtime, 'failed'), error: `The product ended ${ATTEMPTS_MAX} times while it ran.` })
      .where(and(isLost, gte(rehearsals.attempts, ATTEMPTS_MAX)));
    if ((await tx.$count(rehearsals, and(isRunning, gte(rehearsals.leaseUntil, now)))) > 0) return null;
    const next = tx
      .select({ id: rehearsals.id })
      .from(rehearsals)
      .where(and(unfinished, or(eq(rehearsals.state, 'queued'), isLost)))
      .orderBy(asc(rehearsals.createdAt), asc(rehearsals.id))
      .limit(1);
    const [taken] = await tx
      .update(rehearsals)
      .set({
        ...{ state: 'running', owner, leaseUntil: later(now, LEASE_MS), progress: 0 },
        attempts: sql`${rehearsals.attempts} + 1`,
      })
      .where(inArray(rehearsals.id, next))
      .returning(TAKEN);
    return taken ?? null;
  });
}

const TAKEN = {
  id: rehearsals.id,
  from: rehearsals.from,
  until: rehearsals.until,
  changes: rehearsals.changes,
  assumePlacing: rehearsals.assumePlacing,
};

/** Says how far it has come, 0 to 1. @returns whether it is still `owner`'s: it is not canceled, deleted, or taken by another */
export async function hold(runtime: LeaseRuntime, owner: string, id: string, progress: number): Promise<boolean> {
  const leaseUntil = later(runtime.databaseNow(), LEASE_MS);
  const held = await runtime.db
    .update(rehearsals)
    .set({ progress, leaseUntil })
    .where(heldBy(owner, id))
    .returning({ id: rehearsals.id });
  return held.length > 0;
}

export async function fail(runtime: LeaseRuntime, owner: string, id: string, error: string): Promise<void> {
  await runtime.db
    .update(rehearsals)
    .set({ ...ended(runtime, 'failed'), error })
    .where(heldBy(owner, id));
}

/** It waits again, as if it had not been begun. */
export async function giveBack({ db }: LeaseRuntime, owner: string, id: string): Promise<void> {
  await db
    .update(rehearsals)
    .set({ ...FREE, state: 'queued', progress: 0, attempts: sql`${rehearsals.attempts} - 1` })
    .where(heldBy(owner, id));
}

/** What was found, as it is on the wire; the differences in the order in which they are served. */
export type Found = { result: object; differences: readonly object[] };

/** Keeps what was found, unless it is not `owner`'s any more. */
export async function finish(db: Db, owner: string, id: string, at: Instant, found: Found): Promise<void> {
  await db.transaction(async (tx) => {
    const done = await tx
      .update(rehearsals)
      .set({ ...FREE, state: 'done', progress: 1, endedAt: at, result: found.result })
      .where(heldBy(owner, id))
      .returning({ id: rehearsals.id });
    if (done.length === 0 || found.differences.length === 0) return;
    const rows = found.differences.map((difference, place) => ({ rehearsalId: id, place, difference }));
    await tx.insert(rehearsalDifferences).values(rows);
  });
}

const FREE = { owner: null, leaseUntil: null };

function ended({ clock }: LeaseRuntime, state: 'failed') {
  return { ...FREE, state, endedAt: clock.now() };
}

function heldBy(owner: string, id: string): SQL | undefined {
  return and(eq(rehearsals.id, id), eq(rehearsals.owner, owner), eq(rehearsals.state, 'running'));
}
