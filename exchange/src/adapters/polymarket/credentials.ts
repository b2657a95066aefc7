import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Hex, hashTypedData, isAddress } from 'viem';
import { hashId, uuidOf } from '../../catalogue/ids.ts';
import type { Account } from '../../matching-engine/records.ts';
import { CHAIN_ID } from './contracts.ts';
import { signerOf } from './signed-order.ts';

const ATTESTATION = 'This message attests that I control the given wallet';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Clock readings that a signature's time may agree with, of which there may be several because the exchange's clock may be ahead of
 * the wall, and how far it may be off.
 */
export type Moments = { readonly readings: readonly number[]; readonly withinMs: number };

/** The wallet and nonce that an L1 request proves control of; undefined when it proves nothing. */
export function verifyL1(headers: Headers, now: Moments): { address: Hex; nonce: string } | undefined {
  const address = text(headers.poly_address);
  const timestamp = text(headers.poly_timestamp);
  const nonce = text(headers.poly_nonce) || '0';
  if (!isAddress(address, { strict: false }) || !/^\d+$/.test(nonce) || !isFresh(timestamp, now)) return undefined;
  const hash = hashTypedData({
    domain: { name: 'ClobAuthDomain', version: '1', chainId: CHAIN_ID },
    types: {
      ClobAuth: [
        { name: 'address', type: 'address' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'message', type: 'string' },
      ],
    },
    primaryType: 'ClobAuth',
    message: { address, timestamp, nonce: BigInt(nonce), message: ATTESTATION },
  });
  const signer = signerOf(hash, text(headers.poly_signature) as Hex);
  return signer?.toLowerCase() === address.toLowerCase() ? { address: signer, nonce } : undefined;
}

/** The content of an L2 signature. `path` carries no query; `body` is the raw text, empty when there is none. */
export interface SignedRequest {
  readonly headers: Headers;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

/** The account whose secret signed the request; undefined when it is unknown, stale or wrongly signed. */
export function verifyL2(
  request: SignedRequest,
  accountByApiKey: (apiKey: string) => Account | undefined,
  now: Moments,
): Account | undefined {
  const { headers } = request;
  const account = accountByApiKey(text(headers.poly_api_key));
  const timestamp = text(headers.poly_timestamp);
  if (account === undefined || !isFresh(timestamp, now)) return undefined;
  const isOwner = account.address.toLowerCase() === text(headers.poly_address).toLowerCase();
  if (!isOwner || !isSame(account.passphrase, text(headers.poly_passphrase))) return undefined;
  const expected = l2Signature(account.secret, timestamp, request.method, request.path, request.body);
  return isSame(expected, text(headers.poly_signature)) ? account : undefined;
}

/** URL-safe base64 HMAC-SHA256 over timestamp, method, path and body. */
export function l2Signature(secret: string, timestamp: string, method: string, path: string, body: Buffer): string {
  const digest = createHmac('sha256', keyOf(secret)).update(`${timestamp}${method}${path}`).update(body);
  return digest.digest('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Imported keys, by the secret of each account. */
const keys = new Map<string, KeyObject>();

/** Node finds out about bytes that they are no key object by an error that it throws, which takes ten times as long as the digest. */
function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const key = createSecretKey(secret, 'base64');
  keys.set(secret, key);
  return key;
}

/** Credentials for a wallet, the same ones for the same seed and nonce. */
export function issueAccount(seed: number, address: string, nonce: string): Account {
  const part = (name: string) => hashId(seed, name, address.toLowerCase(), nonce);
  return {
    address,
    nonce,
    apiKey: uuidOf(part('api-key')),
    secret: Buffer.from(part('secret').slice(2), 'hex').toString('base64'),
    passphrase: part('passphrase').slice(2),
  };
}

/** Constant-time comparison of two texts. */
export function isSame(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}

function isFresh(timestamp: string, now: Moments): boolean {
  const signedMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN;
  return now.readings.some((moment) => Math.abs(moment - signedMs) <= now.withinMs);
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
