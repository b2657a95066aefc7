import { getAddress } from 'viem';

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
