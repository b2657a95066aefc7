import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { JsonApi } from '../../transport.ts';
import { ConversionRefused } from '../../venue-chain.ts';
import { conditionId, marketsWithIds } from '../gamma.ts';
import { stringList } from '../wire.ts';

/**
 * What the contracts call a market. `negRisk`: the event of the first protocol that it is a question of, and its place there;
 * null where it stands alone.
 */
export type MarketIds =
  | {
      protocol: 1;
      condition: Hex;
      isNegRisk: boolean;
      negRisk: { event: Hex; index: number } | null;
      tokenIds: readonly TokenId[];
    }
  | { protocol: 2; condition: Hex; tokenIds: readonly TokenId[] };

const KEPT_MAX = 10_000;
const BYTES_32 = /^0x[0-9a-f]{64}$/i;
/** A condition of Protocol V2, filled up with a zero byte in some answers. */
const BYTES_31 = /^0x[0-9a-f]{62}(00)?$/i;
/** A condition that names a module and an event: module, hash, arity, eight reserved bytes, chain, place. */
const POSITION_CONDITION = /^0x0[1-4][0-9a-f]{36}0{16}[0-9a-f]{8}(00)?$/i;
const CONDITION_CHARS = 64;

const wireIds = z.object({
  conditionId: z.string(),
  questionID: z.string().nullish(),
  version: z.string().nullish(),
  negRisk: z.boolean().nullish(),
  negRiskMarketID: z.string().nullish(),
  clobTokenIds: z.string().nullish(),
  positionIds: stringList.nullish(),
});

/** Reads what the contracts call markets, once for each: ids never change. Throws `VenueUnavailable`, and ConversionRefused for a market that is not known. */
export function openMarketIds(gamma: JsonApi): (marketIds: readonly MarketId[]) => Promise<Map<string, MarketIds>> {
  const kept = new Map<string, MarketIds>();
  return async (marketIds) => {
    const asked = [...new Set(marketIds)];
    const missing = asked.filter((id) => !kept.has(id));
    if (missing.length > 0) {
      const read = await marketsWithIds(gamma, missing, 'trading');
      const byId = new Map(read.map((raw) => [conditionId(raw), raw]));
      for (const id of missing) kept.set(id, byId.has(id) ? readMarketIds(byId.get(id)) : unlistedPosition(id));
    }
    const found = new Map(asked.flatMap((id) => (kept.has(id) ? [[id, kept.get(id) as MarketIds]] : [])));
    for (const [oldest] of kept) {
      if (kept.size <= KEPT_MAX) break;
      kept.delete(oldest);
    }
    return found;
  };
}

/** From a market of Gamma. @throws ConversionRefused where its ids are not those of either protocol */
export function readMarketIds(raw: unknown): MarketIds {
  const parsed = wireIds.safeParse(raw);
  if (!parsed.success) throw new ConversionRefused(`the ids of the market ${conditionId(raw)} cannot be read`);
  const { conditionId: condition, version, negRisk, positionIds } = parsed.data;
  if (version === 'v2') {
    if (!BYTES_31.test(condition)) throw new ConversionRefused(`${condition} is no condition of Protocol V2`);
    return { protocol: 2, condition: shortCondition(condition), tokenIds: positionIds ?? [] };
  }
  if (version && version !== 'v1') throw new ConversionRefused(`the market ${condition} is of version ${version}`);
  // Old records lack the version; ids of the second protocol may look alike.
  if (!version && (condition.endsWith('00') || (positionIds ?? []).length > 0))
    throw new ConversionRefused(`nothing proves the version of the market ${condition}`);
  if (!BYTES_32.test(condition)) throw new ConversionRefused(`${condition} is no condition`);
  const isNegRisk = negRisk === true;
  return {
    protocol: 1,
    condition: hex(condition),
    isNegRisk,
    negRisk: isNegRisk ? questionOf(parsed.data) : null,
    tokenIds: tokenList(parsed.data.clobTokenIds),
  };
}

/** Unlisted members, as the one for all others, have ids all the same. */
function unlistedPosition(id: string): MarketIds {
  if (!POSITION_CONDITION.test(id)) throw new ConversionRefused(`the venue does not know the market ${id}`);
  const condition = shortCondition(id);
  const first = BigInt(condition) << 8n;
  return { protocol: 2, condition, tokenIds: [first.toString(), (first + 1n).toString()] };
}

/** The last byte of a question counts it, whatever the order of the page. */
function questionOf({ questionID, negRiskMarketID }: z.infer<typeof wireIds>): { event: Hex; index: number } | null {
  if (!questionID || !negRiskMarketID || !BYTES_32.test(questionID) || !BYTES_32.test(negRiskMarketID)) return null;
  return { event: hex(negRiskMarketID), index: Number.parseInt(questionID.slice(-2), 16) };
}

function tokenList(text: string | null | undefined): string[] {
  try {
    return stringList.parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}

function shortCondition(condition: string): Hex {
  return hex(condition.slice(0, CONDITION_CHARS));
}

function hex(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`;
}
