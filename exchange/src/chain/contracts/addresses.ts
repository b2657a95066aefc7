import { type Hex, isAddressEqual } from 'viem';

/** The contracts on Polygon that the exchange stands in for. */
export const PUSD: Hex = '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB';
export const CONDITIONAL_TOKENS: Hex = '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045';
export const COLLATERAL_ADAPTER: Hex = '0xAdA100Db00Ca00073811820692005400218FcE1f';
export const NEG_RISK_ADAPTER: Hex = '0xadA2005600Dec949baf300f4C6120000bDB6eAab';
export const ROUTER: Hex = '0x12121212006e4CD160D18e3f00711DA5c3372600';
export const POSITION_MANAGER: Hex = '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF';

/** Counts what is relayed for the keys of proxy wallets. */
export const RELAY_HUB: Hex = '0xD216153c06E857cD7f72665E0aF1d7D82172F494';

/** Makes dollars of the venue of what is deposited. */
export const ONRAMP: Hex = '0x93070a847efEf7F70739046A929D47a521F5B8ee';
/** Who pays liquidity rewards and maker rebates, as transfers of July to September 2026 show. */
export const REWARDS_PAYER: Hex = '0x2c2795ea295d5eb51f9121b728ed2ea4e936a709';
export const REBATES_PAYER: Hex = '0xfdb1b8dc7f5789a0c9a398026585b8b10fba5507';

/** Whether two addresses are the same, whatever their case. */
export function isAt(address: Hex | null | undefined, contract: Hex): boolean {
  return address != null && isAddressEqual(address, contract);
}
