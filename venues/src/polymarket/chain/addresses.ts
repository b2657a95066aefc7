import type { Hex } from 'viem';
import { EXCHANGES } from '../contracts.ts';

/** Addresses on Polygon, from docs.polymarket.com and the official clients. */
export const CHAIN_ID = 137;
export const PUSD: Hex = '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB';
export const CONDITIONAL_TOKENS: Hex = '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045';
export const COLLATERAL_ADAPTER: Hex = '0xAdA100Db00Ca00073811820692005400218FcE1f';
export const NEG_RISK_ADAPTER: Hex = '0xadA2005600Dec949baf300f4C6120000bDB6eAab';
export const ROUTER: Hex = '0x12121212006e4CD160D18e3f00711DA5c3372600';
export const POSITION_MANAGER: Hex = '0x006F54F7f9A22e0000CC2AB60031000000ae9fEF';
/** The adapter under the one above: retired for calls, and still where markets and their fees are kept. */
export const OLD_NEG_RISK_ADAPTER: Hex = '0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296';
/** The exchanges of the version before. */
const OLD_EXCHANGE: Hex = '0x4bFb41d5B3570DeFd03C39a9A4D8dE6Bd8B8982E';
const OLD_NEG_RISK_EXCHANGE: Hex = '0xC5d563A36AE78145C45a50134d48A1215220f80a';

export const DEPOSIT_WALLET_FACTORY: Hex = '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07';
export const SAFE_MULTISEND: Hex = '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761';
export const PROXY_FACTORY: Hex = '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052';
export const RELAY_HUB: Hex = '0xD216153c06E857cD7f72665E0aF1d7D82172F494';

/** `holder`: whose token is moved, pUSD for cash. */
type Approved = { contract: Hex; name: string; holder: Hex; purpose: 'trade' | 'conversion' | null };

/** Who moves what of an account that trades, splits dollars into shares and converts shares into dollars, and retired contracts that once did. */
export function approvedContracts(): readonly Approved[] {
  const { v2, negRisk, v3 } = EXCHANGES[CHAIN_ID];
  const row = (name: string, contract: Hex, purpose: Approved['purpose'], ...holders: Hex[]): Approved[] =>
    holders.map((holder) => ({ contract, name, holder, purpose }));
  return [
    ...row('exchange', v2, 'trade', PUSD, CONDITIONAL_TOKENS),
    ...row('negative-risk exchange', negRisk, 'trade', PUSD, CONDITIONAL_TOKENS),
    ...row('exchange of Protocol V2', v3, 'trade', PUSD, POSITION_MANAGER),
    // Without it matched orders of negative-risk markets revert.
    ...row('negative-risk adapter', NEG_RISK_ADAPTER, 'trade', PUSD),
    ...row('negative-risk adapter', NEG_RISK_ADAPTER, 'conversion', CONDITIONAL_TOKENS),
    ...row('collateral adapter', COLLATERAL_ADAPTER, 'conversion', PUSD, CONDITIONAL_TOKENS),
    ...row('router of Protocol V2', ROUTER, 'conversion', PUSD, POSITION_MANAGER),
    ...row('old negative-risk adapter', OLD_NEG_RISK_ADAPTER, null, PUSD, CONDITIONAL_TOKENS),
    ...row('old exchange', OLD_EXCHANGE, null, PUSD, CONDITIONAL_TOKENS),
    ...row('old negative-risk exchange', OLD_NEG_RISK_EXCHANGE, null, PUSD, CONDITIONAL_TOKENS),
  ];
}
