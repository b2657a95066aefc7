import { sql } from 'drizzle-orm';
import type { Passwords } from '../login/passwords.ts';
import { users } from '../world/schema.ts';
import type { World } from '../world/world.ts';

/** Any number that nobody else locks: of processes that start together, one makes the user. */
const FIRST_USER_LOCK = 620_311_048;

/**
 * Makes the first superuser where there is no user at all. @returns the password that was made up for it, to be told
 * once; null when one was given or nothing was to be done.
 */
export async function ensureFirstSuperuser(
  { config, db, dice, clock }: Pick<World, 'config' | 'db' | 'dice' | 'clock'>,
  passwords: Passwords,
): Promise<string | null> {
  const { email, password } = config.firstSuperuser;
  if (await db.$count(users)) return null;
  const madeUp = password === null ? Buffer.from(dice.bytes(15)).toString('base64url') : null;
  const passwordHash = await passwords.hash(password ?? madeUp ?? '');
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_USER_LOCK})`);
    if (await tx.$count(users)) return null;
    await tx.insert(users).values({
      id: dice.uuid(),
      email,
      passwordHash,
      isSuperuser: true,
      isActive: true,
      createdAt: clock.now(),
    });
    return madeUp;
  });
}
