import { API_TOKEN_PREFIX } from '@dutchbook/contract/api-tokens.ts';
import { recordAction } from '../../platform/audit/record.ts';
import { networkOf } from '../../platform/http/attempts.ts';
import type { Authentication } from '../../platform/http/signed-in.ts';
import { openSingleFlight } from '../../platform/http/single-flight.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { isLive, noteUse, preparedApiToken, type StoredApiToken } from './store.ts';

/** How exactly it is known when a token was used last. */
const USED_MS = 60_000;

export function isApiToken(token: string): boolean {
  return token.startsWith(API_TOKEN_PREFIX);
}

/** Who is behind an API token that a call came with from `address`. */
export function openApiTokens({
  clock,
  db,
  dbFor,
  log,
}: Pick<Runtime, 'clock' | 'db' | 'dbFor' | 'log'>): (token: string, address: string) => Promise<Authentication> {
  const readOne = preparedApiToken(dbFor.sessions);
  const reads = openSingleFlight();
  const notedAt = new Map<string, number>();

  /** Behind the call that it is used by. */
  const note = (found: StoredApiToken, address: string) => {
    const now = clock.now();
    const network = networkOf(address);
    const key = `${found.token.id} ${network}`;
    if (now - (notedAt.get(key) ?? 0) < USED_MS) return;
    for (const [each, at] of notedAt) if (now - at >= USED_MS) notedAt.delete(each);
    notedAt.set(key, now);
    const { id, name } = found.token;
    db.transaction(async (tx) => {
      if (await noteUse(tx, { id, now, address, network }))
        await recordAction(
          tx,
          { clock },
          { id: found.user.id, email: found.user.email, address },
          {
            action: 'token.used',
            object: name,
            after: { id, network },
          },
        );
    }).catch((error: unknown) => log.warn({ err: error }, 'use of an API token not noted'));
  };

  return async (text, address) => {
    const found = await reads(text, () => readOne(text));
    if (found === null || !isLive(found, clock.now())) return { kind: 'invalid' };
    const { user, token } = found;
    if (!user.isActive) return { kind: 'inactive' };
    note(found, address);
    return {
      kind: 'user',
      user: { ...user, isSuperuser: user.isSuperuser && token.scope === 'admin' },
      session: { id: token.id, userId: user.id, epoch: token.epoch, expiresAt: token.expiresAt },
      token: { name: token.name, scope: token.scope },
    };
  };
}
