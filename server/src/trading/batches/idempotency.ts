import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@dutchbook/contract/endpoint.ts';
import { and, eq } from 'drizzle-orm';
import { type AskRuntime, type By, orAsk } from '../../people/sign-offs/ask.ts';
import { notDone } from '../../people/sign-offs/standing.ts';
import { signOffOfId } from '../../people/sign-offs/store.ts';
import { isDatabaseDown } from '../../platform/database/database-down.ts';
import { Conflict, Invalid, MayBeDone } from '../../platform/http/errors.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { idempotencyKeys } from './table.ts';

/** A caller's key together with what it asks for, so that the same key with another request is told apart. */
export type IdempotentRequest = { userId: string; key: string; requestHash: string };

/** The result of a trading call: its batch, and its sale if it was one. */
export type Recorded = { batchId: string; saleId: string | null };

export function idempotentRequest(userId: string, key: string, request: unknown): IdempotentRequest {
  return { userId, key, requestHash: createHash('sha256').update(JSON.stringify(request)).digest('hex') };
}

type Called = { user: { id: string }; request: { headers: IncomingHttpHeaders } };

/** The request of a call that was given a key; null without one. `asked` is all that it asks for. @throws Invalid */
export function requestUnderKey({ user, request }: Called, asked: unknown): IdempotentRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key.length === 0 || key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    const rule = `Give one key of 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} characters`;
    throw new Invalid(['header', 'idempotency-key'], rule, String(key).slice(0, 100));
  }
  return idempotentRequest(user.id, key, asked);
}

/** Binds the key, if there is one, to what was recorded; called in the transaction that records it. @throws KeyTaken, which undoes both. */
export type Bind = (tx: Db, runtime: Pick<Runtime, 'clock'>, recorded: Recorded) => Promise<void>;

/**
 * Does what is asked, once for each key: a request that was carried out before, or meanwhile, is answered with what it
 * did then. @throws Invalid when the key was used for another request; MayBeDone when the database goes away after `perform`
 * has bound it to what was recorded, and no key keeps the caller from doing it twice
 */
export async function oncePerKey<Answer>(
  runtime: Asking,
  request: IdempotentRequest | null,
  perform: (bind: Bind) => Promise<Recorded>,
  answer: (recorded: Recorded) => Promise<Answer>,
): Promise<Answer> {
  if (request !== null)
    return await answer(
      await carriedOutOnce(runtime, request, () => perform((...given) => bindKey(request, ...given))),
    );
  let mayBeDone = false;
  const bind: Bind = async () => {
    mayBeDone = true;
  };
  try {
    return await answer(await perform(bind));
  } catch (error) {
    throw mayBeDone && error instanceof Error && isDatabaseDown(error) ? new MayBeDone(error) : error;
  }
}

type Asking = Pick<Runtime, 'db' | 'clock'>;

/**
 * Like the function above, for a request that may need a sign-off: the key is bound to the sign-off, and the answer is what came of
 * it. @throws Conflict with the id of the sign-off while it is open, with what became of it once it has ended otherwise
 */
export async function onceOrAsk<Answer>(
  runtime: AskRuntime,
  by: By,
  request: IdempotentRequest | null,
  perform: (bind: Bind) => Promise<Recorded>,
  answer: (recorded: Recorded) => Promise<Answer>,
): Promise<Answer> {
  const once = () => oncePerKey(runtime, request, perform, answer);
  const remember = async (tx: Db, signOffId: string) => {
    if (request !== null) await bindKey(request, tx, runtime, { batchId: signOffId, saleId: null, signOffId });
  };
  try {
    return await orAsk(runtime, by, once, remember);
  } catch (error) {
    if (error instanceof KeyTaken) return await once();
    throw error;
  }
}

async function carriedOutOnce(
  runtime: Asking,
  request: IdempotentRequest,
  perform: () => Promise<Recorded>,
): Promise<Recorded> {
  const earlier = await recordedUnderKey(runtime, request);
  if (earlier !== null) return earlier;
  try {
    return await perform();
  } catch (error) {
    if (!(error instanceof KeyTaken || error instanceof Conflict)) throw error;
    const meanwhile = await recordedUnderKey(runtime, request);
    if (meanwhile === null) throw error;
    return meanwhile;
  }
}

/** The earlier result under this key; null for none. @throws Invalid when that was another request; Conflict as `onceOrAsk` */
async function recordedUnderKey(
  runtime: Asking,
  { userId, key, requestHash }: IdempotentRequest,
): Promise<Recorded | null> {
  const [earlier] = await runtime.db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
  if (!earlier) return null;
  if (earlier.requestHash !== requestHash)
    throw new Invalid(['header', 'idempotency-key'], 'This key was used for another request', key);
  if (earlier.signOffId !== null) return await doneBySignOff(runtime, earlier.signOffId);
  return { batchId: earlier.batchId, saleId: earlier.saleId };
}

async function doneBySignOff({ db, clock }: Asking, id: string): Promise<Recorded> {
  const signOff = await signOffOfId(db, id);
  if (signOff === null) throw new Error(`the sign-off ${id} is gone that an idempotency key is bound to`);
  const { state, batchId } = signOff;
  if (state === 'approved' && batchId !== null) return { batchId, saleId: null };
  throw notDone(signOff, clock.now());
}

/** Another request was answered under this key in the meantime: nothing is recorded for this one. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

async function bindKey(
  request: IdempotentRequest,
  tx: Db,
  { clock }: Pick<Runtime, 'clock'>,
  { batchId, saleId, signOffId = null }: Recorded & { signOffId?: string | null },
): Promise<void> {
  const bound = await tx
    .insert(idempotencyKeys)
    .values({ ...request, batchId, saleId, signOffId, createdAt: clock.now() })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (bound.length === 0) throw new KeyTaken('This key was used for another request');
}
