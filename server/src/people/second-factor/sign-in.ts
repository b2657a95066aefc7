import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit/record.ts';
import { type Attempts, countAttempts, refuseTooMany } from '../../platform/http/attempts.ts';
import { Refusal } from '../../platform/http/errors.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { placeOf, provenByPasskey, requestOptions } from './passkeys.ts';
import { type Proof, proveByCode } from './prove.ts';
import { readFactor, type StoredFactor } from './store.ts';

/** Wrong codes after a right password: counted for a network, or for all known devices of the account together. */
const FAILURES = { count: 5, windowMs: 15 * 60_000 };
/** Failures of an account from all networks; they do not shut out known devices. */
const FAILURES_OF_ALL = { count: 30, windowMs: 15 * 60_000 };

type Given = { code?: string | undefined; passkey?: string | undefined };

type Caller = {
  user: UserRow;
  request: FastifyRequest;
  actor: Actor;
  /** Whose attempts are counted together, and whether those are devices that have logged in before. */
  counted: { key: string; isKnownDevice: boolean };
};

/** What a sign-in is asked for once its password was right. @returns how it was proven, null where nothing is asked for. @throws Refusal */
type SignInProof = (caller: Caller, given: Given) => Promise<string | null>;

export function openSignInProof(runtime: Runtime): SignInProof {
  const { db, clock, config } = runtime;
  const failures = countAttempts(clock, FAILURES);
  const failuresOfAll = countAttempts(clock, FAILURES_OF_ALL);
  const guess = ({ user, counted: { key, isKnownDevice } }: Caller) => {
    const limits: [Attempts, string][] = isKnownDevice
      ? [[failures, key]]
      : [
          [failures, key],
          [failuresOfAll, user.id],
        ];
    for (const [attempts, each] of limits) refuseTooMany(attempts, each);
    // Counted before the code is known to be wrong: many at once are many.
    for (const [attempts, each] of limits) attempts.count(each);
  };
  return async (caller, given) => {
    const { user, actor, counted } = caller;
    const factor = await readFactor(db, user.id);
    if (factor === null) return null;
    if (given.code === undefined && given.passkey === undefined)
      throw await asking(runtime, caller, factor, questionOf(factor));
    if (config.rateLimit) guess(caller);
    const proof = await prove(runtime, caller, factor, given, 'sign-in');
    if ('refusal' in proof) {
      const refused = { object: user.email, after: { reason: proof.refusal } };
      await db.transaction((tx) => recordAction(tx, runtime, actor, { action: 'second_factor.refused', ...refused }));
      throw await asking(runtime, caller, factor, proof.refusal);
    }
    failures.forget(counted.key);
    return proof.by;
  };
}

export async function prove(
  runtime: Runtime,
  { user, request }: Pick<Caller, 'user' | 'request'>,
  factor: StoredFactor,
  { code, passkey }: Given,
  purpose: 'sign-in' | 'proof',
): Promise<Proof> {
  // Who has a session has not shown that they know the password: a refusal says only that the code is wrong.
  if (passkey === undefined) return proveByCode(runtime, user, factor, code ?? '', purpose === 'sign-in');
  const place = placeOf(request);
  const isProven = place !== null && (await provenByPasskey(runtime, place, factor, passkey, purpose));
  return isProven ? { by: 'passkey' } : { refusal: 'The passkey was not accepted. Try again, or enter a code.' };
}

function questionOf({ authenticator }: StoredFactor): string {
  return authenticator === null
    ? 'Use your passkey, or enter a recovery code.'
    : 'Enter the code of your authenticator.';
}

/** Says so, and what the second factor can be proven by from where the caller is. */
async function asking(runtime: Runtime, { user, request }: Caller, factor: StoredFactor, detail: string) {
  const place = placeOf(request);
  if (place === null || factor.keys.length === 0) return new Refusal(400, detail, {}, { second_factor: ['code'] });
  const options = await requestOptions(runtime, user, place, factor, 'sign-in');
  return new Refusal(400, detail, {}, { second_factor: ['code', 'passkey'], passkey_options: options });
}
