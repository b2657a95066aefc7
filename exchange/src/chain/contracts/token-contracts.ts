import { type Hex, zeroAddress } from 'viem';
import { CONDITIONS_ABI, HOLDINGS_ABI, ONRAMP_ABI, PUSD_ABI } from './abis.ts';
import { isAt, PUSD } from './addresses.ts';
import { type Call, type CallWorld, type Contract, decodeCall, microOf, returned } from './call.ts';
import { collectionId } from './conditions.ts';
import { Revert } from './ledger.ts';
import { encodeLog } from './logs.ts';

const DECIMALS = 6;
const OWNERS_MAX = 1_000;
const OUTCOMES = 2n;

export const pusd: Contract = ({ from, to, data }, { ledger }) => {
  const call = decodeCall(PUSD_ABI, data);
  if (call === undefined) return undefined;
  const answer = (result: unknown) => returned(PUSD_ABI, call.functionName, result);
  if (call.functionName === 'decimals') return answer(DECIMALS);
  if (call.functionName === 'balanceOf') return answer(BigInt(ledger.cashOf(call.args[0])));
  const { allowances } = ledger.engine;
  if (call.functionName === 'allowance') {
    return answer(allowances.of(ledger.accountAt(call.args[0]), call.args[1], 'COLLATERAL'));
  }
  const [other, value] = call.args;
  if (call.functionName === 'transfer') {
    const usd = microOf(value);
    ledger.move(from, { usd: -usd, tokens: [] });
    ledger.move(other, { usd, tokens: [] });
    ledger.logs.push(encodeLog(to, PUSD_ABI, 'Transfer', { from, to: other, value }));
    return answer(true);
  }
  ledger.allow(from, other, 'COLLATERAL', value);
  ledger.logs.push(encodeLog(to, PUSD_ABI, 'Approval', { owner: from, spender: other, value }));
  return answer(true);
};

/** Pays out pUSD; the token that is deposited for it is outside of this ledger. */
export const onramp: Contract = ({ data }, { ledger }) => {
  const call = decodeCall(ONRAMP_ABI, data);
  if (call === undefined) return undefined;
  const [, to, amount] = call.args;
  ledger.move(to, { usd: microOf(amount), tokens: [] });
  ledger.logs.push(encodeLog(PUSD, PUSD_ABI, 'Transfer', { from: zeroAddress, to, value: amount }));
  return '0x';
};

export const conditionalTokens: Contract = (call, world) => holdings(call, world) ?? conditions(call, world);

/** What holds tokens and lets others move them: Conditional Tokens, and the position manager of Protocol V2. */
export const holdings: Contract = ({ from, to, data }, { ledger }) => {
  const call = decodeCall(HOLDINGS_ABI, data);
  if (call === undefined) return undefined;
  const answer = (result: unknown) => returned(HOLDINGS_ABI, call.functionName, result);
  if (call.functionName === 'balanceOf') return answer(BigInt(ledger.tokensOf(call.args[0], call.args[1].toString())));
  if (call.functionName === 'balanceOfBatch') {
    const [owners, ids] = call.args;
    if (owners.length !== ids.length) throw new Revert('ERC1155: owners and IDs must have same lengths');
    if (owners.length > OWNERS_MAX) throw new Revert('');
    return answer(owners.map((owner, position) => BigInt(ledger.tokensOf(owner, String(ids[position] ?? 0n)))));
  }
  if (call.functionName === 'isApprovedForAll') {
    const [owner, operator] = call.args;
    return answer(ledger.engine.allowances.of(ledger.accountAt(owner), operator, 'CONDITIONAL') > 0n);
  }
  const [operator, approved] = call.args;
  ledger.allow(from, operator, 'CONDITIONAL', approved ? 2n ** 256n - 1n : 0n);
  ledger.logs.push(encodeLog(to, HOLDINGS_ABI, 'ApprovalForAll', { owner: from, operator, approved }));
  return '0x';
};

function conditions({ data }: Call, world: CallWorld): Hex | undefined {
  const call = decodeCall(CONDITIONS_ABI, data);
  if (call === undefined) return undefined;
  const answer = (result: unknown) => returned(CONDITIONS_ABI, call.functionName, result);
  if (call.functionName === 'getCollectionId') return answer(collectionId(call.args[1], call.args[2]));
  if (call.functionName === 'getPositionId') {
    const tokenId = isAt(call.args[0], PUSD) ? world.conditions.tokenOf(call.args[1]) : undefined;
    return answer(BigInt(tokenId ?? 0));
  }
  const market = world.conditions.market(call.args[0]);
  const isOld = market?.listing.protocol === 'v1';
  if (call.functionName === 'getOutcomeSlotCount') return answer(isOld ? OUTCOMES : 0n);
  const payouts = isOld ? world.conditions.payouts(market) : undefined;
  if (call.functionName === 'payoutDenominator') return answer(BigInt((payouts?.[0] ?? 0) + (payouts?.[1] ?? 0)));
  if (call.args[1] >= OUTCOMES) throw new Revert('');
  return answer(BigInt(payouts?.[Number(call.args[1])] ?? 0));
}
