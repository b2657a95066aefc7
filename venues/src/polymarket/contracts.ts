import type { PolymarketConfig } from './config.ts';
import type { OrderVersion } from './listed-market.ts';

export type ChainId = PolymarketConfig['chainId'];

/** The contract that trades of a market go through: its orders are signed for it, and it moves the cash and the shares. */
export function exchangeContract(terms: { version: OrderVersion; negRisk: boolean; chainId: ChainId }): string {
  const contracts = EXCHANGES[terms.chainId];
  if (terms.version === 3) return contracts.v3;
  return terms.negRisk ? contracts.negRisk : contracts.v2;
}

/** Contracts on Polygon and its test network, from docs.polymarket.com and the official clients. */
export const EXCHANGES = {
  137: {
    v2: '0xE111180000d2663C0091e4f400237545B87B996B',
    negRisk: '0xe2222d279d744050d28e00520010520000310F59',
    v3: '0xe3333700cA9d93003F00f0F71f8515005F6c00Aa',
  },
  80002: {
    v2: '0xE111180000d2663C0091e4f400237545B87B996B',
    negRisk: '0xe2222d279d744050d28e00520010520000310F59',
    v3: '0x9fE6e61422AdB6F610d8597F9684b16912D50C3D',
  },
} as const satisfies Record<ChainId, Record<string, `0x${string}`>>;
