import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Flags of what an authenticator says: that its user was there, was verified, and that a new key comes along. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

const text = (of: Uint8Array) => Buffer.from(of).toString('base64url');
const sha256 = (of: string | Uint8Array) => createHash('sha256').update(of).digest();

/** CBOR of as much as an authenticator says: short maps, texts, bytes and small numbers. */
function cbor(value: string | number | Buffer | Map<string | number, unknown>): Buffer {
  const head = (kind: number, size: number) => {
    if (size < 24) return Buffer.from([(kind << 5) | size]);
    return Buffer.from(size < 256 ? [(kind << 5) | 24, size] : [(kind << 5) | 25, size >> 8, size & 0xff]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const members = [...value].flatMap(([name, member]) => [cbor(name), cbor(member as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...members]);
}

/** A key as it is plugged into a machine, in software: made for one site, it signs what it is asked for, by any site. */
export function softwareKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const cose = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const said = (type: string, origin: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataFor = (origin: string, flags: number, counter: number, more: Buffer[] = []) => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), counted, ...more]);
  };
  const common = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} };
  return {
    /** What the browser says once the key was made for the page at `origin`. */
    made: (origin: string, challenge: string): string => {
      const size = Buffer.from([0, id.length]);
      const authData = dataFor(origin, PRESENT | VERIFIED | WITH_KEY, 0, [Buffer.alloc(16), size, id, cbor(cose)]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      const clientDataJSON = text(said('webauthn.create', origin, challenge));
      return JSON.stringify({ ...common, response: { clientDataJSON, attestationObject: text(cbor(attestation)) } });
    },
    /** What it says once the key has signed for the `counter`th time. */
    signed: (origin: string, challenge: string, counter: number): string => {
      const client = said('webauthn.get', origin, challenge);
      const authenticator = dataFor(origin, PRESENT | VERIFIED, counter);
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticator, sha256(client)]))
        .sign(privateKey);
      const response = {
        ...{ clientDataJSON: text(client), authenticatorData: text(authenticator), signature: text(signature) },
      };
      return JSON.stringify({ ...common, response });
    },
  };
}
