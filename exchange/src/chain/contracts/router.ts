import { type Hex, padHex, zeroHash } from 'viem';
import type { EventMembers } from '../../settlement/event-members.ts';
import * as moves from '../../settlement/moves.ts';
import { ROUTER_ABI, STEP_EVENTS_ABI } from './abis.ts';
import { POSITION_MANAGER, PUSD } from './addresses.ts';
import { type Call, type CallWorld, type Contract, decodeCall, microOf } from './call.ts';
import { Revert } from './ledger.ts';
import { cashLogs, type EncodedLog, encodeLog, tokenLogs } from './logs.ts';

const PARTITION = [1n, 2n] as const;

type RouterCall = NonNullable<ReturnType<typeof decodeCall<typeof ROUTER_ABI>>>;

/** The router of Protocol V2: pairs, and what converts the members of an event into one another. */
export const router: Contract = (call, world) => {
  const decoded = decodeCall(ROUTER_ABI, call.data);
  if (decoded === undefined) return undefined;
  const moved = world.ledger.paid(movesOf(decoded, call, world));
  if (moved.usd < 0) world.ledger.needAllowance(call.from, call.to, 'COLLATERAL', -moved.usd);
  if (moved.tokens.some(([, micro]) => micro < 0)) world.ledger.needAllowance(call.from, call.to, 'CONDITIONAL', 0);
  world.ledger.move(call.from, moved);
  if (moved.usd < 0) world.ledger.spendAllowance(call.from, call.to, -moved.usd);
  world.ledger.logs.push(
    ...tokenLogs(POSITION_MANAGER, call.to, call.from, moved.tokens),
    ...cashLogs(call.to, call.from, moved.usd),
    ...stepLogs(decoded, call, moved.usd),
  );
  return '0x';
};

function movesOf(decoded: RouterCall, call: Call, world: CallWorld): moves.Moves {
  const { args } = decoded;
  switch (decoded.functionName) {
    case 'split':
      return moves.split(pairOf(decoded.args[0], world).tokens, microOf(decoded.args[1]));
    case 'merge':
      return moves.opposite(moves.split(pairOf(decoded.args[0], world).tokens, microOf(decoded.args[1])));
    case 'redeem':
      return redeemed(decoded.args, call, world);
    default:
      return eventMoves(decoded, membersOf(args[0], world));
  }
}

function eventMoves(decoded: RouterCall, members: EventMembers): moves.Moves {
  switch (decoded.functionName) {
    case 'horizontalSplit':
      return moves.horizontalSplit(members, microOf(decoded.args[1]));
    case 'horizontalMerge':
      return moves.opposite(moves.horizontalSplit(members, microOf(decoded.args[1])));
    case 'convert':
      if (decoded.args[1] >= members.pairs.length) throw new Revert('InvalidIndex');
      return moves.convert(members, new Set([decoded.args[1]]), microOf(decoded.args[2]), 0).owner;
    case 'composeThreshold':
      return composed(members, decoded.args);
    case 'decomposeThreshold':
      return moves.opposite(composed(members, decoded.args));
    case 'mergeDirectional':
      return directional(members, decoded.args);
    case 'splitDirectional':
      return moves.opposite(directional(members, decoded.args));
    default:
      throw new Revert('');
  }
}

function redeemed(
  [conditionId, outcome, amount]: readonly [Hex, bigint, bigint],
  call: Call,
  world: CallWorld,
): moves.Moves {
  const { tokens, payouts } = pairOf(conditionId, world);
  if (payouts === undefined) throw new Revert('ConditionNotResolved');
  if (outcome > 1n) throw new Revert('InvalidOutcomeIndex');
  const micro = microOf(amount);
  const tokenId = outcome === 0n ? tokens[0] : tokens[1];
  if (world.ledger.tokensOf(call.from, tokenId) < micro) throw new Revert('InsufficientBalance');
  return moves.redeem(tokens, payouts, outcome === 0n ? [micro, 0] : [0, micro]);
}

function composed(
  members: EventMembers,
  [eventId, line, side, amount]: readonly [Hex, bigint, number, bigint],
): moves.Moves {
  needLine(members, eventId, line);
  if (side > 1) throw new Revert('InvalidSide');
  return moves.composeThreshold(members, Number(line), side === 0 ? 'above' : 'below', microOf(amount));
}

function directional(
  members: EventMembers,
  [eventId, low, high, amount]: readonly [Hex, bigint, bigint, bigint],
): moves.Moves {
  needLine(members, eventId, low);
  needLine(members, eventId, high);
  if (low >= high) throw new Revert('InvalidRange');
  return moves.mergeDirectional(members, Number(low), Number(high), microOf(amount));
}

/** The first byte of an event's id names its module. */
const DIRECTIONAL = '0x04';

function needLine({ arity }: EventMembers, eventId: Hex, line: bigint): void {
  if (eventId.slice(0, 4) !== DIRECTIONAL) throw new Revert('InvalidModule');
  if (line < 1n || line >= BigInt(arity)) throw new Revert('InvalidLine');
}

function pairOf(conditionId: Hex, { conditions }: CallWorld) {
  const pair = conditions.pair(conditionId);
  if (pair === undefined) throw new Revert('ConditionNotPrepared');
  return pair;
}

function membersOf(eventId: Hex, { conditions }: CallWorld): EventMembers {
  const members = conditions.grouped(eventId);
  if (members === undefined) throw new Revert('EventNotPrepared');
  return members;
}

function stepLogs(decoded: RouterCall, call: Call, usd: number): EncodedLog[] {
  const { functionName, args } = decoded;
  const shared = {
    collateralToken: PUSD,
    parentCollectionId: zeroHash,
    conditionId: padHex(args[0], { dir: 'right' }),
  };
  if (functionName === 'split' || functionName === 'merge') {
    const eventName = functionName === 'split' ? 'PositionSplit' : 'PositionsMerge';
    const logged = { ...shared, stakeholder: call.from, partition: PARTITION, amount: args[1] };
    return [encodeLog(POSITION_MANAGER, STEP_EVENTS_ABI, eventName, logged)];
  }
  if (functionName === 'redeem') {
    const logged = { ...shared, redeemer: call.from, indexSets: [args[1] + 1n], payout: BigInt(usd) };
    return [encodeLog(POSITION_MANAGER, STEP_EVENTS_ABI, 'PayoutRedemption', logged)];
  }
  if (functionName !== 'convert') return [];
  const logged = {
    stakeholder: call.from,
    marketId: shared.conditionId,
    indexSet: 1n << BigInt(args[1]),
    amount: args[2],
  };
  return [encodeLog(POSITION_MANAGER, STEP_EVENTS_ABI, 'PositionsConverted', logged)];
}
