import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { describe, expect, it } from 'vitest';
import { openSigner } from './signing.ts';

const NOW = instantFromMs(1_764_400_000_123);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** RFC 8017, 8.1.2 and 9.1.2, with a salt of 32 bytes: by big integers alone. */
function isRsaPss(publicKey: KeyObject, text: string, signature: Buffer): boolean {
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const modulus = numberOf(Buffer.from(n, 'base64url'));
  let base = numberOf(signature);
  let power = 1n;
  for (let exponent = numberOf(Buffer.from(e, 'base64url')); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * base) % modulus;
    base = (base * base) % modulus;
  }
  const encoded = Buffer.from(power.toString(16).padStart(512, '0'), 'hex');
  const masked = encoded.subarray(0, 223);
  const hash = encoded.subarray(223, 255);
  if (encoded[255] !== 0xbc) return false;
  const mask = Buffer.concat(
    Array.from({ length: 7 }, (_, count) => sha256(hash, Buffer.from([0, 0, 0, count]))),
  ).subarray(0, 223);
  const data = Buffer.from(masked.map((byte, place) => byte ^ (mask[place] ?? 0)));
  data[0] = (data[0] ?? 0) & 0x7f;
  if (data[190] !== 1 || data.subarray(0, 190).some((byte) => byte !== 0)) return false;
  return sha256(Buffer.alloc(8), sha256(Buffer.from(text)), data.subarray(191)).equals(hash);
}

async function isEd25519(publicKey: KeyObject, text: string, signature: Buffer): Promise<boolean> {
  const raw = publicKey.export({ format: 'jwk' });
  const key = await crypto.subtle.importKey('jwk', raw, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, signature, Buffer.from(text));
}

const signatureIn = (headers: Record<string, string>) =>
  Buffer.from(headers['KALSHI-ACCESS-SIGNATURE'] ?? '', 'base64');

describe('a signature', () => {
  it.each([
    ['GET', '/trade-api/v2/portfolio/orders?ticker=A&limit=5', '/trade-api/v2/portfolio/orders'],
    ['DELETE', '/trade-api/v2/portfolio/events/orders/batched', '/trade-api/v2/portfolio/events/orders/batched'],
    ['GET', '/trade-api/ws/v2', '/trade-api/ws/v2'],
  ])(
    'of %s %s covers the time, the method and the path without its query, by RSA-PSS and by Ed25519',
    async (method, path, signed) => {
      const text = `1764400000123${method}${signed}`;
      const byRsa = openSigner('key-1', pemOf(rsa.privateKey))(method, path, NOW);
      expect(byRsa).toMatchObject({ 'KALSHI-ACCESS-KEY': 'key-1', 'KALSHI-ACCESS-TIMESTAMP': '1764400000123' });
      expect(isRsaPss(rsa.publicKey, text, signatureIn(byRsa))).toBe(true);
      expect(isRsaPss(rsa.publicKey, `${text}?`, signatureIn(byRsa))).toBe(false);
      const byEd25519 = openSigner('key-2', pemOf(ed25519.privateKey))(method, path, NOW);
      expect(await isEd25519(ed25519.publicKey, text, signatureIn(byEd25519))).toBe(true);
      expect(await isEd25519(ed25519.publicKey, `${text}?`, signatureIn(byEd25519))).toBe(false);
    },
  );

  it('is made by a key in the older form of PEM as well', () => {
    const pem = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const signature = signatureIn(openSigner('key', pem)('GET', '/p', NOW));
    expect(isRsaPss(rsa.publicKey, '1764400000123GET/p', signature)).toBe(true);
  });

  it.each([
    ['no key', 'secret-nonsense', /no unencrypted key in PEM/],
    ['a key on another curve', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey), /neither Ed25519/],
    ['a short key', pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey), /at least 2048 bits/],
  ])('is not made by %s, and the refusal says nothing of it', (_what, pem, words) => {
    let refusal = '';
    try {
      openSigner('key', pem);
    } catch (error) {
      refusal = String(error);
    }
    expect(refusal).toMatch(words);
    expect(refusal).not.toContain(pem.slice(0, 15));
  });
});
