import path from 'node:path';
import { and, asc, eq } from 'drizzle-orm';
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

/** What a later start says in place of a password: the oldest superuser that may sign in, and how to get a new password. */
export async function signInWords({ config, db }: Pick<Runtime, 'config' | 'db'>): Promise<string[]> {
  const [oldest] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.isSuperuser, true), eq(users.isActive, true)))
    .orderBy(asc(users.createdAt))
    .limit(1);
  if (oldest === undefined) return [];
  const { dataDir, smtpUrl } = config;
  const where = smtpUrl === null ? `a file in ${path.join(dataDir, 'mail')}` : 'sent to that address';
  return [
    `Sign in as ${oldest.email}. For a new password press "Forgot Password?" on the login page: the link is ${where}.`,
  ];
}
