import { lock } from '../../platform/database/locks.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { Passwords } from './passwords.ts';
import { users } from './table.ts';

/**
 * Makes the first superuser where there is no user at all. @returns the password that was made up for it, to be shown
 * once; null when one was given or nothing was to be done.
 */
export async function ensureFirstSuperuser(
  { config, db, random, clock }: Pick<Runtime, 'config' | 'db' | 'random' | 'clock'>,
  passwords: Passwords,
): Promise<string | null> {
  const { email, password } = config.firstSuperuser;
  if (await db.$count(users)) return null;
  const madeUp = password === null ? Buffer.from(random.bytes(15)).toString('base64url') : null;
  const passwordHash = await passwords.hash(password ?? madeUp ?? '');
  return db.transaction(async (tx) => {
    await lock(tx, 'firstSuperuser');
    if (await tx.$count(users)) return null;
    await tx.insert(users).values({
      id: random.uuid(),
      email,
      passwordHash,
      isSuperuser: true,
      isActive: true,
      createdAt: clock.now(),
    });
    return madeUp;
  });
}
