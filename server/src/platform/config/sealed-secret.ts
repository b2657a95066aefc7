import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '../runtime/runtime.ts';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret for the database: AES-256-GCM under a key derived from the secret key. `name` says what it is, and
 * only under that name it opens again, so that what is stored in one place does not work in another.
 */
export function sealSecret(secretKey: string, name: string, secret: string, random: Pick<Random, 'bytes'>): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce).setAAD(boundTo(name));
  const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `${VERSION}.${Buffer.concat(sealed).toString('base64url')}`;
}

/** Null when it was sealed with another key or under another name, or was changed since. */
export function openSecret(secretKey: string, name: string, stored: string): string | null {
  const [version, text = ''] = stored.split('.');
  const bytes = Buffer.from(text, 'base64url');
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(boundTo(name))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  } catch {
    return null;
  }
}

/** A key of its own: what the secret key signs says nothing about what it encrypts. */
function keyOf(secretKey: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', 'dutchbook sealed secrets', 32));
}

function boundTo(name: string): Buffer {
  return Buffer.from(`${VERSION}:${name}`);
}
