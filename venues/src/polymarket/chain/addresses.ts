import { getContractConfig } from '@polymarket/clob-client-v2';
import type { Hex } from 'viem';

/** Of Polygon, by docs.polymarket.com and the official clients. */
export const CHAIN_ID = 137;
export const PUSD: Hex = '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB';
export const CONDITIONAL_TOKENS: Hex = '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045';
export const COLLATERAL_ADAPTER: Hex = '0xAdA100Db00Ca00073811820692005400218FcE1f';
export const NEG_RISK_ADAPTER: Hex = '0xadA2005600Dec949baf300f4C6120000bDB6eAab';
export const ROUTER: Hex = '0x12121212006e4CD160D18e3f00711DA5c3372600';
export const POSITION_MANAGER: Hex = '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF';
/** The adapter under the one above: retired for calls, and still where markets and their fees are kept. */
export const OLD_NEG_RISK_ADAPTER: Hex = '0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296';

export const DEPOSIT_WALLET_FACTORY: Hex = '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07';
export const SAFE_MULTISEND: Hex = '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761';
export const PROXY_FACTORY: Hex = '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052';
export const RELAY_HUB: Hex = '0xD216153c06E857cD7f72665E0aF1d7D82172F494';

type Approved = {
  contract: Hex;
  name: string;
  purpose: 'trade' | 'turn' | null;
  cash: boolean;
  holders: readonly Hex[];
};

/** Who moves what: `cash` for contracts that take dollars, `holders` whose shares they take. */
export function approvedContracts(): readonly Approved[] {
  const { exchange, exchangeV2, negRiskExchange, negRiskExchangeV2, exchangeV3 } = getContractConfig(CHAIN_ID);
  const old = [CONDITIONAL_TOKENS];
  const positions = [POSITION_MANAGER];
  return [
    { contract: hex(exchangeV2), name: 'exchange', purpose: 'trade', cash: true, holders: old },
    { contract: hex(negRiskExchangeV2), name: 'negative-risk exchange', purpose: 'trade', cash: true, holders: old },
    { contract: hex(exchangeV3), name: 'exchange of Protocol V2', purpose: 'trade', cash: true, holders: positions },
    { contract: COLLATERAL_ADAPTER, name: 'collateral adapter', purpose: 'turn', cash: false, holders: old },
    { contract: NEG_RISK_ADAPTER, name: 'negative-risk adapter', purpose: 'turn', cash: false, holders: old },
    { contract: ROUTER, name: 'router of Protocol V2', purpose: 'turn', cash: false, holders: positions },
    { contract: OLD_NEG_RISK_ADAPTER, name: 'old negative-risk adapter', purpose: null, cash: true, holders: old },
    { contract: hex(exchange), name: 'old exchange', purpose: null, cash: true, holders: old },
    { contract: hex(negRiskExchange), name: 'old negative-risk exchange', purpose: null, cash: true, holders: old },
  ];
}

function hex(address: string): Hex {
  return `0x${address.slice(2)}`;
}
