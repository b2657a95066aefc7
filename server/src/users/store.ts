import { eq, sql } from 'drizzle-orm';
import { users } from '../world/schema.ts';
import type { Db } from '../world/world.ts';

export type UserRow = typeof users.$inferSelect;

export async function readUser(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** By email, in whatever case it was given. */
export async function readUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()));
  return row ?? null;
}
