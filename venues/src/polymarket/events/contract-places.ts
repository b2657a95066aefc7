/** What ids say of a market's place among those that its contract resolves together. */

import type { EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { TokenId } from '@dutchbook/units/ids.ts';
import { positionIdParts } from './position-ids.ts';

/**
 * `event`: equal for markets of one contract event. `exclusive`: at most one of them pays. `directional`: buckets of one variable
 * and thresholds between them, counted from 0; `strike` is in these counts.
 */
export type ContractPlace = Pick<EventMember, 'memberIndex' | 'arity' | 'strike'> & {
  kind: 'exclusive' | 'directional';
  event: string;
};

type Ids = {
  conditionId: string;
  questionID?: string | null | undefined;
  version?: string | null | undefined;
  negRisk?: boolean | null | undefined;
  tokenIds: readonly TokenId[];
};

const NEG_RISK_MODULE = 2;
const DIRECTIONAL_MODULE = 4;
const THRESHOLD_BIT = 0x8000;

/** Null where it stands alone, or where nothing proves the contrary. */
export function contractPlaceOf(ids: Ids): ContractPlace | null {
  if (ids.version === 'v2') return positionPlace(ids);
  // The last byte of a question of the first generation counts it.
  const { questionID } = ids;
  if (ids.negRisk !== true || !questionID || !/^0x[0-9a-f]{64}$/i.test(questionID)) return null;
  const memberIndex = Number.parseInt(questionID.slice(-2), 16);
  return { kind: 'exclusive', event: questionID.slice(0, -2).toLowerCase(), memberIndex, arity: null, strike: null };
}

export function isOfEvent({ kind, event }: ContractPlace, other: ContractPlace | null): boolean {
  return other !== null && kind === other.kind && event === other.event;
}

function positionPlace({ conditionId, tokenIds: [tokenId = ''] }: Ids): ContractPlace | null {
  const parts = positionIdParts(tokenId);
  if (parts === null || parts.outcome !== 0 || !isPositionOf(tokenId, conditionId)) return null;
  const { module, arity, condition } = parts;
  const event = (BigInt(tokenId) >> 24n).toString(16);
  if (module === NEG_RISK_MODULE) return { kind: 'exclusive', event, memberIndex: condition, arity, strike: null };
  if (module !== DIRECTIONAL_MODULE) return null;
  const line = condition & ~THRESHOLD_BIT;
  return {
    kind: 'directional',
    event,
    memberIndex: condition,
    arity,
    strike: directionalStrike(condition, line, arity),
  };
}

/** What lies at or past a line is above it. Behind the last bucket comes the one for a void, which lies above no line. */
function directionalStrike(condition: number, line: number, arity: number): EventMember['strike'] {
  if (line !== condition) return { kind: 'above', floor: line, hasFloor: true };
  return condition < arity
    ? { kind: 'between', floor: condition, cap: condition + 1, hasFloor: true, hasCap: false }
    : { kind: 'below', cap: 0, hasCap: false };
}

/** The condition that pays where the contract's event is voided. */
export function voidCondition({ event, arity }: ContractPlace): string {
  const id = (BigInt(`0x${event}`) << 16n) | BigInt(arity ?? 0);
  return `0x${id.toString(16).padStart(62, '0')}00`;
}

/** A condition is its positions' id without the last byte, filled up with a zero byte in some answers. */
function isPositionOf(tokenId: TokenId, conditionId: string): boolean {
  const digits = /^0x([0-9a-f]{62})(?:00)?$/i.exec(conditionId)?.[1];
  return digits !== undefined && BigInt(`0x${digits}`) === BigInt(tokenId) >> 8n;
}
