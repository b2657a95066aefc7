import { hkdfSync, webcrypto } from 'node:crypto';
import { id } from '@dutchbook/contract/listing.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Session } from '../../platform/http/signed-in.ts';

/** As long as a session lasts at most (`session-store.ts`): while it is not used it ends long before its token does. */
const LIFETIME_SECONDS = 30 * 24 * 60 * 60;
const ISSUER = 'dutchbook';
const AUDIENCE = 'dutchbook-api';
/** Longer than any token of ours; what is longer is not even looked at. */
const TOKEN_LENGTH_MAX = 2000;

const sessionClaims = z.object({ jti: id, sub: id, epoch: z.int(), exp: z.int() });

/** The key that signs access tokens; made from SECRET_KEY for this purpose alone. */
export function tokenKey(secretKey: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', 'access tokens', 32));
}

/** The token key, imported once: an import takes about as long as a signature. */
export function openTokenKey(secretKey: string): Promise<webcrypto.CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', tokenKey(secretKey), hmac, false, ['sign', 'verify']);
}

export async function issueToken(
  key: webcrypto.CryptoKey,
  user: { id: string; sessionEpoch: number },
  sessionId: string,
  now: Instant,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ epoch: user.sessionEpoch })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(user.id)
    .setJti(sessionId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key);
}

/** What the token says, or null when it is not ours, was changed or has expired. */
export async function readToken(key: webcrypto.CryptoKey, token: string, now: Instant): Promise<Session | null> {
  if (token.length > TOKEN_LENGTH_MAX) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'jti', 'epoch', 'exp', 'iat'],
      currentDate: new Date(now),
    });
    const claims = z.safeParse(sessionClaims, payload);
    if (!claims.success) return null;
    const { jti, sub, epoch, exp } = claims.data;
    return { id: jti, userId: sub, epoch, expiresAt: instantFromMs(exp * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
