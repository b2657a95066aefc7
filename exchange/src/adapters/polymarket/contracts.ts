import type { Hex } from 'viem';
import type { MarketListing } from '../../catalogue/listing.ts';

/** Polygon, the chain that orders are signed for. */
export const CHAIN_ID = 137;

const EXCHANGE_CONTRACT: Hex = '0xE111180000d2663C0091e4f400237545B87B996B';
const NEG_RISK_EXCHANGE_CONTRACT: Hex = '0xe2222d279d744050d28e00520010520000310F59';
/** The exchange of Protocol V2 positions, negative risk or not. */
const EXCHANGE_V3_CONTRACT: Hex = '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa';

export const EXCHANGE_CONTRACTS = [EXCHANGE_CONTRACT, NEG_RISK_EXCHANGE_CONTRACT, EXCHANGE_V3_CONTRACT] as const;

/** The fields in which the EIP-712 domains of the exchange contracts differ. */
export interface SigningDomain {
  readonly version: '2' | '3';
  readonly contract: Hex;
}

/** The domain that orders for this kind of market are signed under. */
export function signingDomain({ protocol, negRisk }: Pick<MarketListing, 'protocol' | 'negRisk'>): SigningDomain {
  if (protocol === 'v2') return { version: '3', contract: EXCHANGE_V3_CONTRACT };
  return { version: '2', contract: negRisk ? NEG_RISK_EXCHANGE_CONTRACT : EXCHANGE_CONTRACT };
}
