import type { Hex } from 'viem';
import { RELAY_HUB_ABI, WALLET_ABI } from './abis.ts';
import { collateralAdapter, negRiskAdapter } from './adapters.ts';
import {
  COLLATERAL_ADAPTER,
  CONDITIONAL_TOKENS,
  NEG_RISK_ADAPTER,
  ONRAMP,
  POSITION_MANAGER,
  PUSD,
  RELAY_HUB,
  ROUTER,
} from './addresses.ts';
import { type Call, type CallWorld, type Contract, decodeCall, returned } from './call.ts';
import { Revert } from './ledger.ts';
import { router } from './router.ts';
import { conditionalTokens, holdings, onramp, pusd } from './token-contracts.ts';

const relayHub: Contract = ({ data }, { ledger }) => {
  const asked = decodeCall(RELAY_HUB_ABI, data);
  return asked && returned(RELAY_HUB_ABI, 'getNonce', BigInt(ledger.nonceOfSigner(asked.args[0])));
};

const CONTRACTS = new Map<string, Contract>(
  (
    [
      [PUSD, pusd],
      [ONRAMP, onramp],
      [CONDITIONAL_TOKENS, conditionalTokens],
      [COLLATERAL_ADAPTER, collateralAdapter],
      [NEG_RISK_ADAPTER, negRiskAdapter],
      [ROUTER, router],
      [POSITION_MANAGER, holdings],
      [RELAY_HUB, relayHub],
    ] as const
  ).map(([address, contract]) => [address.toLowerCase(), contract]),
);

/** A wallet tells how many batches it has carried out. */
const wallet: Contract = ({ to, data }, { ledger }) => {
  const nonce = ledger.walletNonce(to);
  if (nonce === undefined || decodeCall(WALLET_ABI, data) === undefined) return undefined;
  return returned(WALLET_ABI, 'nonce', BigInt(nonce));
};

export function isContract(address: Hex): boolean {
  return CONTRACTS.has(address.toLowerCase());
}

/** Carries out a call and answers what it returns. @throws Revert when it is refused, or there is no contract at the address */
export function carryOut(call: Call, world: CallWorld): Hex {
  if (call.data === '0x' && !isContract(call.to)) return '0x';
  const answer = (CONTRACTS.get(call.to.toLowerCase()) ?? wallet)(call, world);
  if (answer === undefined) throw new Revert('');
  return answer;
}
