import { type Hex, keccak256, toHex } from 'viem';

/** A stable 32-byte id for a name under a seed: condition ids, question ids and the like. */
export function hashId(...parts: readonly (string | number)[]): Hex {
  return keccak256(toHex(parts.join('/')));
}

/** A condition id of Protocol V2: 31 bytes, with a zero byte behind them as the wire shows it. */
export function shortHashId(...parts: readonly (string | number)[]): Hex {
  return `${hashId(...parts).slice(0, -2)}00` as Hex;
}

/** A stable 256-bit token id as the decimal text that the wire uses. */
export function tokenIdOf(...parts: readonly (string | number)[]): string {
  return BigInt(hashId(...parts)).toString();
}

/** Lower-case words joined by hyphens. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The first 16 bytes of a hash in the form of a UUID. */
export function uuidOf(hash: string): string {
  const digits = hash.replace(/^0x/, '');
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join('-');
}
