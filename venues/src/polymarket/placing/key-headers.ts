/** How the venue checks who calls: the key it gave signs the moment, the method, the path and the body. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What the venue lets an account sign its calls with; `secret` is base64. */
export type ApiKey = { key: string; secret: string; passphrase: string };

/** `path` without its query; `body` as it is sent, empty where there is none. */
export type KeyedCall = { method: 'GET' | 'POST' | 'DELETE'; path: string; body?: string };

/** One of each, because to make it takes longer than to sign. */
const signingKeys = new WeakMap<ApiKey, KeyObject>();

/** The headers of a call that the account makes; `address` is whose key it is. */
export function keyHeaders(
  credentials: ApiKey,
  address: string,
  { method, path, body = '' }: KeyedCall,
  nowMs: number,
): Record<string, string> {
  const seconds = Math.floor(nowMs / 1000);
  const signed = createHmac('sha256', signingKeyOf(credentials)).update(`${seconds}${method}${path}${body}`);
  return {
    POLY_ADDRESS: address,
    POLY_SIGNATURE: signed.digest('base64').replaceAll('+', '-').replaceAll('/', '_'),
    POLY_TIMESTAMP: String(seconds),
    POLY_API_KEY: credentials.key,
    POLY_PASSPHRASE: credentials.passphrase,
  };
}

function signingKeyOf(credentials: ApiKey): KeyObject {
  const known = signingKeys.get(credentials);
  if (known !== undefined) return known;
  const key = createSecretKey(credentials.secret, 'base64');
  signingKeys.set(credentials, key);
  return key;
}
