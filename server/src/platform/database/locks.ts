import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../runtime/runtime.ts';

/**
 * The advisory locks of the product and their numbers, none of which may ever mean another: a version of yesterday may run
 * beside this one. A transaction that takes several takes them in this order.
 */
export const LOCKS = {
  /** Processes that start together migrate one after the other. */
  migrations: 620_311_047,
  /** One of several starting processes stores the world of the data. */
  installation: 620_311_063,
  /** One of several starting processes makes the first superuser. */
  firstSuperuser: 620_311_048,
  /** One engine tells that the prices are down, one that the heartbeat of the account is not taken. */
  feedDown: 620_311_051,
  deadMansSwitch: 620_311_052,
  /** Two who change settings both judge by what holds. */
  settings: 620_311_053,
  /** Two superusers who remove each other would otherwise each find the other one still there. */
  superusers: 620_311_054,
  /** Serialises decisions on selling shares. */
  selling: 620_311_055,
  /** Serialises decisions on spending cash. */
  spending: 620_311_056,
  /** Relations are stated and approved one at a time, and not while the venue is read again about their markets. */
  humanRelations: 620_311_058,
  /** One process seals entries of the ledger, or compares it with the venue. */
  ledger: 620_311_059,
  /** Who works out results of batches has read all that was written before. */
  results: 620_311_060,
  /** One rehearsal runs at a time, and so many wait. */
  rehearsals: 620_311_061,
  /** Entries are chained one after the other; the last of all, see `recordAction`. */
  auditChain: 620_311_057,
} as const;

/** Waits for the lock and holds it until the transaction ends. */
export async function lock(tx: Db, name: keyof typeof LOCKS): Promise<void> {
  await tx.execute(locking(name));
}

/** The statement behind it. Later statements of the transaction see what the previous holder of the lock has committed. */
export function locking(name: keyof typeof LOCKS): SQL {
  return sql`select pg_advisory_xact_lock(${LOCKS[name]})`;
}

/** All statements of `read` see what is there at one moment, whatever others commit between them. They run one after the other. */
export function inOneSnapshot<Answer>(db: Db, read: (tx: Db) => Promise<Answer>): Promise<Answer> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}
