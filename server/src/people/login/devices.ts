import { createHash } from 'node:crypto';
import { and, desc, eq, ne, or, sql } from 'drizzle-orm';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { knownDevices } from './table.ts';

type Owner = Pick<UserRow, 'id' | 'sessionEpoch'>;

/** What has logged in to an account before, as long as its password stays. Each has a token, of which the hash is stored. */
export type Devices = {
  /** Whether the token is of a device of this account; an account that does not exist has none, after as long a time. */
  isKnown: (owner: Owner | null, token: string | undefined) => Promise<boolean>;
  /** Whether nothing has logged in to the account so far. */
  areNone: (owner: Owner) => Promise<boolean>;
  /** Notes that it has logged in. @returns its token, a new one for a device that is not known */
  note: (owner: Owner, token: string | undefined) => Promise<string>;
};

const TOKEN_BYTES = 32;
/** Known devices of an account; the one that logged in longest ago is forgotten. */
const DEVICES_MAX = 10;

export function openDevices({ db, clock, random }: Pick<Runtime, 'db' | 'clock' | 'random'>): Devices {
  return {
    isKnown: async (owner, token) => {
      if (token === undefined) return false;
      const [device] = await db
        .select()
        .from(knownDevices)
        .where(eq(knownDevices.id, hashOf(token)));
      return device !== undefined && device.userId === owner?.id && device.epoch === owner.sessionEpoch;
    },
    areNone: async ({ id }) => (await db.$count(knownDevices, eq(knownDevices.userId, id))) === 0,
    note: async ({ id: userId, sessionEpoch: epoch }, known) => {
      const token = known ?? Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
      const device = { id: hashOf(token), userId, epoch, lastUsedAt: clock.now() };
      await db.transaction(async (tx) => {
        await tx
          .insert(knownDevices)
          .values(device)
          .onConflictDoUpdate({ target: knownDevices.id, set: { lastUsedAt: device.lastUsedAt } });
        const kept = tx
          .select({ id: knownDevices.id })
          .from(knownDevices)
          .where(and(eq(knownDevices.userId, userId), ne(knownDevices.id, device.id), eq(knownDevices.epoch, epoch)))
          .orderBy(desc(knownDevices.lastUsedAt))
          .limit(DEVICES_MAX - 1);
        const isOver = or(ne(knownDevices.epoch, epoch), sql`${knownDevices.id} not in ${kept}`);
        await tx
          .delete(knownDevices)
          .where(and(eq(knownDevices.userId, userId), ne(knownDevices.id, device.id), isOver));
      });
      return token;
    },
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
