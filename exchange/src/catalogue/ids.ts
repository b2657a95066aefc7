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

/** What the ids of Protocol V2 are made of; `condition` is the outcome's place, or a line of its variable with the top bit set. */
export interface PositionParts {
  readonly module: 'negative risk' | 'directional';
  /** Names the event; its first 16 bytes are in the id. */
  readonly eventHash: Hex;
  readonly arity: number;
  readonly condition: number;
}

const MODULES: Readonly<Record<PositionParts['module'], number>> = { 'negative risk': 2, directional: 4 };
export const LINE = 0x80_00;

/** The condition id of 31 bytes, with a zero byte behind them, and the two position ids as decimal text. */
export function positionIds(parts: PositionParts): { conditionId: Hex; tokens: [string, string] } {
  const { module, eventHash, arity, condition } = parts;
  const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0');
  const reservedAndChain = hex(0, 10);
  const event = `${hex(MODULES[module], 1)}${eventHash.slice(2, 34)}${hex(arity, 2)}${reservedAndChain}`;
  const conditionId: Hex = `0x${event}${hex(condition, 2)}00`;
  const token = (outcome: number) => (BigInt(conditionId) + BigInt(outcome)).toString();
  return { conditionId, tokens: [token(0), token(1)] };
}
