/** Sessions and an API token beside the one that a test calls with, and what becomes of them while the database is away. */
import { createApiToken, revokeApiToken } from '@dutchbook/contract/api-tokens.ts';
import { disarmTrading } from '@dutchbook/contract/arming.ts';
import { cancelBatch } from '@dutchbook/contract/batches.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { endSession, listSessions, logOut } from '@dutchbook/contract/sessions.ts';
import { expect } from 'vitest';
import { eventually } from '../product/eventually.ts';
import { callerWith, type Product, SUPERUSER, signedInCaller } from '../product/product.ts';

const NO_BATCH = '00000000-0000-4000-8000-000000000000';

export async function someSessions(product: Product) {
  const [ended, leaving, unknown, lost] = [await signIn(), await signIn(), await signIn(), await signIn()];
  const body = { name: 'script', scope: 'admin', expires_in_days: 1 };
  const made = await product.call(createApiToken, { body });
  const script = callerWith(product.url, made.reply.token);
  for (const { call } of [ended, leaving, script, lost]) expect((await call(readMe)).status).toBe(200);
  await ended.call(logOut);
  await eventually('a session has ended', async () => ((await ended.call(readMe)).status === 403 ? true : null));

  const { reply: listed } = await lost.call(listSessions);
  const session_id = listed.data.find(({ current }) => current)?.id ?? '';

  async function signIn() {
    return await signedInCaller(product.url, SUPERUSER);
  }
  const statusOf = async ({ call }: Pick<Product, 'call'>) => (await call(disarmTrading, { query: {} })).status;

  return {
    /** Every call that stops something succeeds for a caller that was authenticated lately and not revoked since. */
    async stopMeanwhile(): Promise<void> {
      const statuses = await Promise.all([ended, unknown, leaving, script].map(statusOf));
      expect(statuses).toEqual([503, 503, 202, 202]);
      const stopped = await Promise.all([
        product.call(endSession, { params: { session_id } }),
        leaving.call(logOut),
        product.call(revokeApiToken, { params: { token_id: made.reply.id } }),
        product.call(cancelBatch, { params: { batch_id: NO_BATCH } }),
      ]);
      expect(stopped.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      const shutOut = [leaving, script, lost];
      expect(await Promise.all(shutOut.map(statusOf))).toEqual([403, 403, 403]);
    },
    /** `url`: where the product listens since it was started again. */
    async expectStopped(url = product.url): Promise<void> {
      const statusAt = async ({ token }: Pick<Product, 'token'>) => (await callerWith(url, token).call(readMe)).status;
      const shutOut = [ended, leaving, script, lost];
      expect(await Promise.all(shutOut.map(statusAt))).toEqual([403, 403, 403, 403]);
      expect(await statusAt(unknown)).toBe(200);
    },
  };
}
