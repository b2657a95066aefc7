import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { and, eq, gt, lt } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { Conflict } from '../../platform/http/errors.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import type { StoredFactor } from './store.ts';
import { passkeyChallenges, passkeys } from './table.ts';

const RP_NAME = 'Dutchbook';
/** EdDSA, ES256 and RS256, which all authenticators have one of. */
const ALGORITHMS = [-8, -7, -257];
const CHALLENGE_BYTES = 32;
const CHALLENGE_MS = 5 * 60_000;

/** Sign-in and a proof in a session are not each other's, nor is making a passkey. */
export type Purpose = 'sign-in' | 'proof' | 'new passkey';

/** Where the page stands that asks for a passkey, whom passkeys belong to. */
export type Place = { origin: string; rpId: string };

type Asking = Pick<Runtime, 'db' | 'clock' | 'random'>;

/** Null where no passkey can be: a program calls, or the page is under an address in place of a name. */
export function placeOf({ headers: { origin } }: Pick<FastifyRequest, 'headers'>): Place | null {
  const url = origin === undefined ? null : URL.parse(origin);
  if (url === null || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return null;
  return { origin: url.origin, rpId: url.hostname };
}

/** @throws Conflict in a sentence that says where passkeys can be */
export function requirePlace(request: Pick<FastifyRequest, 'headers'>): Place {
  const place = placeOf(request);
  if (place === null) throw new Conflict('Passkeys need a name: open the product under localhost or its own name.');
  return place;
}

/** What the browser makes a passkey from. */
export async function creationOptions(runtime: Asking, user: UserRow, { rpId }: Place, { keys }: StoredFactor) {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    ...{ rpName: RP_NAME, rpID: rpId, userName: user.email, userID: new TextEncoder().encode(user.id) },
    ...{ userDisplayName: user.fullName ?? user.email, attestationType: 'none' },
    challenge: Uint8Array.from(runtime.random.bytes(CHALLENGE_BYTES)),
    excludeCredentials: keys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  await keepChallenge(runtime, user.id, 'new passkey', options.challenge);
  return { ...options };
}

/** What the browser asks the passkeys of this account with. */
export async function requestOptions(
  runtime: Asking,
  user: Pick<UserRow, 'id'>,
  { rpId }: Place,
  { keys }: StoredFactor,
  purpose: Purpose,
) {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: Uint8Array.from(runtime.random.bytes(CHALLENGE_BYTES)),
    allowCredentials: keys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: 'preferred',
  });
  await keepChallenge(runtime, user.id, purpose, options.challenge);
  return { ...options };
}

/** The passkey that the browser has made; null when it was not made for this account, now and here. */
export async function madePasskey(
  runtime: Asking,
  user: UserRow,
  { origin, rpId }: Place,
  answer: string,
): Promise<Omit<typeof passkeys.$inferInsert, 'name'> | null> {
  const response = parsed(creationAnswer, answer);
  if (response === null) return null;
  const { verifyRegistrationResponse } = await library();
  const verified = await orNull(
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(runtime, user.id, 'new passkey', challenge),
      ...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: false },
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return {
    ...{ credentialId: id, userId: user.id, publicKey: Buffer.from(publicKey).toString('base64url'), counter },
    ...{ transports, createdAt: runtime.clock.now() },
  };
}

/** Whether one of the passkeys of this account has signed what it was asked for, now and here. */
export async function provenByPasskey(
  runtime: Asking,
  { origin, rpId }: Place,
  { keys }: StoredFactor,
  answer: string,
  purpose: Purpose,
): Promise<boolean> {
  const response = parsed(signedAnswer, answer);
  const key = keys.find(({ credentialId }) => credentialId === response?.id);
  if (response === null || key === undefined) return false;
  const { verifyAuthenticationResponse } = await library();
  const verified = await orNull(
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => takeChallenge(runtime, key.userId, purpose, challenge),
      ...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: false },
      credential: {
        ...{ id: key.credentialId, counter: key.counter, transports: key.transports },
        publicKey: Uint8Array.from(Buffer.from(key.publicKey, 'base64url')),
      },
    }),
  );
  if (!verified?.verified) return false;
  await runtime.db
    .update(passkeys)
    .set({ counter: verified.authenticationInfo.newCounter, lastUsedAt: runtime.clock.now() })
    .where(eq(passkeys.credentialId, key.credentialId));
  return true;
}

/** Fetched when a passkey is first used: it is larger than all else that a call needs. */
function library() {
  return import('@simplewebauthn/server');
}

const CHALLENGE_HASH = 'sha256';
const hashOf = (challenge: string) => createHash(CHALLENGE_HASH).update(challenge).digest('hex');

async function keepChallenge({ db, clock }: Asking, userId: string, purpose: Purpose, challenge: string) {
  const expiresAt = instantFromMs(clock.now() + CHALLENGE_MS);
  await forgetExpired(db, userId, clock.now());
  await db.insert(passkeyChallenges).values({ challengeHash: hashOf(challenge), userId, purpose, expiresAt });
}

function forgetExpired(db: Db, userId: string, now: ReturnType<Runtime['clock']['now']>) {
  return db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.userId, userId), lt(passkeyChallenges.expiresAt, now)));
}

/** @returns whether it was asked for, and not answered before */
async function takeChallenge({ db, clock }: Asking, userId: string, purpose: Purpose, challenge: string) {
  const taken = await db
    .delete(passkeyChallenges)
    .where(
      and(
        ...[eq(passkeyChallenges.challengeHash, hashOf(challenge)), eq(passkeyChallenges.userId, userId)],
        ...[eq(passkeyChallenges.purpose, purpose), gt(passkeyChallenges.expiresAt, clock.now())],
      ),
    )
    .returning({ userId: passkeyChallenges.userId });
  return taken.length > 0;
}

const text = z.string();
const credential = { id: text, rawId: text, type: z.literal('public-key') };
const results = { clientExtensionResults: z.record(z.string(), z.unknown()) };
const creationAnswer = z.object({
  ...{ ...credential, ...results },
  response: z.object({
    ...{ clientDataJSON: text, attestationObject: text, transports: z.optional(z.array(text)) },
  }),
});
const signedAnswer = z.object({
  ...{ ...credential, ...results },
  response: z.object({
    ...{ clientDataJSON: text, authenticatorData: text, signature: text, userHandle: z.optional(text) },
  }),
});

/** Null where it is something else, or no JSON. */
function parsed<Schema extends z.ZodMiniType>(schema: Schema, answer: string): z.output<Schema> | null {
  try {
    const read = z.safeParse(schema, JSON.parse(answer));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** The library throws where what was signed is not what was asked for. */
async function orNull<Verified>(verifying: Promise<Verified>): Promise<Verified | null> {
  try {
    return await verifying;
  } catch {
    return null;
  }
}
