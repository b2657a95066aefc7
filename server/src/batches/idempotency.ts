import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { idempotencyKeys } from '../world/schema.ts';
import type { Db, World } from '../world/world.ts';

/** A caller's key together with what it asks for, so that the same key with another request is told apart. */
export type IdempotentRequest = { userId: string; key: string; requestHash: string };

export function idempotentRequest(userId: string, key: string, request: unknown): IdempotentRequest {
  return { userId, key, requestHash: createHash('sha256').update(JSON.stringify(request)).digest('hex') };
}

export type Earlier = { kind: 'none' } | { kind: 'answered'; batchId: string } | { kind: 'differs' };

/** What this key was used for before. */
export async function earlierAnswer(db: Db, { userId, key, requestHash }: IdempotentRequest): Promise<Earlier> {
  const [earlier] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
  if (!earlier) return { kind: 'none' };
  return earlier.requestHash === requestHash ? { kind: 'answered', batchId: earlier.batchId } : { kind: 'differs' };
}

/** Another request was answered under this key in the meantime: nothing is recorded for this one. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** Binds the key to the batch in the transaction that records it. @throws KeyTaken, which undoes both. */
export async function bindKey(tx: Db, { clock }: World, request: IdempotentRequest, batchId: string): Promise<void> {
  const bound = await tx
    .insert(idempotencyKeys)
    .values({ ...request, batchId, createdAt: clock.now() })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (bound.length === 0) throw new KeyTaken('This key was used for another request');
}
