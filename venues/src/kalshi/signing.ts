import { constants, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Instant } from '@dutchbook/units/instant.ts';

/** The three headers that say who calls. */
export type SignedHeaders = {
  'KALSHI-ACCESS-KEY': string;
  'KALSHI-ACCESS-TIMESTAMP': string;
  'KALSHI-ACCESS-SIGNATURE': string;
};

/**
 * Signs a call: the time in milliseconds, the method and the whole path, one behind the other. A query is left out, and so is the
 * body.
 */
export type Signer = (method: string, path: string, now: Instant) => SignedHeaders;

const SHORTEST_RSA_BITS = 2048;

/**
 * Signs with the private key of an API key, in PEM: RSA by PSS with SHA-256 and a salt as long as the digest, or Ed25519.
 * @throws Error where the key cannot be read or is of another kind; nothing of it is in the message.
 */
export function openSigner(keyId: string, privateKeyPem: string): Signer {
  const key = readKey(privateKeyPem);
  const signText = signerOf(key);
  return (method, path, now) => {
    const timestamp = String(now);
    const text = `${timestamp}${method}${path.split('?', 1)[0] ?? ''}`;
    return {
      'KALSHI-ACCESS-KEY': keyId,
      'KALSHI-ACCESS-TIMESTAMP': timestamp,
      'KALSHI-ACCESS-SIGNATURE': signText(Buffer.from(text)).toString('base64'),
    };
  };
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('the private key is no unencrypted key in PEM');
  }
}

function signerOf(key: KeyObject): (text: Buffer) => Buffer {
  if (key.asymmetricKeyType === 'ed25519') return (text) => sign(null, text, key);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < SHORTEST_RSA_BITS)
    throw new Error(`the private key is neither Ed25519 nor RSA with at least ${SHORTEST_RSA_BITS} bits`);
  const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return (text) => sign('sha256', text, options);
}
