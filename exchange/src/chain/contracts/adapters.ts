import { type Hex, zeroHash } from 'viem';
import type { Market } from '../../matching-engine/market.ts';
import * as moves from '../../settlement/moves.ts';
import { ADAPTER_ABI, NEG_RISK_ABI, STEP_EVENTS_ABI } from './abis.ts';
import { CONDITIONAL_TOKENS, PUSD } from './addresses.ts';
import { type Call, type CallWorld, type Contract, decodeCall, microOf, returned } from './call.ts';
import { Revert } from './ledger.ts';
import { cashLogs, encodeLog, tokenLogs } from './logs.ts';

/** The two index sets of a binary condition. */
const PARTITION = [1n, 2n] as const;
/** More questions than this an event cannot have: the index is one byte. */
const QUESTIONS_MAX = 256;

export const collateralAdapter: Contract = (call, world) => adapter(call, world, false);

export const negRiskAdapter: Contract = (call, world) => negRisk(call, world) ?? adapter(call, world, true);

/** Splits, merges and redeems; each adapter serves the markets of its own kind. */
function adapter(call: Call, world: CallWorld, negRisk: boolean): Hex | undefined {
  const decoded = decodeCall(ADAPTER_ABI, call.data);
  if (decoded === undefined) return undefined;
  const [, , conditionId, sets] = decoded.args;
  const market = world.conditions.market(conditionId);
  if (market?.listing.protocol !== 'v1' || market.listing.negRisk !== negRisk) {
    throw new Revert('condition not prepared yet');
  }
  if (decoded.functionName === 'redeemPositions') redeem(call, world, market);
  else if (sets.length !== 2 || sets.some((set, position) => set !== PARTITION[position])) {
    throw new Revert('partition not disjoint');
  } else if (decoded.functionName === 'splitPosition') split(call, world, market, microOf(decoded.args[4]));
  else merge(call, world, market, microOf(decoded.args[4]));
  return '0x';
}

function split(call: Call, { ledger }: CallWorld, market: Market, micro: number): void {
  ledger.needAllowance(call.from, call.to, 'COLLATERAL', micro);
  transfer(call, { ledger }, moves.split(market.tokens, micro));
  ledger.spendAllowance(call.from, call.to, micro);
  ledger.logs.push(pairLog('PositionSplit', call, market, micro));
}

function merge(call: Call, { ledger }: CallWorld, market: Market, micro: number): void {
  ledger.needAllowance(call.from, call.to, 'CONDITIONAL', micro);
  transfer(call, { ledger }, moves.opposite(moves.split(market.tokens, micro)));
  ledger.logs.push(pairLog('PositionsMerge', call, market, micro));
}

/** The adapter redeems all that its caller has of the condition. */
function redeem(call: Call, { ledger, conditions }: CallWorld, market: Market): void {
  const { tokens, listing } = market;
  const payouts = conditions.payouts(market);
  if (payouts === undefined) throw new Revert('result for condition not received yet');
  ledger.needAllowance(call.from, call.to, 'CONDITIONAL', 0);
  const held = [ledger.tokensOf(call.from, tokens[0]), ledger.tokensOf(call.from, tokens[1])] as const;
  const paid = transfer(call, { ledger }, moves.redeem(tokens, payouts, held));
  const args = {
    redeemer: call.from,
    collateralToken: PUSD,
    parentCollectionId: zeroHash,
    conditionId: listing.conditionId as Hex,
    indexSets: PARTITION,
    payout: BigInt(paid.usd),
  };
  ledger.logs.push(encodeLog(CONDITIONAL_TOKENS, STEP_EVENTS_ABI, 'PayoutRedemption', args));
}

function negRisk(call: Call, world: CallWorld): Hex | undefined {
  const decoded = decodeCall(NEG_RISK_ABI, call.data);
  if (decoded === undefined) return undefined;
  const members = world.conditions.negRisk(decoded.args[0]);
  if (decoded.functionName !== 'convertPositions') {
    const isCount = decoded.functionName === 'questionCount' || decoded.functionName === 'getQuestionCount';
    const value = members === undefined ? 0 : isCount ? members.arity : world.conditions.feeBips(members);
    return returned(NEG_RISK_ABI, decoded.functionName, BigInt(value));
  }
  const [marketId, indexSet, amount] = decoded.args;
  if (members === undefined) throw new Revert('MarketNotPrepared');
  if (members.arity < 2) throw new Revert('NoConvertiblePositions');
  if (indexSet === 0n || indexSet >> BigInt(members.arity) > 0n) throw new Revert('InvalidIndexSet');
  const indexes = new Set(Array.from({ length: QUESTIONS_MAX }, (_, bit) => bit).filter((bit) => isIn(indexSet, bit)));
  const micro = microOf(amount);
  world.ledger.needAllowance(call.from, call.to, 'CONDITIONAL', micro);
  const { owner, vault } = moves.convert(members, indexes, micro, world.conditions.feeBips(members));
  transfer(call, world, owner);
  world.ledger.moveToVault(vault);
  const args = { stakeholder: call.from, marketId, indexSet, amount };
  world.ledger.logs.push(encodeLog(call.to, STEP_EVENTS_ABI, 'PositionsConverted', args));
  return '0x';
}

function isIn(indexSet: bigint, bit: number): boolean {
  return ((indexSet >> BigInt(bit)) & 1n) === 1n;
}

function transfer(call: Call, { ledger }: Pick<CallWorld, 'ledger'>, due: moves.Moves): moves.Moves {
  const moved = ledger.paid(due);
  ledger.move(call.from, moved);
  ledger.logs.push(
    ...tokenLogs(CONDITIONAL_TOKENS, call.to, call.from, moved.tokens),
    ...cashLogs(call.to, call.from, moved.usd),
  );
  return moved;
}

function pairLog(eventName: 'PositionSplit' | 'PositionsMerge', call: Call, { listing }: Market, micro: number) {
  return encodeLog(CONDITIONAL_TOKENS, STEP_EVENTS_ABI, eventName, {
    stakeholder: call.from,
    collateralToken: PUSD,
    parentCollectionId: zeroHash,
    conditionId: listing.conditionId as Hex,
    partition: PARTITION,
    amount: BigInt(micro),
  });
}
