/**
 * The rows of API tokens. A token works while its row exists, has not expired and has the current session epoch of its owner, which a new
 * password raises. Whether the owner is active is for the caller to check.
 */
import { createHash } from 'node:crypto';
import { API_TOKEN_PREFIX, API_TOKENS_PER_USER, type ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { and, desc, eq, getTableColumns, gt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { tellSessionsEnded } from '../users/store.ts';
import { users } from '../users/table.ts';
import { apiTokens } from './table.ts';

const TOKEN_BYTES = 32;
const SHOWN_LENGTH = 10;
const DAY_MS = 24 * 3_600_000;
/** Those of the latest uses: a script in the cloud comes from another network every day. One that was dropped counts as new again. */
const NETWORKS_KEPT = 50;

export type ApiTokenRow = typeof apiTokens.$inferSelect;
export type StoredApiToken = { user: UserRow; token: ApiTokenRow };
type NewApiToken = { name: string; scope: ApiTokenScope; expires_in_days: number };

/** For a user whose row is locked in `tx`. @returns null when they have as many as they may */
export async function insertApiToken(
  tx: Db,
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  user: UserRow,
  { name, scope, expires_in_days }: NewApiToken,
): Promise<{ token: string; row: ApiTokenRow } | null> {
  const now = clock.now();
  const isDead = or(lte(apiTokens.expiresAt, now), ne(apiTokens.epoch, user.sessionEpoch));
  await tx.delete(apiTokens).where(and(eq(apiTokens.userId, user.id), isDead));
  if ((await tx.$count(apiTokens, eq(apiTokens.userId, user.id))) >= API_TOKENS_PER_USER) return null;
  const token = `${API_TOKEN_PREFIX}${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
  const [row] = await tx
    .insert(apiTokens)
    .values({
      ...{ id: random.uuid(), userId: user.id, epoch: user.sessionEpoch, name, scope },
      ...{ tokenHash: hashOf(token), prefix: token.slice(0, SHOWN_LENGTH) },
      ...{ createdAt: now, expiresAt: instantFromMs(now + expires_in_days * DAY_MS) },
    })
    .returning();
  if (!row) throw new Error('An API token that was written is not there');
  return { token, row };
}

/** Together with its owner, asked for by every call with it, so the statement is made once. */
export function preparedApiToken(db: Db): (token: string) => Promise<StoredApiToken | null> {
  const one = db
    .select({ user: getTableColumns(users), token: getTableColumns(apiTokens) })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(apiTokens.tokenHash, sql.placeholder('tokenHash')))
    .prepare('user_of_api_token');
  return async (token) => {
    const [found] = await one.execute({ tokenHash: hashOf(token) });
    return found ?? null;
  };
}

export function isLive({ user, token }: StoredApiToken, now: Instant): boolean {
  return token.expiresAt > now && token.epoch === user.sessionEpoch;
}

export async function isApiTokenLive(db: Db, id: string, now: Instant): Promise<boolean> {
  const [found] = await withOwner(db).where(and(eq(apiTokens.id, id), live(now)));
  return found !== undefined;
}

/** Usable API tokens of a user. */
export async function listApiTokensOf(db: Db, { id }: UserRow, now: Instant): Promise<ApiTokenRow[]> {
  const rows = await withOwner(db)
    .where(and(eq(apiTokens.userId, id), live(now)))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));
  return rows.map(({ token }) => token);
}

/** The tokens of all users that can be used; those of an inactive user cannot. */
export async function listAllLive(
  db: Db,
  now: Instant,
  page: { skip: number; limit: number },
): Promise<{ rows: StoredApiToken[]; count: number }> {
  const shown = and(live(now), eq(users.isActive, true));
  const rows = await withOwner(db)
    .where(shown)
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
    .offset(page.skip)
    .limit(page.limit);
  const countAll = async () => {
    const counted = db.select({ id: apiTokens.id }).from(apiTokens).innerJoin(users, eq(users.id, apiTokens.userId));
    return db.$count(counted.where(shown).as('live'));
  };
  return { rows, count: await countWithPage(page, rows.length, countAll) };
}

/** @returns what was revoked, with its owner; null where there is none, or none of `ownerId` where one is given */
export async function deleteApiToken(tx: Db, id: string, ownerId: string | null): Promise<StoredApiToken | null> {
  const isIt = and(eq(apiTokens.id, id), ownerId === null ? undefined : eq(apiTokens.userId, ownerId));
  const [found] = await withOwner(tx).where(isIt);
  const gone = await tx.delete(apiTokens).where(isIt).returning({ id: apiTokens.id });
  if (found === undefined || gone.length === 0) return null;
  await tellSessionsEnded(tx, id);
  return found;
}

/** Records a use. @returns whether the network is a new one; false where the token is gone */
export async function noteUse(
  tx: Db,
  { id, now, address, network }: { id: string; now: Instant; address: string; network: string },
): Promise<boolean> {
  const [row] = await tx
    .select({ networks: apiTokens.networks })
    .from(apiTokens)
    .where(eq(apiTokens.id, id))
    .for('update');
  if (!row) return false;
  const isNew = !row.networks.includes(network);
  const networks = [...row.networks.filter((known) => known !== network), network].slice(-NETWORKS_KEPT);
  await tx.update(apiTokens).set({ lastUsedAt: now, lastUsedAddress: address, networks }).where(eq(apiTokens.id, id));
  return isNew;
}

function withOwner(db: Db) {
  return db
    .select({ user: getTableColumns(users), token: getTableColumns(apiTokens) })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .$dynamic();
}

function live(now: Instant): SQL | undefined {
  return and(gt(apiTokens.expiresAt, now), eq(apiTokens.epoch, users.sessionEpoch));
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
