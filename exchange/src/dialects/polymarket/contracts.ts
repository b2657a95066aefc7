import type { Hex } from 'viem';

/** Polygon, the chain that orders are signed for. */
export const CHAIN_ID = 137;

export const EXCHANGE_CONTRACT: Hex = '0xE111180000d2663C0091e4f400237545B87B996B';
export const NEG_RISK_EXCHANGE_CONTRACT: Hex = '0xe2222d279d744050d28e00520010520000310F59';

/** The exchange contract whose domain an order for this kind of market is signed under. */
export function exchangeContract(negRisk: boolean): Hex {
  return negRisk ? NEG_RISK_EXCHANGE_CONTRACT : EXCHANGE_CONTRACT;
}
