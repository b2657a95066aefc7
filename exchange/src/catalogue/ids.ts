import { type Hex, keccak256, toHex } from 'viem';

/** A stable 32-byte id for a name under a seed: condition ids, question ids and the like. */
export function hashId(...parts: readonly (string | number)[]): Hex {
  return keccak256(toHex(parts.join('/')));
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
    .replace(/^-+|-+$/g, '');
}
