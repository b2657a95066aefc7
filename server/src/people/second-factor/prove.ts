import { Conflict } from '../../platform/http/errors.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { readUnconfirmed, refuseStep, type StoredFactor, secretOf, takeStep } from './store.ts';
import { judgeCode } from './totp.ts';

/** How it was proven, or in a sentence why it was not. */
export type Proof = { by: 'authenticator' | 'recovery code' | 'passkey' } | { refusal: string };

const WRONG = 'The code is wrong';

type Proving = Pick<Runtime, 'config' | 'clock' | 'db'>;

/** Takes a code of the authenticator or a recovery code, each once. `saysClockOff`: where that is so, and was not said yet. */
export async function proveByCode(
  runtime: Proving,
  user: UserRow,
  { authenticator }: StoredFactor,
  typed: string,
  saysClockOff: boolean,
): Promise<Proof> {
  const code = typed.replaceAll(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) {
    const taken = await takeRecoveryCode(runtime.db, runtime, user.id, code);
    return taken ? { by: 'recovery code' } : { refusal: WRONG };
  }
  return authenticator === null
    ? { refusal: WRONG }
    : await proveByAuthenticator(runtime, authenticator, code, saysClockOff);
}

/** Proves that the authenticator has the secret that waits to be confirmed. @throws Conflict where none does */
export async function proveUnconfirmed(runtime: Proving, user: UserRow, typed: string): Promise<Proof> {
  const waiting = await readUnconfirmed(runtime.db, user.id);
  if (waiting === null) throw new Conflict('There is no secret to confirm: start again');
  return proveByAuthenticator(runtime, waiting, typed.replaceAll(/\s/g, ''), true);
}

async function proveByAuthenticator(
  runtime: Proving,
  row: NonNullable<StoredFactor['authenticator']>,
  code: string,
  saysClockOff: boolean,
): Promise<Proof> {
  const secret = secretOf(runtime, row);
  if (secret === null)
    return { refusal: 'The secret key has changed since the authenticator was set up. Use a recovery code.' };
  const judged = judgeCode({ code, secret, nowMs: runtime.clock.now(), lastStep: row.totpLastStep });
  if (judged.kind === 'clock_off') {
    const isFirst = await refuseStep(runtime.db, row.userId, judged, saysClockOff);
    if (!isFirst || !saysClockOff) return { refusal: WRONG };
    const off = judged.minutes === 1 ? 'a minute' : 'two minutes';
    return { refusal: `The code is from a clock about ${off} off. Set the clock of the phone and enter a new code.` };
  }
  if (judged.kind === 'right' && (await takeStep(runtime.db, row.userId, judged.step))) return { by: 'authenticator' };
  if (judged.kind === 'wrong') return { refusal: WRONG };
  return { refusal: 'The code was used before. Wait for the next one.' };
}
