/** The rows of second factors. A user has one once an authenticator was confirmed, or a passkey added. */
import type { SecondFactor } from '@dutchbook/contract/second-factor.ts';
import { and, arrayContains, eq, isNotNull, isNull, lt, not, or } from 'drizzle-orm';
import { openSecret, sealSecret } from '../../platform/config/sealed-secret.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { endedSignOffs } from '../users/store.ts';
import { users } from '../users/table.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import { passkeyChallenges, passkeys, recoveryCodes, secondFactors } from './table.ts';

export type StoredFactor = {
  authenticator: typeof secondFactors.$inferSelect | null;
  keys: (typeof passkeys.$inferSelect)[];
};

/** What the user can prove; null when there is nothing to prove. */
export async function readFactor(db: Db, userId: string): Promise<StoredFactor | null> {
  const [authenticator = null] = await db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.totpConfirmedAt)));
  const keys = await db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt);
  return authenticator === null && keys.length === 0 ? null : { authenticator, keys };
}

export async function presentFactor(db: Db, userId: string): Promise<SecondFactor> {
  const factor = await readFactor(db, userId);
  return {
    authenticator: (factor?.authenticator ?? null) !== null,
    recovery_codes_left: await countRecoveryCodes(db, userId),
    passkeys: (factor?.keys ?? []).map((key) => ({
      ...{ id: key.credentialId, name: key.name, created_at: key.createdAt, last_used_at: key.lastUsedAt },
    })),
  };
}

type Sealing = Pick<Runtime, 'config' | 'random'>;

/** Remembers a secret that is not confirmed yet, in place of an earlier one. @returns false where one is confirmed */
export async function storeUnconfirmed(db: Db, runtime: Sealing, userId: string, secret: string): Promise<boolean> {
  const sealed = sealSecret(runtime.config.secretKey, sealName(userId), secret, runtime.random);
  const stored = await db
    .insert(secondFactors)
    .values({ userId, totpSecret: sealed })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { totpSecret: sealed, totpRefusedSteps: [], isClockOffSaid: false },
      setWhere: isNull(secondFactors.totpConfirmedAt),
    })
    .returning({ userId: secondFactors.userId });
  return stored.length > 0;
}

/** The secret that waits to be confirmed. */
export async function readUnconfirmed(db: Db, userId: string): Promise<typeof secondFactors.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNull(secondFactors.totpConfirmedAt)));
  return row ?? null;
}

/** Base32; null where SECRET_KEY is another one than it was sealed with. */
export function secretOf({ config }: Pick<Runtime, 'config'>, row: typeof secondFactors.$inferSelect): string | null {
  return openSecret(config.secretKey, sealName(row.userId), row.totpSecret);
}

/** Takes the code of a step, once. @returns whether neither it nor a later one was taken, and it was not refused before */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const taken = await db
    .update(secondFactors)
    .set({ totpLastStep: step, isClockOffSaid: false })
    .where(
      and(
        eq(secondFactors.userId, userId),
        or(isNull(secondFactors.totpLastStep), lt(secondFactors.totpLastStep, step)),
        not(arrayContains(secondFactors.totpRefusedSteps, [step])),
      ),
    )
    .returning({ userId: secondFactors.userId });
  return taken.length > 0;
}

/**
 * Remembers that the code of a step was refused because its time is over or still to come. `saysClockOff`: the reply may hint at
 * the clock, once until a code is taken. @returns whether the hint was not given yet
 */
export async function refuseStep(
  db: Db,
  userId: string,
  { step, now }: { step: number; now: number },
  saysClockOff: boolean,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId)).for('update');
    if (row === undefined) return false;
    const toCome = [...row.totpRefusedSteps, step].filter((each) => each > now - STEPS_KEPT);
    await tx
      .update(secondFactors)
      .set({ totpRefusedSteps: toCome, isClockOffSaid: row.isClockOffSaid || saysClockOff })
      .where(eq(secondFactors.userId, userId));
    return !row.isClockOffSaid;
  });
}

/** Longer than any code is taken. */
const STEPS_KEPT = 5;

export async function confirm(db: Db, { clock }: Pick<Runtime, 'clock'>, userId: string): Promise<void> {
  await db.update(secondFactors).set({ totpConfirmedAt: clock.now() }).where(eq(secondFactors.userId, userId));
}

/** All of it: the password alone opens the account. */
export async function forgetFactor(tx: Db, { id }: Pick<UserRow, 'id'>): Promise<void> {
  for (const table of [secondFactors, recoveryCodes, passkeys, passkeyChallenges])
    await tx.delete(table).where(eq(table.userId, id));
  await tx.update(users).set(endedSignOffs()).where(eq(users.id, id));
}

function sealName(userId: string): string {
  return `authenticator of ${userId}`;
}
