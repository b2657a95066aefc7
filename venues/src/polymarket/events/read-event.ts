import {
  type CatalogueEvent,
  type EventMember,
  isReversed,
  REVERSED,
} from '@dutchbook/engine/relation/catalogue-event.ts';
import { z } from 'zod';
import { conditionId } from '../gamma.ts';
import type { ListedMarket, SkippedMarket } from '../listed-market.ts';
import { jsonTexts, ownId, readInstant, resolvedValue } from '../wire.ts';
import { type ContractPlace, contractPlaceOf, isOfEvent, voidCondition } from './contract-places.ts';
import { lineStrike } from './line-strikes.ts';

const text = z.string().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

/** What relations are read from; all of it may be missing, and a field of another shape says nothing. */
const eventFields = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  title: z.string().catch(''),
  slug: text,
  negRisk: flag,
  enableNegRisk: flag,
  negRiskAugmented: flag,
  cumulativeMarkets: flag,
  closed: flag,
  endDate: text,
  series: z
    .array(z.object({ slug: z.string() }))
    .nullish()
    .catch(null),
  markets: z.array(z.unknown()).nullish().catch(null),
});

const memberFields = z.object({
  conditionId: ownId,
  slug: text,
  question: z.string().catch(''),
  groupItemTitle: text,
  description: text,
  resolutionSource: text,
  endDate: text,
  questionID: text,
  version: text,
  negRisk: flag,
  closed: flag,
  umaResolutionStatus: text,
  outcomes: text,
  outcomePrices: text,
  clobTokenIds: text,
  positionIds: z.array(z.string()).nullish().catch(null),
  line: z.number().nullish().catch(null),
  sportsMarketType: text,
  gameId: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  gameStartTime: text,
});
type MemberFields = z.infer<typeof memberFields>;

/** A member before it is known with which of the others the contract counts it. */
type Member = { member: EventMember; place: ContractPlace | null };

/**
 * An event as Gamma lists it, with all its members, each market read by `readMarket`; null where it has not even an id. What was
 * added to rules later stands elsewhere.
 */
export function readCatalogueEvent(
  raw: unknown,
  readMarket: (raw: unknown) => ListedMarket | SkippedMarket,
): CatalogueEvent | null {
  const parsed = eventFields.safeParse(raw);
  if (!parsed.success) return null;
  const wire = parsed.data;
  const members = (wire.markets ?? []).flatMap((market) => memberOf(market, readMarket) ?? []);
  const first = members.find(({ place }) => place !== null)?.place ?? null;
  const isDirectional = first?.kind === 'directional';
  const isNegRisk = wire.enableNegRisk === true || wire.negRisk === true || first?.kind === 'exclusive';
  const placedMembers = members.map(({ member, place }) =>
    place !== null && isOfEvent(place, first) ? placed(member, place) : member,
  );
  return {
    id: wire.id,
    slug: wire.slug ?? '',
    title: wire.title,
    series: wire.series?.[0]?.slug ?? null,
    endDate: readInstant(wire.endDate),
    closed: wire.closed === true,
    exclusive: isNegRisk && !isDirectional ? 'enforced' : null,
    augmented: wire.negRiskAugmented === true,
    nested: isDirectional ? 'enforced' : wire.cumulativeMarkets === true ? 'declared' : null,
    isWhole: wire.markets !== null && wire.markets !== undefined,
    members: isDirectional ? withVoid(placedMembers, first) : placedMembers,
  };
}

function placed(member: EventMember, { memberIndex, arity, strike }: ContractPlace): EventMember {
  return { ...member, memberIndex, arity, strike: strike ?? member.strike };
}

/** A void is one of the outcomes, listed or not: without it the others would look as if they were all. */
function withVoid(members: readonly EventMember[], first: ContractPlace): readonly EventMember[] {
  const { arity } = first;
  if (members.some(({ memberIndex }) => memberIndex === arity)) return members;
  return [
    ...members,
    {
      marketId: voidCondition(first),
      slug: '',
      question: 'Will the event be voided?',
      groupTitle: 'Void',
      rules: '',
      clarifications: '',
      resolutionSource: '',
      endDate: null,
      outcomes: [],
      tokenIds: [],
      memberIndex: arity,
      arity,
      strike: { kind: 'below', cap: 0, hasCap: false },
      game: null,
      feeSchedule: null,
      closed: false,
      resolvedValue: null,
      leftOut: 'the venue does not list what pays where its event is voided',
    },
  ];
}

function memberOf(raw: unknown, readMarket: (raw: unknown) => ListedMarket | SkippedMarket): Member | null {
  const parsed = memberFields.safeParse(raw);
  if (!parsed.success) return null;
  const wire = parsed.data;
  const read = readMarket(raw);
  const outcomes = jsonTexts(wire.outcomes);
  const tokenIds = wire.version === 'v2' ? (wire.positionIds ?? []) : jsonTexts(wire.clobTokenIds);
  const member: EventMember = {
    marketId: conditionId(raw),
    slug: wire.slug ?? '',
    question: wire.question,
    groupTitle: wire.groupItemTitle ?? '',
    rules: wire.description ?? '',
    clarifications: null,
    resolutionSource: wire.resolutionSource ?? '',
    endDate: readInstant(wire.endDate),
    outcomes,
    tokenIds,
    memberIndex: null,
    arity: null,
    strike: lineStrike({ ...wire, outcomes }),
    game: gameOf(wire),
    feeSchedule: 'market' in read ? read.market.feeSchedule : null,
    closed: wire.closed === true,
    resolvedValue: isReversed({ outcomes }) ? null : resolvedValue(wire),
    leftOut: isReversed({ outcomes }) ? REVERSED : 'market' in read ? null : read.reason,
  };
  return { member, place: contractPlaceOf({ ...wire, tokenIds }) };
}

function gameOf({ sportsMarketType, line, gameId, gameStartTime }: MemberFields): EventMember['game'] {
  if (!sportsMarketType) return null;
  return {
    type: sportsMarketType,
    line: line ?? null,
    gameId: gameId || null,
    startsAt: readInstant(gameStartTime),
  };
}
