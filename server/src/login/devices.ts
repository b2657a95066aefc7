import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Runtime } from '../runtime.ts';

/** What a device proves that it has logged in with: a random id, and that we made it for this email. */
export type Devices = {
  tokenFor: (email: string) => string;
  /** Which device of this email it is; null for a token of another one, or for none of ours. */
  idOf: (email: string, token: string | undefined) => string | null;
};

const ID_BYTES = 16;

/** Nothing is stored: a token is its own proof, for as long as SECRET_KEY and the email stay. */
export function openDevices({ config, random }: Pick<Runtime, 'config' | 'random'>): Devices {
  const key = new Uint8Array(hkdfSync('sha256', config.secretKey, '', 'known devices', 32));
  const proofOf = (id: string, email: string) =>
    createHmac('sha256', key).update(`${id} ${email.toLowerCase()}`).digest('base64url');
  return {
    tokenFor: (email) => {
      const id = Buffer.from(random.bytes(ID_BYTES)).toString('base64url');
      return `${id}.${proofOf(id, email)}`;
    },
    idOf: (email, token) => {
      const [id = '', proof = '', ...more] = token?.split('.') ?? [];
      if (more.length > 0) return null;
      const [given, expected] = [Buffer.from(proof), Buffer.from(proofOf(id, email))];
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
    },
  };
}
