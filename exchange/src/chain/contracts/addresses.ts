import { type Hex, isAddressEqual } from 'viem';

/** The contracts on Polygon that the exchange stands in for. */
export const PUSD: Hex = '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB';
export const CONDITIONAL_TOKENS: Hex = '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045';
export const COLLATERAL_ADAPTER: Hex = '0xAdA100Db00Ca00073811820692005400218FcE1f';
export const NEG_RISK_ADAPTER: Hex = '0xadA2005600Dec949baf300f4C6120000bDB6eAab';
export const ROUTER: Hex = '0x12121212006e4CD160D18e3f00711DA5c3372600';
export const POSITION_MANAGER: Hex = '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF';

/** Whether two addresses are the same, whatever their case. */
export function isAt(address: Hex | null | undefined, contract: Hex): boolean {
  return address != null && isAddressEqual(address, contract);
}
