import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Dutchbook';
const STEP_SECONDS = 30;
/** Steps that a clock may be off, and from how many on the user is warned. */
const ALLOWED_STEPS = 1;
const NOTICED_STEPS = 4;

export type JudgedCode =
  | { kind: 'right'; step: number }
  | { kind: 'wrong' }
  | { kind: 'reused' }
  | { kind: 'clock_off'; minutes: number; step: number; now: number };

/**
 * What a code of six digits is at `nowMs`. `secret`: base32. `lastStep`: the step of the last code that was taken, in half
 * minutes since 1970.
 */
export function judgeCode(given: { code: string; secret: string; nowMs: number; lastStep: number | null }): JudgedCode {
  const { code, secret, nowMs, lastStep } = given;
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS });
  const off = totp.validate({ token: code, timestamp: nowMs, window: NOTICED_STEPS });
  if (off === null) return { kind: 'wrong' };
  const now = Math.floor(nowMs / 1000 / STEP_SECONDS);
  const step = now + off;
  if (Math.abs(off) > ALLOWED_STEPS) return { kind: 'clock_off', minutes: Math.round(Math.abs(off) / 2), step, now };
  return lastStep !== null && step <= lastStep ? { kind: 'reused' } : { kind: 'right', step };
}

/** What an authenticator reads from a QR code. */
export function authenticatorUri(secret: string, email: string): string {
  return new TOTP({ issuer: ISSUER, label: email, secret: Secret.fromBase32(secret), period: STEP_SECONDS }).toString();
}

/** Base32, as people type it into an authenticator. */
export function secretText(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}
