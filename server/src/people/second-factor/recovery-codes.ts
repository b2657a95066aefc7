import { createHash } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { recoveryCodes } from './table.ts';
import { secretText } from './totp.ts';

const CODES = 10;
/** Eighty bits: too many to find from their hash. */
const CODE_BYTES = 10;
const GROUP = /.{4}(?=.)/g;

/** New ones in place of those before. @returns them as they are shown, once */
export async function replaceRecoveryCodes(tx: Db, { random }: Pick<Runtime, 'random'>, userId: string) {
  const codes = Array.from({ length: CODES }, () => secretText(random.bytes(CODE_BYTES)).toLowerCase());
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(code) })));
  return codes.map((code) => code.replaceAll(GROUP, '$&-'));
}

/** Uses a code up. `code`: without dashes and spaces. @returns whether it was one that had not been used */
export async function takeRecoveryCode(
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const taken = await tx
    .update(recoveryCodes)
    .set({ usedAt: clock.now() })
    .where(
      and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, hashOf(code)), isNull(recoveryCodes.usedAt)),
    )
    .returning({ userId: recoveryCodes.userId });
  return taken.length > 0;
}

export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
}

function hashOf(code: string): string {
  return createHash('sha256').update(code.toLowerCase()).digest('hex');
}
