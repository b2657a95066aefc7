import { getAddress, getCreate2Address, type Hex, keccak256, pad } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { PROXY_FACTORY } from './chain/addresses.ts';
import type { SignatureType } from './config.ts';

const SAFE_FACTORY: Hex = '0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b';
/** Code hash of the Safe, from the official relayer client, like the factory. */
const SAFE_CODE_HASH: Hex = '0x2bce2127ff07fb632d16c8347c4ebf501f4841168bed00d9e6ef715ddb6fcecf';
const PROXY_CODE_HASH: Hex = '0xd21df8dc65880a8606f09fe0ce3df9b8869287ab0b058be05aa9e8af6330a00b';

/**
 * An address as its checksum has it; null where it is none or its checksum is wrong. Written in one case it has no checksum.
 */
export function checksummedAddress(text: string): string | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const digits = text.slice(2);
  const isOfOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const address = getAddress(`0x${digits.toLowerCase()}`);
  return isOfOneCase || address === text ? address : null;
}

/** The wallet of a key by signature type, as the venue's contracts compute it; they accept orders for no other. */
const DERIVED = {
  0: { name: "the key's own address", of: (owner: Hex) => owner },
  1: {
    name: 'its proxy wallet',
    of: (owner: Hex) =>
      getCreate2Address({ from: PROXY_FACTORY, salt: keccak256(owner), bytecodeHash: PROXY_CODE_HASH }),
  },
  2: {
    name: 'its Safe',
    of: (owner: Hex) =>
      getCreate2Address({ from: SAFE_FACTORY, salt: keccak256(pad(owner)), bytecodeHash: SAFE_CODE_HASH }),
  },
} as const;

/**
 * What the funder of this key has to be, where it is something else; null where it is right. A deposit wallet is not derived: there
 * is more than one generation of them. It only differs from the other wallets of the key.
 */
export function expectedFunder(privateKey: Hex, funder: string, signatureType: SignatureType): string | null {
  const owner = privateKeyToAddress(privateKey);
  const isOf = (type: keyof typeof DERIVED) => DERIVED[type].of(owner).toLowerCase() === funder.toLowerCase();
  const own = ([0, 1, 2] as const).find(isOf);
  if (own === signatureType || (own === undefined && signatureType === 3)) return null;
  const expected =
    signatureType === 3
      ? 'the deposit wallet'
      : `${DERIVED[signatureType].of(owner)}, which is ${DERIVED[signatureType].name}`;
  const instead = own === undefined ? '' : `; the one given is ${DERIVED[own].name}, of type ${own}`;
  return `${expected}, with signature type ${signatureType}${instead}`;
}
