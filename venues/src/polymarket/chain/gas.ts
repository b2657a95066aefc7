import { formatEther, parseEther } from 'viem';
import { ConversionRefused, type GasCost } from '../../venue-chain.ts';

const SYMBOL = 'POL';

export function gasCost(wei: bigint): GasCost {
  return { wei: String(wei), native: formatEther(wei), symbol: SYMBOL };
}

/** @throws ConversionRefused where the gas costs more than `cap` (in whole coins) or than the account holds */
export function checkCost(cost: GasCost, cap: string, heldWei: bigint): void {
  const wei = BigInt(cost.wei);
  if (wei > parseEther(cap))
    throw new ConversionRefused(`its gas may cost ${cost.native} ${SYMBOL}, more than the ${cap} ${SYMBOL} configured`);
  if (wei > heldWei)
    throw new ConversionRefused(`its gas may cost ${cost.native} ${SYMBOL}, and the key has ${formatEther(heldWei)}`);
}
