import { getContractConfig } from '@polymarket/clob-client-v2';
import { getAddress } from 'viem';
import type { PolymarketConfig } from './config.ts';
import type { OrderVersion } from './listed-market.ts';

export type ChainId = PolymarketConfig['chainId'];

/** The contract that trades of a market go through: its orders are signed for it, and it moves the cash and the shares. */
export function exchangeContract(terms: { version: OrderVersion; negRisk: boolean; chainId: ChainId }): string {
  const contracts = getContractConfig(terms.chainId);
  if (terms.version === 3) return getAddress(contracts.exchangeV3);
  return getAddress(terms.negRisk ? contracts.negRiskExchangeV2 : contracts.exchangeV2);
}
