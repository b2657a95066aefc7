import type { EventFacts, MemberFacts } from '@dutchbook/engine/relation/event-facts.ts';
import { PRICE_ONE, type Price, priceFromText } from '@dutchbook/units/price.ts';
import { z } from 'zod';
import type { ChainId } from './contracts.ts';
import { conditionId } from './gamma.ts';
import { readGammaMarket } from './listed-market.ts';
import { positionIdParts } from './position-ids.ts';
import { readInstant } from './wire.ts';

/** What relations are read from; all of it may be missing, and a field of another shape says nothing. */
const eventFields = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  title: z.string().catch(''),
  slug: z.string().nullish().catch(null),
  negRisk: z.boolean().nullish().catch(null),
  enableNegRisk: z.boolean().nullish().catch(null),
  negRiskAugmented: z.boolean().nullish().catch(null),
  cumulativeMarkets: z.boolean().nullish().catch(null),
  closed: z.boolean().nullish().catch(null),
  endDate: z.string().nullish().catch(null),
  series: z
    .array(z.object({ slug: z.string() }))
    .nullish()
    .catch(null),
  markets: z.array(z.unknown()).nullish().catch(null),
});

const memberFields = z.object({
  slug: z.string().nullish().catch(null),
  question: z.string().catch(''),
  groupItemTitle: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  resolutionSource: z.string().nullish().catch(null),
  endDate: z.string().nullish().catch(null),
  questionID: z.string().nullish().catch(null),
  version: z.string().nullish().catch(null),
  closed: z.boolean().nullish().catch(null),
  outcomes: z.string().nullish().catch(null),
  outcomePrices: z.string().nullish().catch(null),
  clobTokenIds: z.string().nullish().catch(null),
  positionIds: z.array(z.string()).nullish().catch(null),
});
type MemberFields = z.infer<typeof memberFields>;

/** An event as Gamma lists it, with all its members; null where it has not even an id. */
export function readEventFacts(raw: unknown, chainId: ChainId): EventFacts | null {
  const parsed = eventFields.safeParse(raw);
  if (!parsed.success) return null;
  const wire = parsed.data;
  const isNegRisk = wire.enableNegRisk === true || wire.negRisk === true;
  const members = (wire.markets ?? []).flatMap((market) => memberOf(market, isNegRisk, chainId) ?? []);
  return {
    id: wire.id,
    slug: wire.slug ?? '',
    title: wire.title,
    series: wire.series?.[0]?.slug ?? null,
    endDate: readInstant(wire.endDate),
    closed: wire.closed === true,
    exclusive: isNegRisk ? 'enforced' : null,
    augmented: wire.negRiskAugmented === true,
    nested: wire.cumulativeMarkets === true ? 'declared' : null,
    isWhole: wire.markets !== null && wire.markets !== undefined,
    members,
  };
}

function memberOf(raw: unknown, isNegRisk: boolean, chainId: ChainId): MemberFacts | null {
  const parsed = memberFields.safeParse(raw);
  const marketId = conditionId(raw);
  if (!parsed.success || marketId === '') return null;
  const wire = parsed.data;
  const read = readGammaMarket(raw, chainId);
  const tokenIds = wire.version === 'v2' ? (wire.positionIds ?? []) : jsonTexts(wire.clobTokenIds);
  const place = placeOf(wire, tokenIds, isNegRisk);
  return {
    marketId,
    slug: wire.slug ?? '',
    question: wire.question,
    groupTitle: wire.groupItemTitle ?? '',
    rules: wire.description ?? '',
    resolutionSource: wire.resolutionSource ?? '',
    endDate: readInstant(wire.endDate),
    outcomes: jsonTexts(wire.outcomes),
    tokenIds,
    ...place,
    strike: null,
    feeSchedule: 'market' in read ? read.market.feeSchedule : null,
    closed: wire.closed === true,
    resolvedValue: wire.closed === true ? resolvedValue(wire) : null,
    leftOut: 'market' in read ? null : read.reason,
  };
}

/** Of first-generation negative-risk markets the question's last byte counts them; Protocol V2 has it in the token. */
function placeOf(
  { version, questionID }: MemberFields,
  tokenIds: readonly string[],
  isNegRisk: boolean,
): Pick<MemberFacts, 'memberIndex' | 'arity'> {
  if (!isNegRisk) return { memberIndex: null, arity: null };
  if (version === 'v2') {
    const parts = tokenIds[0] === undefined ? null : positionIdParts(tokenIds[0]);
    return { memberIndex: parts?.condition ?? null, arity: parts?.arity ?? null };
  }
  const isHash = /^0x[0-9a-f]{64}$/i.test(questionID ?? '');
  return { memberIndex: isHash ? Number.parseInt((questionID ?? '').slice(-2), 16) : null, arity: null };
}

/** Of the first outcome; null where the prices are those of a market that has not been decided. */
function resolvedValue({ outcomePrices }: MemberFields): Price | null {
  const [first, second] = jsonTexts(outcomePrices);
  if (first === undefined || second === undefined) return null;
  try {
    const [one, other] = [priceFromText(first), priceFromText(second)];
    return one + other === PRICE_ONE && (one === 0 || other === 0 || one === other) ? one : null;
  } catch {
    return null;
  }
}

function jsonTexts(text: string | null | undefined): string[] {
  try {
    const parsed = z.array(z.string()).safeParse(JSON.parse(text ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
