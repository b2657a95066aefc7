import { constants, type KeyObject, verify } from 'node:crypto';

/** The signed text of a call: time, method and path without query, concatenated. */
export function signedText(timestamp: string, method: string, path: string): string {
  return `${timestamp}${method}${path}`;
}

/** Whether the owner of the key signed the text: RSA by PSS with SHA-256, Ed25519 as it is. */
export function isSignedBy(publicKey: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  const message = Buffer.from(text);
  if (publicKey.asymmetricKeyType === 'ed25519') return verify(null, message, publicKey, bytes);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return verify('sha256', message, { key: publicKey, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }, bytes);
}
