/** Tokens that set a new password: in a link that only the owner of an account gets, and here only as what they hash to. */

import { createHash } from 'node:crypto';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { and, desc, eq, gt, notInArray } from 'drizzle-orm';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockUser } from '../users/store.ts';
import { passwordResets } from '../users/table.ts';

export const RESET_HOURS = 48;

const TOKEN_BYTES = 32;
/** Valid reset links of a user, the newest. A person often opens the older of two mails. */
const LIVE_TOKENS_MAX = 3;

/** A new token for a user whose row is locked in `tx`. */
export async function makeResetToken(
  tx: Db,
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  userId: string,
): Promise<string> {
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
  const createdAt = clock.now();
  const expiresAt = instantFromMs(createdAt + RESET_HOURS * 3_600_000);
  const others = await tx
    .select({ tokenHash: passwordResets.tokenHash })
    .from(passwordResets)
    .where(and(eq(passwordResets.userId, userId), gt(passwordResets.expiresAt, createdAt)))
    .orderBy(desc(passwordResets.createdAt))
    .limit(LIVE_TOKENS_MAX - 1);
  const kept = others.map(({ tokenHash }) => tokenHash);
  const isTooMany = and(eq(passwordResets.userId, userId), notInArray(passwordResets.tokenHash, kept));
  await tx.delete(passwordResets).where(isTooMany);
  await tx.insert(passwordResets).values({ tokenHash: hashOf(token), userId, createdAt, expiresAt });
  return token;
}

/**
 * Uses a token up. @returns whose it was, locked until the transaction ends; null when there is no such token, when it
 * has expired, or when another call has just used it.
 */
export async function takeResetToken(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  token: string,
): Promise<UserRow | null> {
  const isIt = and(eq(passwordResets.tokenHash, hashOf(token)), gt(passwordResets.expiresAt, clock.now()));
  const [found] = await tx.select({ userId: passwordResets.userId }).from(passwordResets).where(isIt);
  // The user first, as everywhere: two who use two tokens of one user would otherwise wait for each other.
  const user = found ? await lockUser(tx, found.userId) : null;
  const taken = await tx.delete(passwordResets).where(isIt).returning({ userId: passwordResets.userId });
  return taken.length > 0 ? user : null;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
